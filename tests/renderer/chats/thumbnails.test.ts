import { expect, test } from 'vitest';
import { ApiProblem, ConnectionProblem } from '../../../renderer/api/problem.ts';
import { Thumbnails } from '../../../renderer/chats/thumbnails.ts';
import type { ShownFile } from '../../../renderer/chats/shown-files.ts';
import { eventually } from '../../support/eventually.ts';

const LARGE_BYTES = 5_000_000;
const picture = (name: string, changes: Partial<ShownFile> = {}): ShownFile => ({
  path: `/${name}`,
  name,
  kind: 'image',
  bytes: LARGE_BYTES,
  ...changes,
});

/** A service with pictures, each of which holds its path, and says with `outcomes` what the next requests come to. */
function openPage() {
  const asked: string[] = [];
  const outcomes: (Error | Promise<undefined>)[] = [];
  const api = {
    open: async (path: string) => {
      asked.push(path);
      const outcome = outcomes.shift();
      if (outcome instanceof Error) throw outcome;
      await outcome;
      return new Response(path);
    },
  };
  const shrink = async (blob: Blob): Promise<Blob> => new Blob([`small ${await blob.text()}`]);
  return { asked, outcomes, api, thumbnails: new Thumbnails(api, shrink) };
}
const textOf = async (blob: Promise<Blob | null>): Promise<string | undefined> => (await blob)?.text();

test('a large picture is made small once, however often it is shown', async () => {
  const { asked, thumbnails } = openPage();
  expect(await textOf(thumbnails.find(picture('a')))).toBe('small /a');
  expect(await textOf(thumbnails.find(picture('a')))).toBe('small /a');
  expect(asked).toEqual(['/a']);
});

test('a small one stays as it is', async () => {
  const { thumbnails } = openPage();
  expect(await textOf(thumbnails.find(picture('a', { bytes: 2_000 })))).toBe('/a');
});

test('one of few bytes that would take much memory is made small', async () => {
  const { thumbnails } = openPage();
  const plain = picture('a', { bytes: 2_000, width: 4_000, height: 3_000 });
  expect(await textOf(thumbnails.find(plain))).toBe('small /a');
});

test('what no picture can be made of isn’t asked for again', async () => {
  const { asked, outcomes, api } = openPage();
  const broken = new Thumbnails(api, () => Promise.reject(new Error('No picture.')));
  expect(await broken.find(picture('a'))).toBeNull();
  outcomes.push(new ApiProblem(404, 'not_found', 'Gone.'));
  expect(await broken.find(picture('b'))).toBeNull();
  expect(await broken.find(picture('a'))).toBeNull();
  expect(await broken.find(picture('b'))).toBeNull();
  expect(asked).toEqual(['/a', '/b']);
});

test('one that a lost connection kept away is there once asked for again', async () => {
  const { outcomes, thumbnails } = openPage();
  outcomes.push(new ConnectionProblem('Away.'));
  await expect(thumbnails.find(picture('a'))).rejects.toThrow(ConnectionProblem);
  expect(await textOf(thumbnails.find(picture('a')))).toBe('small /a');
});

test('a picture whose pixels would fill the memory isn’t even fetched', async () => {
  const { asked, thumbnails } = openPage();
  expect(await thumbnails.find(picture('a', { width: 50_000, height: 50_000 }))).toBeNull();
  expect(asked).toEqual([]);
});

test('of many that come into view only two are on their way, the last one goes first, and all come', async () => {
  const { asked, outcomes, thumbnails } = openPage();
  const first = Promise.withResolvers<undefined>();
  const second = Promise.withResolvers<undefined>();
  outcomes.push(first.promise, second.promise);
  const found = ['a', 'b', 'c', 'd'].map((name) => textOf(thumbnails.find(picture(name))));
  await eventually(() => expect(asked).toEqual(['/a', '/b']));
  first.resolve(undefined);
  await eventually(() => expect(asked).toEqual(['/a', '/b', '/d', '/c']));
  second.resolve(undefined);
  expect(await Promise.all(found)).toEqual(['small /a', 'small /b', 'small /c', 'small /d']);
});
