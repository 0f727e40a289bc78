/**
 * Codex itself against the service, with the configuration of server/API.md. Its program is 300 MB, so it isn't among the development
 * dependencies: `npm install --no-save @openai/codex@0.169.0` adds it, or name it in `PARLEY_CODEX`.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { CONNECTED, startConnectedService } from '../../../support/connected-service.ts';
import { createTempDir } from '../../../support/service.ts';

const INSTALLED = fileURLToPath(import.meta.resolve('../../../../node_modules/@openai/codex/bin/codex.js'));
const CODEX = process.env['PARLEY_CODEX'] ?? INSTALLED;
const WAIT_MS = 60_000;

const service = await startConnectedService();
if (!existsSync(CODEX))
  process.stderr.write(
    'Skipped: Codex isn’t installed; tests/server/routes/openai/codex.test.ts says how.\n',
  );

/** The lines of server/API.md, for this service. */
async function configuration(): Promise<string> {
  const doc = await readFile(new URL('../../../../server/API.md', import.meta.url), 'utf8');
  const [, toml = ''] = /```toml\n([^`]*)```/.exec(doc) ?? [];
  expect(toml).toContain('wire_api');
  return toml.replace('ollama/qwen3', CONNECTED).replace('http://127.0.0.1:4141/v1', service.baseURL);
}

it.runIf(existsSync(CODEX))(
  'Codex makes a file by a call of its tool, with its defaults',
  async () => {
    service.model.play('codex');
    const dir = await createTempDir();
    const [home, work] = [join(dir, 'home'), join(dir, 'work')];
    for (const folder of [home, work]) await mkdir(folder);
    await writeFile(join(home, 'config.toml'), await configuration());
    const flags = ['--dangerously-bypass-approvals-and-sandbox', '--skip-git-repo-check'];
    const child = spawn(process.execPath, [CODEX, 'exec', ...flags, 'Make the file'], {
      cwd: work,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], HOME: home, CODEX_HOME: home, PARLEY_KEY: service.apiKey },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)));
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect([code, output]).toEqual([0, expect.stringContaining('The file is there.')]);
    expect(await readFile(join(work, 'hello.txt'), 'utf8')).toBe('hi\n');
  },
  WAIT_MS,
);
