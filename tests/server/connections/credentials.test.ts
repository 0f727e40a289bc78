import { expect, it } from 'vitest';
import { openConnection, type CredentialsOwner } from '../../../server/connections/credentials.ts';
import type { SecretReading } from '../../../server/secrets/secrets.ts';

it('a key never comes with an address it wasn’t given for, though the connection moves while it is read', async () => {
  let connection = { id: 'a', baseUrl: 'http://127.0.0.1:9/old', hasKey: true, headerNames: [] };
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
  expect(opened?.credentials).toEqual({ state: 'present', apiKey: null, headers: {} });
});

it('a connection that goes while its key is read is gone', async () => {
  let connection: (CredentialsOwner & { baseUrl: null }) | null = {
    id: 'a',
    baseUrl: null,
    hasKey: true,
    headerNames: [],
  };
  const read = (): Promise<SecretReading> => {
    connection = null;
    return Promise.resolve({ state: 'present', text: 'key' });
  };
  expect(await openConnection({ read }, () => connection)).toBeNull();
});
