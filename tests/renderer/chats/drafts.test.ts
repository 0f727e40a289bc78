import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ApiClient } from '../../../renderer/api/client.ts';
import { ApiProblem, ConnectionProblem } from '../../../renderer/api/problem.ts';
import { keptDrafts } from '../../../renderer/chats/kept-drafts.ts';
import type { Writing } from '../../../renderer/chats/writing.ts';
import { ServiceConnection } from '../../../renderer/api/connection.svelte.ts';
import { Drafts } from '../../../renderer/chats/drafts.svelte.ts';
import { isWritingAtRisk } from '../../../renderer/lib/storage.ts';
import type { Draft } from '../../../shared/api/draft.ts';
import { useTestStorage } from '../support/browser.ts';
import { aFile } from '../support/conversations.ts';

const storage = useTestStorage();
beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const A_PAUSE_MS = 1_100;
const A_WHILE_MS = 5_000;
const text = (value: string): Writing => ({ text: value, files: [] });

/** The service, as far as drafts go: the newest counts, an empty one is forgotten and never comes back. */
class DraftServer {
  readonly kept = new Map<string, Draft>();
  readonly puts: string[] = [];
  reachable = true;
  readonly api: Pick<ApiClient, 'listDrafts' | 'putDraft'> = {
    listDrafts: async () => {
      this.#reach();
      return [...this.kept.values()].filter((draft) => draft.text !== '');
    },
    putDraft: async (chatKey, value, updatedAt) => {
      this.#reach();
      this.puts.push(value);
      return this.put({ chatKey, text: value, updatedAt });
    },
  };

  put(draft: Draft): Draft {
    const known = this.kept.get(draft.chatKey);
    if (known && known.updatedAt > draft.updatedAt) return known;
    this.kept.set(draft.chatKey, draft);
    return draft;
  }

  #reach(): void {
    if (!this.reachable) throw new ConnectionProblem('Away.');
  }
}

function openWindow(server = new DraftServer()) {
  const connection = new ServiceConnection();
  const replaced: string[] = [];
  const drafts = new Drafts('w', {
    api: server.api,
    whenOnline: () => connection.whenOnline(),
    onReplaced: (_, lost) => replaced.push(lost.text),
  });
  return { server, drafts, connection, replaced, shown: () => drafts.read('c').text };
}

const later = (byMs: number): string => new Date(Date.now() + byMs).toISOString();

test('what is typed is in the page’s storage at once and with the service after a pause', async () => {
  const { server, drafts } = openWindow();
  drafts.write('c', text('a'));
  drafts.write('c', text('ab'));
  expect(keptDrafts('w').read('c')?.text).toBe('ab');
  expect(server.puts).toEqual([]);
  await vi.advanceTimersByTimeAsync(A_PAUSE_MS);
  expect(server.puts).toEqual(['ab']);
  expect(drafts.has('c')).toBe(true);
});

test('leaving the box tells the service without a pause', async () => {
  const { server, drafts } = openWindow();
  drafts.write('c', text('a'));
  drafts.flush();
  await vi.advanceTimersByTimeAsync(0);
  expect(server.puts).toEqual(['a']);
});

test('a sent or emptied draft is gone on both sides', async () => {
  const { server, drafts } = openWindow();
  drafts.write('c', text('a'));
  await vi.advanceTimersByTimeAsync(A_PAUSE_MS);
  drafts.write('c', text(''));
  expect(drafts.has('c')).toBe(false);
  await vi.advanceTimersByTimeAsync(A_PAUSE_MS);
  expect(await server.api.listDrafts()).toEqual([]);
  expect(storage.read('draft.w.c')).toBeNull();
});

test('a draft emptied while the service was away does not come back from there', async () => {
  const { server, drafts } = openWindow();
  drafts.write('c', text('a'));
  await vi.advanceTimersByTimeAsync(A_PAUSE_MS);
  server.reachable = false;
  drafts.write('c', text(''));
  drafts.close();
  server.reachable = true;
  await vi.advanceTimersByTimeAsync(A_WHILE_MS);
  const next = openWindow(server);
  await next.drafts.refresh();
  await vi.advanceTimersByTimeAsync(0);
  expect(next.drafts.read('c').text).toBe('');
  expect(await server.api.listDrafts()).toEqual([]);
});

