import { expect, it } from 'vitest';
import { openConnection } from '../../../server/connections/connection-key.ts';
import type { SecretReading } from '../../../server/secrets/secrets.ts';

it('a key never comes with an address it wasn’t given for, though the connection moves while it is read', async () => {
  let connection = { id: 'a', baseUrl: 'http://127.0.0.1:9/old', hasKey: true };
  let key = 'old-key';
  const moves = [
    () => (connection = { ...connection, baseUrl: 'http://127.0.0.1:10/new', hasKey: false }),
    () => {
      key = 'new-key';
      connection = { ...connection, hasKey: true };
    },
  ];
  const read = async (): Promise<SecretReading> => {
    const reading = { state: 'present', text: key } as const;
    await Promise.resolve();
    moves.shift()?.();
    return reading;
  };
  const opened = await openConnection({ read }, () => connection);
  expect(opened?.connection.baseUrl).toBe('http://127.0.0.1:10/new');
  expect(opened?.key.state === 'present' ? opened.key.text : null).not.toBe('old-key');
});

it('a connection that goes while its key is read is gone', async () => {
  let connection: { id: string; baseUrl: null; hasKey: boolean } | null = {
    id: 'a',
    baseUrl: null,
    hasKey: true,
  };
  const read = (): Promise<SecretReading> => {
    connection = null;
    return Promise.resolve({ state: 'present', text: 'key' });
  };
  expect(await openConnection({ read }, () => connection)).toBeNull();
});
