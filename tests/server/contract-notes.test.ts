import { describe, expect, it } from 'vitest';
import type { Note, NoteAnswer, NoteList } from '../../shared/api/note.ts';
import { MAX_NOTE_CHARACTERS } from '../../shared/limits.ts';
import {
  createTempDir,
  keyElsewhere,
  outcome,
  startSharedService,
  startTestService,
  type TestAnswer,
} from '../support/service.ts';

type Shared = Awaited<ReturnType<typeof startSharedService>>;
type Client = Pick<Shared, 'request' | 'get' | 'post'>;

const api = await startSharedService();

const add = (text: unknown, client: Client = api): Promise<TestAnswer> =>
  client.post('/api/v1/notes', { text });
const added = async (text: string, client: Client = api): Promise<Note> => {
  const answer = await add(text, client);
  expect(answer.status, answer.text).toBe(200);
  return answer.json<NoteAnswer>().note;
};
const list = async (client: Client = api): Promise<Note[]> =>
  (await client.get('/api/v1/notes')).json<NoteList>().notes;
const change = (id: string, text: unknown): Promise<TestAnswer> =>
  api.request({ method: 'PATCH', path: `/api/v1/notes/${id}`, json: { text } });
const remove = (id: string): Promise<TestAnswer> =>
  api.request({ method: 'DELETE', path: `/api/v1/notes/${id}` });

describe('notes', () => {
  it('are kept over restarts, newest first, without the white space around them', async () => {
    const dataDir = await createTempDir();
    const first = await startTestService({ dataDir });
    const one = await added('  the first\nof two  ', first);
    const two = await added('the second', first);
    expect(one.text).toBe('the first\nof two');
    await first.service.close();
    const second = await startTestService({ dataDir });
    expect((await list(second)).map(({ id }) => id).toSorted()).toEqual([one.id, two.id].toSorted());
    expect(await list(second)).toContainEqual(two);
  });

  it('are what the assistant remembers, and what it finds', async () => {
    const chat = await api.createChat();
    await api.send(chat.id, 'Remember that the spare key is with Anna');
    await api.settled(chat.id);
    expect((await list()).map(({ text }) => text)).toContain('the spare key is with Anna');
    await added('the torch is in the garage');
    await api.send(chat.id, 'Where is the torch?');
    await api.settled(chat.id);
    expect((await api.messages(chat.id)).at(-1)?.content).toContain('garage');
  });

  it('can be changed, and forgotten for good', async () => {
    const note = await added('the boiler was serviced in May');
    const changed = (await change(note.id, ' the boiler was serviced in June ')).json<NoteAnswer>().note;
    expect(changed).toEqual({ ...note, text: 'the boiler was serviced in June' });
    expect(await list()).toContainEqual(changed);
    expect((await remove(note.id)).json<NoteAnswer>().note).toEqual(changed);
    expect(await list()).not.toContainEqual(changed);
    expect(outcome(await remove(note.id))).toEqual([404, 'note_not_found']);
    expect(outcome(await change(note.id, 'again'))).toEqual([404, 'note_not_found']);
  });

  it('are not kept twice', async () => {
    const note = await added('Bins go out on Tuesday');
    expect(await added('bins go out on tuesday ')).toEqual(note);
    expect((await list()).filter(({ id }) => id === note.id)).toHaveLength(1);
  });

  it('must say something, and not too much', async () => {
    for (const text of ['', ' \n ', 'x'.repeat(MAX_NOTE_CHARACTERS + 1), 7, null, undefined]) {
      expect(outcome(await add(text))).toEqual([400, 'invalid_request']);
    }
    expect((await add('x'.repeat(MAX_NOTE_CHARACTERS + 1))).error().message).toContain('4,000');
    const { id } = await added('é'.repeat(MAX_NOTE_CHARACTERS));
    expect(outcome(await change(id, ''))).toEqual([400, 'invalid_request']);
  });

  it('are those of one workspace', async () => {
    const own = await added('only here');
    const key = await keyElsewhere(api);
    expect((await api.get('/api/v1/notes', { key })).json()).toEqual({ notes: [] });
    const foreign = await api.request({ method: 'DELETE', path: `/api/v1/notes/${own.id}`, key });
    expect(outcome(foreign)).toEqual([404, 'note_not_found']);
    expect(await list()).toContainEqual(own);
  });
});