test('what could not be told is told when the service is back', async () => {
  const { server, drafts, connection } = openWindow();
  server.reachable = false;
  connection.lost();
  drafts.write('c', text('a'));
  await vi.advanceTimersByTimeAsync(A_PAUSE_MS);
  expect(server.puts).toEqual([]);
  server.reachable = true;
  connection.reached();
  await vi.advanceTimersByTimeAsync(A_PAUSE_MS);
  expect(server.puts).toEqual(['a']);
});

test('a fresh page takes the service’s draft', async () => {
  const server = new DraftServer();
  server.put({ chatKey: 'c', text: 'from elsewhere', updatedAt: later(-A_WHILE_MS) });
  const { drafts, shown, replaced } = openWindow(server);
  await drafts.refresh();
  expect(shown()).toBe('from elsewhere');
  expect(replaced).toEqual([]);
});

test('what was typed meanwhile stays, and the service learns it', async () => {
  const server = new DraftServer();
  server.put({ chatKey: 'c', text: 'from elsewhere', updatedAt: later(-10) });
  const { drafts, shown } = openWindow(server);
  const answer = drafts.refresh();
  drafts.write('c', text('typed'));
  await answer;
  await vi.advanceTimersByTimeAsync(A_PAUSE_MS);
  expect(shown()).toBe('typed');
  expect(server.kept.get('c')?.text).toBe('typed');
});

test('the box that is being typed in wins over a newer draft', async () => {
  const { server, drafts, shown } = openWindow();
  drafts.write('c', text('typed'));
  server.put({ chatKey: 'c', text: 'newer', updatedAt: later(50) });
  await drafts.refresh();
  await vi.advanceTimersByTimeAsync(A_PAUSE_MS);
  expect(shown()).toBe('typed');
  expect(server.kept.get('c')?.text).toBe('typed');
});

test('a draft that the service never had and that is replaced can be put back', async () => {
  const { server, drafts, replaced, shown } = openWindow();
  server.reachable = false;
  drafts.write('c', text('mine'));
  await vi.advanceTimersByTimeAsync(A_WHILE_MS);
  server.reachable = true;
  server.put({ chatKey: 'c', text: 'theirs', updatedAt: later(0) });
  await drafts.refresh();
  expect(replaced).toEqual(['mine']);
  expect(shown()).toBe('theirs');
  drafts.write('c', text('mine'));
  await vi.advanceTimersByTimeAsync(A_PAUSE_MS);
  expect(shown()).toBe('mine');
  expect(server.kept.get('c')?.text).toBe('mine');
});

test('a draft sent at another address is gone here too', async () => {
  const { server, drafts, shown } = openWindow();
  drafts.write('c', text('a'));
  await vi.advanceTimersByTimeAsync(A_WHILE_MS);
  server.put({ chatKey: 'c', text: '', updatedAt: later(0) });
  await drafts.refresh();
  expect(shown()).toBe('');
  expect(drafts.has('c')).toBe(false);
});

test('a list from before a draft was told takes nothing away', async () => {
  const { server, drafts } = openWindow();
  drafts.write('c', text('a'));
  let answer: (list: Draft[]) => void = () => undefined;
  vi.spyOn(server.api, 'listDrafts').mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
  const refreshed = drafts.refresh();
  await vi.advanceTimersByTimeAsync(A_WHILE_MS);
  answer([]);
  await refreshed;
  expect(drafts.read('c').text).toBe('a');
});

test('another window’s typing is shown here, unless this one is typed in', async () => {
  const { drafts, shown } = openWindow();
  const other = (value: string): string =>
    JSON.stringify({ text: value, files: [], updatedAt: later(0), storedAt: null });
  storage.changeElsewhere('draft.w.c', other('there'));
  expect(shown()).toBe('there');
  await vi.advanceTimersByTimeAsync(10);
  drafts.write('c', text('here'));
  await vi.advanceTimersByTimeAsync(10);
  storage.changeElsewhere('draft.w.c', other('there again'));
  expect(shown()).toBe('here');
  expect(keptDrafts('w').read('c')?.text).toBe('here');
});

