import { expect, test } from 'vitest';
import { ServiceConnection } from '../../../renderer/api/connection.svelte.ts';
import { ApiProblem, ConnectionProblem } from '../../../renderer/api/problem.ts';
import { Uploads } from '../../../renderer/chats/uploads.svelte.ts';
import { words } from '../../../renderer/lib/words/index.ts';
import { MAX_ATTACHMENT_BYTES, MAX_MESSAGE_ATTACHMENTS } from '../../../shared/limits.ts';
import { eventually } from '../../support/eventually.ts';
import { aFile } from '../support/conversations.ts';

const file = (name: string, text = 'some text'): File => new File([text], name);

/** A window over a service that takes every file, or does with the next ones what `outcomes` says. */
function openWindow() {
  const connection = new ServiceConnection();
  const asked: string[] = [];
  const outcomes: (Error | Promise<unknown>)[] = [];
  const said: string[] = [];
  const taken: string[] = [];
  const api = {
    open: async (path: string, init: RequestInit = {}) => {
      const name = new URLSearchParams(path.split('?')[1]).get('name') ?? '';
      asked.push(name);
      const outcome = outcomes.shift();
      if (outcome instanceof ConnectionProblem) connection.lost();
      if (outcome instanceof Error) throw outcome;
      await new Promise((resolve, reject) => {
        void Promise.resolve(outcome).then(resolve);
        init.signal?.addEventListener('abort', () => reject(new ConnectionProblem('Aborted.')));
      });
      return Response.json({ file: aFile(name) }, { status: 201 });
    },
  };
  const uploads = new Uploads({ api, connection, toasts: { show: ({ text }) => said.push(text) } });
  const add = (owner: string, files: File[], count = 0): void =>
    uploads.add(owner, files, count, (by, { id }) => taken.push(`${by} ${id}`));
  return { uploads, add, connection, asked, outcomes, said, taken };
}

test('files are sent one after the other, and belong to what was written in their order', async () => {
  const { uploads, add, outcomes, asked, taken } = openWindow();
  const first = Promise.withResolvers();
  outcomes.push(first.promise);
  add('c', [file('a'), file('b')]);
  await eventually(() => expect(asked).toEqual(['a']));
  expect(uploads.of('c').map(({ state }) => state)).toEqual(['sending', 'sending']);
  expect(uploads.of('other')).toEqual([]);
  expect(uploads.atRisk).toBe(true);
  first.resolve(undefined);
  await eventually(() => expect(taken).toEqual(['c a', 'c b']));
  expect(uploads.of('c')).toEqual([]);
  expect(uploads.atRisk).toBe(false);
});

test('one that is refused says why, can be tried again unless its kind is the reason, and the others go on', async () => {
  const { uploads, add, outcomes, taken } = openWindow();
  outcomes.push(new ApiProblem(415, 'unsupported_media_type', 'No.'));
  outcomes.push(new ApiProblem(507, 'storage_full', 'Full.'));
  add('c', [file('a.zip'), file('b'), file('c')]);
  await eventually(() => expect(taken).toEqual(['c c']));
  const [wrong, full] = uploads.of('c');
  expect(wrong).toMatchObject({ state: 'failed', problem: words.files.wrongKind, canRetry: false });
  expect(full).toMatchObject({ state: 'failed', problem: 'Full.', canRetry: true });
  uploads.retry(full?.id ?? '');
  await eventually(() => expect(taken).toEqual(['c c', 'c b']));
  uploads.drop(wrong?.id ?? '');
  expect(uploads.of('c')).toEqual([]);
});

test('what can’t be taken is told without asking the service', async () => {
  const { uploads, add, asked } = openWindow();
  const huge = Object.defineProperty(file('huge'), 'size', { value: MAX_ATTACHMENT_BYTES + 1 });
  const folder = Object.assign(file('folder'), { arrayBuffer: () => Promise.reject(new Error('A folder.')) });
  add('c', [huge, folder, file('nothing', '')]);
  await eventually(() => expect(uploads.of('c').map(({ state }) => state)).toEqual(Array(3).fill('failed')));
  expect(uploads.of('c').map(({ problem }) => problem)).toEqual([
    words.files.tooLarge('20 MB'),
    words.files.unreadable,
    words.files.empty,
  ]);
  expect(asked).toEqual([]);
});

test('while the service is away a file waits, and goes by itself once it is back', async () => {
  const { uploads, add, outcomes, connection, taken, asked } = openWindow();
  outcomes.push(new ConnectionProblem('Away.'));
  add('c', [file('a')]);
  await eventually(() => expect(uploads.of('c')[0]?.state).toBe('waiting'));
  connection.reached();
  await eventually(() => expect(taken).toEqual(['c a']));
  expect(asked).toEqual(['a', 'a']);
});

test('one that is taken off while it is sent is ended, and the next one goes', async () => {
  const { uploads, add, outcomes, taken } = openWindow();
  outcomes.push(new Promise(() => undefined));
  add('c', [file('a'), file('b')]);
  await eventually(() => expect(outcomes).toEqual([]));
  uploads.drop(uploads.of('c')[0]?.id ?? '');
  await eventually(() => expect(taken).toEqual(['c b']));
});

test('a file that was given to a new chat goes along once the chat exists', async () => {
  const { uploads, add, outcomes, taken } = openWindow();
  const sent = Promise.withResolvers();
  outcomes.push(sent.promise);
  add('new', [file('a')]);
  uploads.move('new', 'c');
  expect(uploads.of('c')).toHaveLength(1);
  sent.resolve(undefined);
  await eventually(() => expect(taken).toEqual(['c a']));
});

test('more than a message may have are left out, and that is said', async () => {
  const { add, taken, said } = openWindow();
  add('c', [file('a'), file('b'), file('c')], MAX_MESSAGE_ATTACHMENTS - 1);
  await eventually(() => expect(taken).toEqual(['c a']));
  expect(said).toEqual([words.files.leftOut(MAX_MESSAGE_ATTACHMENTS, 2)]);
});

test('of a name that is too long the end is kept, with what it says of the kind', async () => {
  const { add, asked } = openWindow();
  add('c', [file(`${'😀'.repeat(300)}.csv`)]);
  await eventually(() => expect(asked).toEqual([`${'😀'.repeat(196)}.csv`]));
});
