import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { apiTypes } from '../../support/api-types.ts';
import { startTestService, startSharedService, createTempDir } from '../../support/service.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const QUESTION = 'What is 12.5% of 1840?';
const ANSWER = '12.5% of 1,840 = **230**\n';

const find = (program: string): string | undefined =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => [join(folder, program), join(folder, `${program}.exe`)])
    .find(existsSync);

/** Runs a program to its end. */
async function run(command: string, args: string[], env: object = {}, input = '') {
  const node = dirname(process.execPath);
  const child = spawn(command, args, {
    env: { ...process.env, ...env, PATH: `${node}${delimiter}${process.env['PATH'] ?? ''}` },
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.stderr += text));
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...said };
}

/** The examples, and what each needs to be run. */
const EXAMPLES = [
  { file: 'ask.sh', needs: ['sh', 'curl', 'jq'], args: [] },
  { file: 'ask.mjs', needs: ['node'], args: [] },
  { file: 'ask.py', needs: ['python3'], args: [] },
  { file: 'ask.ps1', needs: ['pwsh'], args: ['-NoProfile', '-File'] },
].map((example) => ({
  ...example,
  path: join(ROOT, 'server', 'examples', example.file),
  missing: example.needs.filter((program) => find(program) === undefined),
}));
const PRESENT = EXAMPLES.filter(({ missing }) => missing.length === 0);

const api = await startSharedService();

describe('the examples', () => {
  const ask = ({ needs: [program = ''], args, path }: (typeof EXAMPLES)[number], question: string) =>
    run(program, [...args, path, question], { PARLEY_DATA_DIR: api.service.dataDir });

  it.each(PRESENT)('$file asks and prints the answer', async (example) => {
    expect(await ask(example, QUESTION)).toEqual({ code: 0, stdout: ANSWER, stderr: '' });
  });

  it.each(PRESENT)('$file takes any text, and says what is wrong', async (example) => {
    const text = 'uppercase "Zoë’s \\ 100% 😀\n$HOME"';
    expect((await ask(example, text)).code).toBe(0);
    const { data } = (await api.get('/api/v1/chats')).json<{ data: { id: string }[] }>();
    expect((await api.messages(data[0]?.id ?? ''))[0]?.content).toBe(text);
    const refused = await ask(example, ' ');
    expect(refused.code).not.toBe(0);
    expect(refused.stdout + refused.stderr).toContain('"content" must be text');
  });

  const read = EXAMPLES.map(({ missing, ...example }) => ({
    ...example,
    more: missing.length === 0 ? '' : `; it was not run, as there is no ${missing.join(', ')} here`,
  }));
  it.each(read)('$file is short, and does what the others do$more', async ({ path }) => {
    const text = await readFile(path, 'utf8');
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(30);
    for (const part of [
      'connection.json',
      'PARLEY_DATA_DIR',
      '/api/v1',
      '/chats',
      '/messages?wait=60',
      'Bearer',
      'stopped',
    ]) {
      expect(text).toContain(part);
    }
    const code = text.replaceAll(/"[^"\n]*"|'[^'\n]*'/g, '');
    for (const [open = '', close = ''] of ['()', '[]', '{}']) {
      if (!path.endsWith('.sh')) expect(code.split(open).length, open).toBe(code.split(close).length);
    }
  });
});

describe('the first minute of the README', () => {
  it('works as it is pasted into a fresh shell', async () => {
    const readme = await readFile(join(ROOT, 'README.md'), 'utf8');
    const lines = /## The first minute.*?```sh\n(.*?)```/s.exec(readme)?.[1] ?? '';
    expect(lines).toContain('~/.local/share/parley');
    const home = await createTempDir();
    const dataDir = join(home, '.local', 'share', 'parley');
    await mkdir(dataDir, { recursive: true });
    await startTestService({ dataDir });
    const { code, stdout, stderr } = await run('bash', ['--norc', '--noprofile'], { HOME: home }, lines);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.endsWith(ANSWER)).toBe(true);
  });
});

describe('the typed client of API.md', () => {
  it('compiles with the types of the document, and runs', async () => {
    const text = await readFile(join(ROOT, 'server', 'API.md'), 'utf8');
    const program = /```ts\n(.*?)```/s.exec(text)?.[1] ?? '';
    // Beside the modules that it imports.
    const folder = join(ROOT, 'out', 'tests', 'typed-client');
    await mkdir(folder, { recursive: true });
    const path = join(folder, 'request-json.ts');
    await writeFile(path, program);
    await writeFile(join(folder, 'parley.d.ts'), await apiTypes());
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ extends: '../../../tsconfig.base.json', compilerOptions: { types: ['node'] } }),
    );
    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    expect(await run(process.execPath, [tsc, '-p', folder])).toEqual({ code: 0, stdout: '', stderr: '' });
    const { service } = await startTestService();
    const { code, stdout } = await run(process.execPath, [path], { PARLEY_DATA_DIR: service.dataDir });
    expect([code, stdout]).toEqual([0, ANSWER]);
  });
});