test('a full storage is said while the service lacks the draft, and no longer', async () => {
  const { server, drafts } = openWindow();
  storage.fill();
  server.reachable = false;
  drafts.write('c', text('a'));
  expect(isWritingAtRisk()).toBe(true);
  server.reachable = true;
  drafts.write('c', text('ab'));
  await vi.advanceTimersByTimeAsync(A_PAUSE_MS);
  expect(server.kept.get('c')?.text).toBe('ab');
  expect(isWritingAtRisk()).toBe(false);
});

test('a refusal of the service is no loss', async () => {
  const { server, drafts } = openWindow();
  vi.spyOn(server.api, 'putDraft').mockRejectedValue(new ApiProblem(507, 'storage_full', 'Full.'));
  drafts.write('c', text('a'));
  await vi.advanceTimersByTimeAsync(A_PAUSE_MS);
  expect(keptDrafts('w').read('c')?.text).toBe('a');
  expect(drafts.read('c').text).toBe('a');
});

test('a draft moves to the chat that its message made', async () => {
  const { server, drafts } = openWindow();
  drafts.write('new', text('next'));
  drafts.move('new', 'c');
  expect([drafts.has('new'), drafts.read('c').text]).toEqual([false, 'next']);
  await vi.advanceTimersByTimeAsync(A_PAUSE_MS);
  expect((await server.api.listDrafts()).map(({ chatKey }) => chatKey)).toEqual(['c']);
});

test('another workspace opened right after typing loses nothing, not even with a full storage', async () => {
  const { server, drafts } = openWindow();
  storage.fill();
  drafts.write('c', text('typed'));
  drafts.close();
  await vi.advanceTimersByTimeAsync(0);
  expect(server.puts).toEqual(['typed']);

  const next = openWindow(server);
  expect(next.drafts.read('c').text).toBe('typed');
  await next.drafts.refresh();
  // Sent from elsewhere meanwhile: it was known to be with the service, so it is not brought back.
  server.put({ chatKey: 'c', text: '', updatedAt: later(1_000) });
  await vi.advanceTimersByTimeAsync(A_WHILE_MS);
  await next.drafts.refresh();
  expect(next.drafts.read('c').text).toBe('');
  expect(server.puts).toEqual(['typed']);
});

test('an answer that comes after the page has gone on to another life takes nothing back', async () => {
  const { server, drafts } = openWindow();
  drafts.write('c', text('first'));
  drafts.close();
  const next = openWindow(server);
  next.drafts.write('c', text('first and more'));
  await vi.advanceTimersByTimeAsync(0);
  expect(keptDrafts('w').read('c')?.text).toBe('first and more');
});

test('a file joins what is being written', () => {
  const { drafts } = openWindow();
  drafts.write('c', text('look'));
  drafts.addFile('c', aFile('a'));
  drafts.addFile('c', aFile('b'));
  expect(drafts.read('c')).toMatchObject({ text: 'look', files: [{ id: 'a' }, { id: 'b' }] });
  expect(
    keptDrafts('w')
      .read('c')
      ?.files.map(({ id }) => id),
  ).toEqual(['a', 'b']);
});

test('a draft of files alone, of which the service keeps nothing, is still there in the next page', async () => {
  const { server, drafts } = openWindow();
  drafts.addFile('c', aFile('a'));
  await vi.advanceTimersByTimeAsync(A_PAUSE_MS);
  drafts.close();
  const next = openWindow(server);
  await next.drafts.refresh();
  expect(next.drafts.has('c')).toBe(true);
  expect(next.drafts.read('c').files).toHaveLength(1);
});

test('a text that was written on elsewhere comes without taking the files away', async () => {
  const { server, drafts } = openWindow();
  drafts.write('c', { text: 'here', files: [aFile('a')] });
  await vi.advanceTimersByTimeAsync(A_WHILE_MS);
  server.put({ chatKey: 'c', text: 'there', updatedAt: later(0) });
  await drafts.refresh();
  expect(drafts.read('c')).toMatchObject({ text: 'there', files: [{ id: 'a' }] });
});
