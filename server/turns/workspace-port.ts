import type { CallJournal, TurnScope } from './call-journal.ts';
import { queryTerms } from '../search/normalise.ts';
import { createMessageSearch } from '../search/message-search.ts';
import type { SearchIndexer } from '../search/search-indexer.ts';
import { createNote, deleteNote, listNotes, toNote } from '../store/note-repository.ts';
import type { Note, WorkspacePort } from '../tools/tool.ts';

/** The store as the tools of a turn may see it. */
export interface WorkspacePortDeps extends TurnScope {
  search: Pick<SearchIndexer, 'catchUp'>;
  /** The `seq` of the message that the turn answers: from there on nothing of its chat is found. */
  fromSeq: number;
  /** The turn's journal, so that changes to the workspace happen once, even if the turn restarts. */
  journal: Pick<CallJournal, 'changeOnce'>;
}

/** Words that don't say what a note is about. */
const STOP_WORDS = new Set(
  `a about an and any are as at be by can did do does for from had has have how i i'm in is it its know me my of on or our
  remember should tell that the their there these they this those to us was we were what what's when where which who will
  with would you your`.split(/\s+/),
);

/** The store as the tools of one turn see it. */
export function createWorkspacePort(deps: WorkspacePortDeps): WorkspacePort {
  const { store, workspaceId, journal } = deps;
  const messageSearch = createMessageSearch(store, deps.search);

  return {
    async searchMessages(query, limit) {
      const except = { chatId: deps.chatId, fromSeq: deps.fromSeq };
      const terms = queryTerms(query);
      const found = await messageSearch.find({ workspaceId, terms, limit, except, listedOnly: true });
      return found.map(({ chatId, chatTitle, role, snippet, createdAt }) => ({
        chatId,
        chatTitle,
        role,
        snippet: snippet.map(({ text }) => text).join(''),
        createdAt,
      }));
    },
    addNote: (text) =>
      journal.changeOnce('add_note', { text }, (writer) => {
        const note: Note = { id: deps.newId(), text, createdAt: deps.clock().toISOString() };
        createNote(writer, { ...note, workspaceId });
        return note;
      }),
    async findNotes(query, limit) {
      const notes = store.read((reader) => listNotes(reader, workspaceId));
      const found = query === null ? notes : rankNotes(notes, query);
      return found.slice(0, limit).map(toNote);
    },
    deleteNote: (id) =>
      journal.changeOnce('delete_note', { id }, (writer) => deleteNote(writer, workspaceId, id)),
  };
}

/**
 * The notes that contain any of the query's words, best matches first, otherwise in the given order. Words that say nothing
 * about a note only count if the query has no others.
 */
export function rankNotes<T extends { text: string }>(notes: T[], query: string): T[] {
  const all = wordsOf(query);
  const telling = new Set(all.filter((word) => !STOP_WORDS.has(word)).map(stem));
  const wanted = telling.size > 0 ? telling : new Set(all.map(stem));
  return notes
    .map((note) => {
      const words = new Set(wordsOf(note.text).map(stem));
      return { note, hits: [...wanted].filter((word) => words.has(word)).length };
    })
    .filter(({ hits }) => hits > 0)
    .sort((one, other) => other.hits - one.hits)
    .map(({ note }) => note);
}

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('’', "'")
    .match(/[\p{L}\p{N}]+(?:'[\p{L}]+)*/gu) ?? [];

/** Brings "keys", "key" and "key's" together; "glass" and "bus" keep their s. */
const stem = (word: string): string => {
  const bare = word.replace(/'s?$/u, '').replace(/'s$/u, '');
  return bare.length > 3 && /[^su]s$/u.test(bare) ? bare.slice(0, -1) : bare;
};
