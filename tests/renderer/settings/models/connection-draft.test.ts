import { expect, test } from 'vitest';
import type { Provider } from '../../../../shared/api/connection.ts';
import { ConnectionDraft } from '../../../../renderer/settings/models/connection-draft.svelte.ts';
import { PRESET_NAMES, PRESETS } from '../../../../renderer/settings/models/presets.ts';
import { aConnection, aTest } from '../../support/connections.ts';

const aNew = (provider: Provider, fields: Partial<ConnectionDraft> = {}): ConnectionDraft => {
  const draft = new ConnectionDraft(null);
  draft.choose(provider);
  return Object.assign(draft, fields);
};
const anEdit = (
  changes: Parameters<typeof aConnection>[0],
  fields: Partial<ConnectionDraft> = {},
): ConnectionDraft => Object.assign(new ConnectionDraft(aConnection(changes)), fields);

test('a provider brings its usual address, which is not sent as one of its own', () => {
  const draft = aNew('openai', { key: ' sk-1 ' });
  expect(draft.address).toBe('https://api.openai.com/v1');
  expect(draft.creation).toEqual({ provider: 'openai', baseUrl: null, apiKey: 'sk-1' });
  draft.address = 'https://gateway.example/v1/';
  expect(draft.creation.baseUrl).toBe('https://gateway.example/v1');
});

test.each(PRESET_NAMES)('%s is connected by its key alone, under its name', (preset) => {
  const draft = new ConnectionDraft(null);
  draft.choose('openai_compatible', preset);
  const { title, address } = PRESETS[preset];
  expect(draft).toMatchObject({
    fault: null,
    lacksKey: true,
    usualName: title,
    isHere: false,
    isPlain: false,
  });
  expect(draft.address).toMatch(/^https:\/\/[^/]+(?:\/[a-z]+)*\/v1$/);
  draft.key = 'sk-1';
  expect(draft.lacksKey).toBe(false);
  expect(draft.creation).toEqual({
    provider: 'openai_compatible',
    name: title,
    baseUrl: address,
    apiKey: 'sk-1',
  });
  // At another address it is another server, which may need no key.
  Object.assign(draft, { address: 'localhost:4000/v1', key: '' });
  expect(draft).toMatchObject({ lacksKey: false, usualName: 'localhost:4000', isHere: true });
});

test.each([
  ['127.0.0.1:8080/v1', 'http://127.0.0.1:8080/v1'],
  ['nas:11434/', 'http://nas:11434'],
  ['gateway.example/v1', 'https://gateway.example/v1'],
])('the address %j is completed before it is tested and saved', (address, baseUrl) => {
  const draft = aNew('openai_compatible', { address });
  expect([draft.fault, draft.creation.baseUrl, draft.trial.baseUrl]).toEqual([null, baseUrl, baseUrl]);
});

test('a service with an address for each customer needs that and a key, and is called what it is', () => {
  const draft = aNew('azure_openai');
  expect(draft).toMatchObject({ fault: 'no_address', lacksKey: true, usualName: 'Azure OpenAI' });
  draft.address = 'https://box.openai.azure.com/openai/v1/';
  expect(draft).toMatchObject({ fault: null, host: 'box.openai.azure.com' });
  expect(draft.creation.baseUrl).toBe('https://box.openai.azure.com/openai/v1');
});

test('a key that was meant for one provider is not offered to the next', () => {
  const draft = aNew('openai', { key: 'sk-1' });
  draft.choose('anthropic');
  expect(draft.key).toBe('');
  expect(draft.trial).toEqual({ provider: 'anthropic', baseUrl: null, apiKey: null });
});

test.each([
  ['', 'no_address'],
  ['127.0.0.1:8080', null],
  ['no address', 'address'],
  ['http://', 'address'],
  ['http://user:pass@host/v1', 'address'],
  ['http://host/v1?key=1', 'address'],
  ['http://127.0.0.1:8080/v1', null],
  ['HTTP://Box:8080/v1', null],
] as const)('of the address %j the fault is %j', (address, fault) => {
  expect(aNew('openai_compatible', { address }).fault).toBe(fault);
});

test('closing loses what was typed, not what a provider came with', () => {
  expect(new ConnectionDraft(null).isTouched).toBe(false);
  const draft = aNew('ollama');
  expect(draft.isTouched).toBe(false);
  draft.address = 'http://127.0.0.1:1';
  expect(draft.isTouched).toBe(true);
});

test('a key with a space in it is a fault, and so is having chosen no provider', () => {
  expect(aNew('openai', { key: 'sk 1' }).fault).toBe('key');
  expect(new ConnectionDraft(null).fault).toBe('no_provider');
});

test('it says where messages would go', () => {
  const here = aNew('ollama');
  expect([here.isHere, here.isPlain, here.host]).toEqual([true, false, '127.0.0.1:11434']);
  const away = aNew('openai_compatible', { address: 'http://192.168.1.5:8080/v1' });
  expect([away.isHere, away.isPlain, away.host]).toEqual([false, true, '192.168.1.5:8080']);
  const safe = aNew('google');
  expect([safe.isHere, safe.isPlain]).toEqual([false, false]);
});

