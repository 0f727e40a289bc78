import { expect, test } from 'vitest';
import { RemotePictures } from '../../../renderer/chats/remote-pictures.svelte.ts';
import { isOtherOrigin } from '../../../renderer/markdown/markdown.ts';

const ORIGIN = 'http://127.0.0.1:4747';

test('a picture is fetched when it is asked for, and the thirty that were asked for last are kept', async () => {
  const asked: string[] = [];
  const open = async (path: string): Promise<Response> => {
    asked.push(path);
    return new Response('picture', {
      headers: { 'content-disposition': "attachment; filename*=UTF-8''cat.png" },
    });
  };
  const pictures = new RemotePictures({ open }, async () => ({ width: 4, height: 3 }));
  const address = 'https://example.com/a b?c=1&d=2';
  expect(pictures.find(address)).toBeUndefined();
  expect(asked).toEqual([]);
  await pictures.show(address);
  expect(asked).toEqual(['/api/v1/pictures?url=https%3A%2F%2Fexample.com%2Fa%20b%3Fc%3D1%26d%3D2']);
  expect(pictures.find(address)).toMatchObject({ name: 'cat.png', kind: 'image', bytes: 7, width: 4 });
  expect(await pictures.find(address)?.blob?.text()).toBe('picture');
  for (let number = 1; number <= 30; number += 1) await pictures.show(`https://example.com/${number}`);
  expect(pictures.find(address)).toBeUndefined();
  expect(pictures.find('https://example.com/1')).toBeDefined();
});

test('one that turns out to be none is not kept', async () => {
  const open = async (): Promise<Response> => new Response('none');
  const pictures = new RemotePictures({ open }, () => Promise.reject(new Error('No picture.')));
  await expect(pictures.show('https://example.com/')).rejects.toThrow('No picture.');
  expect(pictures.find('https://example.com/')).toBeUndefined();
});

test.each([
  ['https://example.com/a.png', true],
  ['http://example.com', true],
  [`${ORIGIN}/api/v1/files/x`, false],
  ['/api/v1/files/x', false],
  ['//example.com/a.png', false],
  ['data:image/png;base64,aaaa', false],
  ['javascript:alert(1)', false],
  ['sandbox:/mnt/data/chart.png', false],
])('whether %s is at another server', (address, expected) => {
  expect(isOtherOrigin(address, ORIGIN)).toBe(expected);
});
