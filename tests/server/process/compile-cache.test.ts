import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { enableCompileCache, removeOld } from '../../../server/process/compile-cache.ts';
import { VERSION } from '../../../server/lib/version.ts';
import { HAS_FILE_MODES, modeOf, PRIVATE_FOLDER } from '../../support/platform.ts';
import { createTempDir } from '../../support/service.ts';

const SERVER = new URL('../../../server/', import.meta.url).href;
const MODULE = `${SERVER}process/compile-cache.ts`;
const THREADS = `${SERVER}lib/threads.ts`;

/**
 * Runs a program that enables the cache and then `loads` the module `chunk.mjs`, of which it prints the `word`, after whether the cache was enabled.
 */
async function run(
  cacheDir: string,
  loads = `const { word } = await import('./chunk.mjs');`,
): Promise<string> {
  const dir = await createTempDir();
  const chunk = join(dir, 'chunk.mjs');
  await writeFile(chunk, `export const word = ${JSON.stringify('x'.repeat(3_000))}.slice(0, 1);`);
  const program = join(dir, 'program.mjs');
  await writeFile(
    program,
    `import { enableCompileCache } from ${JSON.stringify(MODULE)};
     const enabled = enableCompileCache(import.meta.url, ${JSON.stringify(cacheDir)});
     ${loads}
     console.log(enabled + ' ' + word);
     process.exit(0);`,
  );
  const env = { ...process.env };
  delete env['NODE_COMPILE_CACHE'];
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'], env });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  await once(child, 'close');
  return output.trim();
}

const filesIn = async (dir: string): Promise<number> =>
  existsSync(dir)
    ? (await readdir(dir, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).length
    : 0;

describe('the compile cache', () => {
  it('keeps what dynamically imported modules were made into, in a private folder of this version', async () => {
    const cacheDir = join(await createTempDir(), 'made', 'parley');
    expect(await run(cacheDir)).toBe('true x');
    expect(await readdir(cacheDir)).toEqual([`code-${VERSION}`]);
    expect(await modeOf(cacheDir)).toBe(PRIVATE_FOLDER);
    expect(await filesIn(cacheDir)).toBeGreaterThan(0);
  });

  it('keeps what threads load, too', async () => {
    const kept = async (use: string): Promise<number> => {
      const cacheDir = join(await createTempDir(), 'cache');
      const loads = `import { once } from 'node:events';
        import { startThread } from ${JSON.stringify(THREADS)};
        ${use}
        const { word } = await import('./chunk.mjs');`;
      expect(await run(cacheDir, loads)).toBe('true x');
      return filesIn(cacheDir);
    };
    const reading = `const thread = startThread('document-thread', { workerData: { bytes: new Uint8Array(1), kind: 'docx' } });
      await once(thread, 'message');
      await thread.terminate();`;
    expect(await kept(reading)).toBeGreaterThan(await kept(''));
  });

  it.runIf(HAS_FILE_MODES)(
    'is not used where others could have put something into it, as a mode tells',
    async () => {
      const open = join(await createTempDir(), 'open');
      await mkdir(open);
      await chmod(open, 0o777);
      expect(await run(open)).toBe('false x');
      expect(await filesIn(open)).toBe(0);
    },
  );

  it('is not used behind a link', async () => {
    const root = await createTempDir();
    const own = join(root, 'own');
    await mkdir(own, { mode: 0o700 });
    const linked = join(root, 'linked');
    // Of Windows' links, the kind that everybody may make.
    await symlink(own, linked, 'junction');
    expect(await run(linked)).toBe('false x');
    expect(await filesIn(root)).toBe(0);
  });

  it('stops nothing where it can not be had', async () => {
    const file = join(await createTempDir(), 'file');
    await writeFile(file, '');
    expect(await run(file)).toBe('false x');
    expect(await run(join(file, 'below'))).toBe('false x');
  });

  it('is left out for sources', async () => {
    const cacheDir = join(await createTempDir(), 'cache');
    expect(enableCompileCache('file:///parley/server/cli.ts', cacheDir)).toBe(false);
    expect(existsSync(cacheDir)).toBe(false);
  });

  it('of earlier versions is removed, and nothing else', async () => {
    const cacheDir = await createTempDir();
    for (const name of ['code-0.0.1', `code-${VERSION}`, 'other']) await mkdir(join(cacheDir, name));
    removeOld(cacheDir);
    removeOld(join(cacheDir, 'nowhere'));
    expect((await readdir(cacheDir)).sort()).toEqual([`code-${VERSION}`, 'other']);
  });
});
