/**
 * Coding agents themselves against the service, with the configuration of server/API.md. Their programs are 600 MB, so they aren't
 * among the development dependencies: `npm install --prefix FOLDER @openai/codex@0.169.0 opencode-ai@1.18.33` fetches
 * them, and `PARLEY_TEST_PROGRAMS=FOLDER` names the folder.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CONNECTED, startConnectedService } from '../../../support/connected-service.ts';
import { createTempDir } from '../../../support/service.ts';

const FOLDER = process.env['PARLEY_TEST_PROGRAMS'] ?? '';
const CODEX = join(FOLDER, 'node_modules/@openai/codex/bin/codex.js');
const OPENCODE = ['', '-baseline']
  .map((variant) => join(FOLDER, `node_modules/opencode-linux-x64${variant}/bin/opencode`))
  .find(existsSync);
const WAIT_MS = 60_000;

const service = await startConnectedService();
if (!existsSync(CODEX) || OPENCODE === undefined)
  process.stderr.write('Skipped: coding agents aren’t installed; coding-agents.test.ts says how.\n');

/** The first block of server/API.md in a language that contains `mark`, for this service. */
async function configuration(language: string, mark: string): Promise<string> {
  const doc = await readFile(new URL('../../../../server/API.md', import.meta.url), 'utf8');
  const blocks = [...doc.matchAll(/```(\w+)\n([^`]*)```/g)];
  const [, , text = ''] =
    blocks.find(([, name, content]) => name === language && content?.includes(mark)) ?? [];
  expect(text).toContain(mark);
  return text.replace('ollama/qwen3', CONNECTED).replace('http://127.0.0.1:4141/v1', service.baseURL);
}

/** Runs a program in an empty folder, with nothing of this machine's own settings; resolves with its exit code, output and folder. */
async function run(
  program: string,
  args: readonly string[],
  { file, text, env = {} }: { file: string; text: string; env?: Record<string, string> },
): Promise<{ code: unknown; output: string; folder: string }> {
  const dir = await createTempDir();
  const [home, folder] = [join(dir, 'home'), join(dir, 'work')];
  for (const made of [home, folder]) await mkdir(made);
  await writeFile(join(home, file), text);
  const child = spawn(program, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      CODEX_HOME: home,
      OPENCODE_CONFIG: join(home, file),
      PARLEY_KEY: service.apiKey,
      ...env,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (output += String(piece)));
  return { code: await new Promise((resolve) => child.on('close', resolve)), output, folder };
}

it.runIf(existsSync(CODEX))(
  'Codex makes a file by a call of its tool, with its defaults',
  async () => {
    service.model.play('codex');
    const flags = ['--dangerously-bypass-approvals-and-sandbox', '--skip-git-repo-check'];
    const text = await configuration('toml', 'wire_api');
    const args = [CODEX, 'exec', ...flags, 'Make the file'];
    const { code, output, folder } = await run(process.execPath, args, { file: 'config.toml', text });
    expect([code, output]).toEqual([0, expect.stringContaining('The file is there.')]);
    expect(await readFile(join(folder, 'hello.txt'), 'utf8')).toBe('hi\n');
  },
  WAIT_MS,
);

it.runIf(OPENCODE !== undefined)(
  'opencode makes a file by a call of its tool, with its defaults',
  async () => {
    service.model.play('opencode');
    const { code, output, folder } = await run(
      OPENCODE ?? '',
      ['run', '--model', `parley/${CONNECTED}`, 'Make the file'],
      {
        file: 'opencode.json',
        text: await configuration('json', 'openai-compatible'),
        env: { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' },
      },
    );
    expect([code, output]).toEqual([0, expect.stringContaining('The file is there.')]);
    expect(await readFile(join(folder, 'hello.txt'), 'utf8')).toBe('hi\n');
  },
  WAIT_MS,
);
