/**
 * Bundles the threads and processes that tests start, once per run, as for the product: loading hundreds of sources in
 * each of a thousand would be most of the tests' work. Tests themselves load sources.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, normalizePath, type Plugin, type Rolldown } from 'vite';
import type { TestProject } from 'vitest/node';
import { SERVICE_OUTPUT } from '../../../electron.vite.config.ts';
import { apiDocument } from '../api-document.ts';
import { bundled, DOCUMENT } from '../bundled.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** By the bundles' names. */
const ENTRIES = {
  'agent-worker': 'server/turns/thread/worker.ts',
  'compaction-thread': 'server/store/compaction-thread.ts',
  'data-thread': 'server/data/data-thread.ts',
  'document-thread': 'server/files/document-thread.ts',
  'html-thread': 'server/tools/web/html-thread.ts',
  cli: 'server/cli.ts',
  'cli-host': 'tests/support/cli-host.ts',
  'append-service': 'tests/support/append-service.ts',
  'conformance-suite': 'node_modules/@modelcontextprotocol/conformance/dist/index.js',
  'conformance-client': 'tests/support/run/conformance-client.ts',
  'many-services': 'tests/support/many-services.ts',
  'mcp-server': 'tests/support/mcp-server/stdio.ts',
  'own-folder': 'tests/support/own-folder.ts',
  'scripted-agent-worker': 'tests/support/agent-worker.ts',
  'scripted-service': 'tests/support/scripted-service.ts',
};

/** It looks for threads beside itself. */
const SEEKER = normalizePath(join(ROOT, 'server/lib/threads.ts'));

/** Makes the service find its threads among the bundles. */
export const seekBundles = (): Plugin => ({
  name: 'seek-bundles',
  enforce: 'pre',
  transform: (code, id) =>
    id === SEEKER
      ? { code: code.replace('import.meta.url', JSON.stringify(bundled('tests'))), map: null }
      : null,
});

/** Makes the bundles before the first test, and again when a watched file has changed. */
export default async function setup(project: TestProject): Promise<void> {
  project.onTestsRerun(bundle);
  await bundle();
}

/** Makes all bundles, and the API's document. */
export async function bundle(): Promise<void> {
  const writing = apiDocument().then((document) => put(DOCUMENT, JSON.stringify(document)));
  const built = (await build({
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: true,
      write: false,
      target: 'node24',
      rolldownOptions: {
        input: ENTRIES,
        external: ['sql.js'],
        output: SERVICE_OUTPUT,
      },
    },
  })) as Rolldown.RolldownOutput;
  for (const file of built.output)
    await put(new URL(file.fileName, bundled('tests')), file.type === 'chunk' ? file.code : file.source);
  await writing;
}

/** Writes a file unless it has that content already: another run of tests may be reading it. */
async function put(path: URL, content: string | Uint8Array): Promise<void> {
  const bytes = Buffer.from(content);
  const present = await readFile(path).catch(() => null);
  if (present?.equals(bytes) === true) return;
  await mkdir(new URL('.', path), { recursive: true });
  const written = new URL(`${path.href}.${process.pid}`);
  await writeFile(written, bytes);
  await rename(written, path);
}
