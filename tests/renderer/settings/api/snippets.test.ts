import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { KEY_PLACEHOLDER, snippet, SNIPPET_LANGUAGES } from '../../../../renderer/settings/api/snippets.ts';
import { createTempDir, startTestService } from '../../../support/service.ts';

it('the JavaScript program runs as it stands, and prints the reply', async () => {
  const api = await startTestService();
  const { url, apiKey } = api.service;
  const file = join(await createTempDir(), 'program.mjs');
  await writeFile(file, snippet('javascript', url, apiKey));
  const { stdout } = await promisify(execFile)(process.execPath, [file]);
  expect(stdout).toContain('230');
  const { data } = (await api.get('/api/v1/chats')).json<{ data: { status: string }[] }>();
  expect(data.map(({ status }) => status)).toEqual(['idle']);
});

it.each(SNIPPET_LANGUAGES)(
  'the %s program names the address and the key, and nothing else to fill in',
  (language) => {
    const text = snippet(language, 'http://127.0.0.1:4141', KEY_PLACEHOLDER);
    expect(text).toContain('http://127.0.0.1:4141/api/v1');
    expect(text).toContain(KEY_PLACEHOLDER);
    expect(text).not.toMatch(/%[A-Z]+%/);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  },
);
