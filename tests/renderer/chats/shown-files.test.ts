import { expect, test } from 'vitest';
import { pictureAt, pictureIn } from '../../../renderer/chats/shown-files.ts';

const ORIGIN = 'http://127.0.0.1:4747';
const picture = { id: 'p1', name: 'a.png', kind: 'image', mediaType: 'image/png', bytes: 9 } as const;
const table = { id: 't1', name: 'a.csv', kind: 'text', mediaType: 'text/csv', bytes: 9 } as const;
const chart = { id: 'c1', name: 'chart.png', mediaType: 'image/png', bytes: 9 };
const page = { id: 'c2', name: 'chart.svg', mediaType: 'image/svg+xml', bytes: 9 };
const step = { id: 's', tool: 'draw', status: 'done', input: {}, files: [chart, page] } as const;
const chat = {
  chatId: 'chat',
  messages: [{ attachments: [picture, table] }, {}, { steps: [{ ...step, files: [...step.files] }] }],
};
const nameAt = (address: string): string | undefined => pictureAt(address, chat, ORIGIN)?.name;

test('pictures of the chat’s messages and tools are found by the addresses that the API has for them', () => {
  expect(nameAt('/api/v1/files/p1')).toBe('a.png');
  expect(nameAt(`${ORIGIN}/api/v1/files/p1`)).toBe('a.png');
  expect(nameAt('/api/v1/chats/chat/files/c1')).toBe('chart.png');
});

test.each([
  '',
  'p1',
  'a.png',
  'api/v1/files/p1',
  '//127.0.0.1:4747/api/v1/files/p1',
  'http://evil.test/api/v1/files/p1',
  'http://127.0.0.1:4747@evil.test/api/v1/files/p1',
  'http://key@127.0.0.1:4747/api/v1/files/p1',
  '/api/v1/files/p1?key=1',
  '/api/v1/files/p1#x',
  '/api/v1/files/p1/',
  '/api/v1/files/../files/p1',
  '/api/v1/files/%70%31',
  '/api/v1/files/other',
  '/api/v1/files/t1',
  '/api/v1/chats/chat/files/c2',
  '/api/v1/chats/other/files/c1',
  '/api/v1/chats/chat',
  '/api/v1/export',
  '/api/v1/chats/chat/stop',
  'javascript:owned()',
  'data:image/png;base64,AAAA',
])('no other address leads to one: %s', (address) => {
  expect(nameAt(address)).toBeUndefined();
});

test('a chat that isn’t there yet has none', () => {
  expect(pictureAt('/api/v1/files/p1', { ...chat, chatId: null }, ORIGIN)).toBeNull();
});

test('a picture that its address holds is shown from there', async () => {
  const file = pictureIn('data:image/png;base64,aGVsbG8=');
  expect(file).toMatchObject({ name: 'picture.png', kind: 'image', bytes: 5 });
  expect(await file?.blob?.text()).toBe('hello');
});

test.each([
  'data:image/svg+xml;base64,aGVsbG8=',
  'data:text/html;base64,aGVsbG8=',
  'data:image/png,hello',
  'data:image/png;base64,a',
  'https://example.com/a.png',
])('no other address holds one: %s', (address) => {
  expect(pictureIn(address)).toBeNull();
});
