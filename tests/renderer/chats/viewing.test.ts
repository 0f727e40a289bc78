import { expect, test } from 'vitest';
import { fileOfMessage, fileOfStep, type ShownFile } from '../../../renderer/chats/shown-files.ts';
import { Viewing } from '../../../renderer/chats/viewing.svelte.ts';

const file = (name: string, kind: ShownFile['kind'] = 'image'): ShownFile => ({
  path: `/${name}`,
  name,
  kind,
  bytes: 1,
});

test('one goes on to the files beside, around the end, past what can’t be shown', () => {
  const viewing = new Viewing();
  const files = [file('a'), file('sound', 'other'), file('b', 'text'), file('c')];
  viewing.open(file('b', 'text'), files);
  const seen = [viewing.file?.name];
  for (const by of [1, 1, -1] as const) {
    viewing.go(by);
    seen.push(viewing.file?.name);
  }
  expect(seen).toEqual(['b', 'c', 'a', 'c']);
  expect([viewing.number, viewing.count]).toEqual([3, 3]);
});

test('a file alone is shown alone, and nothing once it is closed', () => {
  const viewing = new Viewing();
  viewing.open(file('a'));
  expect([viewing.file?.name, viewing.count]).toEqual(['a', 1]);
  viewing.close();
  expect(viewing.file).toBeUndefined();
});

test('of what tools give only pictures are drawn and texts read, whatever else they are called', () => {
  const kinds = [
    'image/png',
    'IMAGE/JPEG; q=1',
    'image/svg+xml',
    'text/html',
    'application/json',
    'application/pdf',
    'audio/wav',
    '',
  ].map((mediaType) => fileOfStep('c/1', { id: 'f', name: 'x', mediaType, bytes: 1 }).kind);
  expect(kinds).toEqual(['image', 'image', 'text', 'text', 'text', 'other', 'other', 'other']);
});

test('a file’s bytes are asked for where it belongs', () => {
  const step = { id: 'a/b', name: 'x', mediaType: 'image/png', bytes: 1 };
  expect(fileOfStep('c', step).path).toBe('/api/v1/chats/c/files/a%2Fb');
  expect(fileOfMessage({ ...step, kind: 'image' }).path).toBe('/api/v1/files/a%2Fb');
});