test('what is tested is what was written when the test began; a change since makes its finding stale', async () => {
  const draft = aNew('ollama');
  await draft.test(async () => aTest());
  expect(draft.result?.finding).toBe('ok');
  draft.name = 'Mine';
  expect(draft.result?.finding).toBe('ok');
  draft.address = 'http://127.0.0.1:1';
  expect(draft.result).toBeNull();
  expect(draft.isStale).toBe(true);
  draft.address = 'http://127.0.0.1:11434';
  expect(draft.isStale).toBe(false);

  await draft.test(async () => {
    draft.key = 'typed meanwhile';
    return aTest({ finding: 'wrong_key' });
  });
  expect(draft.result).toBeNull();
});

test('an edit sends what has changed and nothing else; the kept key stays unless told otherwise', () => {
  const draft = anEdit({ key: 'present' });
  expect(draft.changes).toEqual({});
  expect(draft.isTouched).toBe(false);
  expect(draft.trial).toEqual({ connectionId: 'connection' });
  draft.name = ' Kitchen ';
  draft.model = 'qwen3';
  expect(draft.changes).toEqual({ name: 'Kitchen' });
  expect(draft.trial).toEqual({ connectionId: 'connection', model: 'qwen3' });
  draft.dropsKey = true;
  expect(draft.changes).toEqual({ name: 'Kitchen', apiKey: null });
  draft.name = '  ';
  expect(draft.changes).toEqual({ apiKey: null });
});

test('a kept key doesn’t go to another server unless it is given anew', () => {
  const draft = anEdit({ key: 'present' }, { address: 'http://127.0.0.1:9999' });
  expect(draft.fault).toBe('key_elsewhere');
  expect(anEdit({ key: 'none' }, { address: 'http://127.0.0.1:9999' }).fault).toBeNull();
  expect(anEdit({ key: 'present' }, { address: 'http://127.0.0.1:11434/path' }).fault).toBeNull();
  draft.key = 'another';
  expect(draft.fault).toBeNull();
  expect(draft.changes).toEqual({ baseUrl: 'http://127.0.0.1:9999', apiKey: 'another' });
  draft.key = '';
  draft.dropsKey = true;
  expect(draft.fault).toBeNull();
});

test('it lacks a key only where one is needed, and none is kept', () => {
  expect(aNew('anthropic').lacksKey).toBe(true);
  expect(aNew('anthropic', { key: 'k' }).lacksKey).toBe(false);
  expect(aNew('ollama').lacksKey).toBe(false);
  expect(anEdit({ provider: 'google', key: 'present' }).lacksKey).toBe(false);
  expect(anEdit({ provider: 'google', key: 'present' }, { dropsKey: true }).lacksKey).toBe(true);
});

test('headers are sent as written; those that are kept stay unless they are changed or removed', () => {
  const made = aNew('ollama');
  expect(made.creation).not.toHaveProperty('headers');
  made.headers.add();
  Object.assign(made.headers.rows[0] ?? {}, { name: ' X-Gate ', value: 'a' });
  expect(made.creation.headers).toEqual({ 'X-Gate': 'a' });
  expect(made.trial.headers).toEqual({ 'X-Gate': 'a' });
  made.choose('openai');
  expect(made.creation).not.toHaveProperty('headers');

  const draft = anEdit({ headerNames: ['X-One', 'X-Two'], headers: 'present' });
  expect(draft.changes).toEqual({});
  draft.headers.remove(draft.headers.rows[0]?.id ?? 0);
  expect(draft.changes).toEqual({ headers: { 'X-One': null } });
  draft.address = 'http://127.0.0.1:9999';
  expect(draft.fault).toBe('secrets_elsewhere');
  Object.assign(draft.headers.rows[0] ?? {}, { value: 'b' });
  expect(draft.fault).toBeNull();
  expect(draft.changes.headers).toEqual({ 'X-One': null, 'X-Two': 'b' });
  draft.headers.add();
  Object.assign(draft.headers.rows[1] ?? {}, { name: 'x two', value: 'c' });
  expect(draft.fault).toBe('secret_name');
});

test('the time for the first word is entered in minutes, and sent in seconds', () => {
  expect(aNew('ollama').creation).not.toHaveProperty('firstWordSeconds');
  expect(aNew('ollama', { firstWordMinutes: '10' }).creation.firstWordSeconds).toBe(600);
  const draft = anEdit({ firstWordSeconds: 90 });
  expect(draft.firstWordMinutes).toBe('1.5');
  expect(draft.changes).toEqual({});
  draft.firstWordMinutes = ' 2,5 ';
  expect(draft.changes).toEqual({ firstWordSeconds: 150 });
  draft.firstWordMinutes = '';
  expect(draft.changes).toEqual({ firstWordSeconds: null });
  for (const minutes of ['0', '61', '-1', 'soon']) {
    draft.firstWordMinutes = minutes;
    expect(draft.fault).toBe('first_word');
  }
});
