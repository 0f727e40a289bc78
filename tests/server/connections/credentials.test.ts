import { expect, it } from 'vitest';
import { CREDENTIALS } from '../../../server/connections/credentials.ts';
import { openRow } from '../../../server/secrets/row-secrets.ts';
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
  const opened = await openRow(CREDENTIALS, { read }, () => connection);
  expect(opened?.row.baseUrl).toBe('http://127.0.0.1:10/new');
  expect(opened?.kept).toEqual({ state: 'present', values: {} });
});

it('a connection that goes while its key is read is gone', async () => {
  const there = { id: 'a', baseUrl: null, hasKey: true, headerNames: [] };
  let connection: typeof there | null = there;
  const read = (): Promise<SecretReading> => {
    connection = null;
    return Promise.resolve({ state: 'present', text: 'key' });
  };
  expect(await openRow(CREDENTIALS, { read }, () => connection)).toBeNull();
});

it.each([
  [{ '': 'the key' }, 'the key'],
  [{ 'X-One': 'first' }, '\n{"X-One":"first"}'],
  [{ 'X-One': 'first', '': 'the key' }, 'the key\n{"X-One":"first"}'],
])('%j is stored as the key in the first line and headers as JSON in the second', (values, text) => {
  expect(CREDENTIALS.format(values)).toBe(text);
  expect(CREDENTIALS.parse(text)).toEqual(values);
});
