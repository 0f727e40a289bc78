/**
 * The threads and processes that tests start are bundled, once a run, as the product's are: loading hundreds of sources anew in
 * each of a thousand would be most of the tests' work. Tests themselves load sources.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, normalizePath, type Plugin, type Rolldown } from 'vite';
import type { TestProject } from 'vitest/node';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const OUT = join(ROOT, 'out/tests');

/** Where processes keep what the engine made of their code, for others to start with. */
export const COMPILE_CACHE = join(OUT, 'compile-cache');

/** By the bundles' names. */
const ENTRIES = {
  'agent-worker': 'server/turns/thread/worker.ts',
  'compaction-thread': 'server/store/compaction-thread.ts',
  'data-thread': 'server/data/data-thread.ts',
  'html-thread': 'server/tools/web/html-thread.ts',
  cli: 'server/cli.ts',
  'append-service': 'tests/support/append-service.ts',
  'scripted-agent-worker': 'tests/support/agent-worker.ts',
  'scripted-service': 'tests/support/scripted-service.ts',
};

/** They look for bundles beside themselves. */
const SEEKERS = new Set(
  ['server/lib/threads.ts', 'tests/support/bundled.ts'].map((path) => normalizePath(join(ROOT, path))),
);

/** Has the modules that look for bundles believe that they are bundled themselves. */
export const seekBundles = (): Plugin => ({
  name: 'seek-bundles',
  enforce: 'pre',
  transform: (code, id) =>
    SEEKERS.has(id)
      ? {
          code: code.replace('import.meta.url', JSON.stringify(pathToFileURL(join(OUT, 'tests.js')))),
          map: null,
        }
      : null,
});

/** Makes the bundles before the first test, and again when a watched file has changed. */
export default async function setup(project: TestProject): Promise<void> {
  project.onTestsRerun(bundle);
  await bundle();
}

async function bundle(): Promise<void> {
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
        // It looks for its wasm beside itself.
        external: ['sql.js', /^sql\.js\//],
        output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  })) as Rolldown.RolldownOutput;
  for (const file of built.output)
    await put(join(OUT, file.fileName), file.type === 'chunk' ? file.code : file.source);
}

/** Writes a file unless it stands there as it is: another run of tests may be reading it. */
async function put(path: string, content: string | Uint8Array): Promise<void> {
  const bytes = Buffer.from(content);
  const present = await readFile(path).catch(() => null);
  if (present?.equals(bytes) === true) return;
  await mkdir(dirname(path), { recursive: true });
  const written = `${path}.${process.pid}`;
  await writeFile(written, bytes);
  await rename(written, path);
}
