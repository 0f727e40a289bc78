import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConnection } from '../../../../server/process/owner/connection-file.ts';
import { createTempDir } from '../../../support/service.ts';

describe('an address in connection.json', () => {
  const read = async (baseUrl: unknown): Promise<string | undefined> => {
    const dataDir = await createTempDir();
    await writeFile(
      join(dataDir, 'connection.json'),
      JSON.stringify({ baseUrl, apiKey: 'a', publicKey: 'b' }),
    );
    return (await readConnection(dataDir))?.baseUrl;
  };

  it('is believed where it makes sense', async () => {
    expect(await read('http://127.0.0.1:4141')).toBe('http://127.0.0.1:4141');
  });

  it.each([
    'http://evil.example',
    'http://127.0.0.1:4141@evil.example',
    'http://127.0.0.1:4141/#token=x',
    'http://127.0.0.1:99999',
    'http://127.0.0.1:0',
    'http://127.0.0.1:4141\n\u001b[2J',
    'file:///etc/passwd',
    'https://127.0.0.1:4141',
    7,
  ])('leads nowhere else: %j', async (baseUrl) => {
    expect(await read(baseUrl)).toBeUndefined();
  });
});
