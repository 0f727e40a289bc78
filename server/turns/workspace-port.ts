import { queryTerms } from '../search/normalise.ts';
import { createMessageSearch } from '../search/message-search.ts';
import type { SearchIndexer } from '../search/search-indexer.ts';
import { createNote, deleteNote, listNotes, toNote } from '../store/note-repository.ts';
import { beginToolCall } from '../store/tool-call-repository.ts';
import type { Writer } from '../store/types.ts';
import { ToolError, type Note, type WorkspacePort } from '../tools/tool.ts';
import { subjectWords } from '../tools/words.ts';
import { TURN_OVER, type TurnScope } from './make-call.ts';

/** The store as the tools of a turn may see it. */
export interface WorkspacePortDeps extends TurnScope {
  search: Pick<SearchIndexer, 'catchUp'>;
  /** The `seq` of the message that the turn answers: from there on nothing of its chat is found. */
  fromSeq: number;
}

/** The store as the tools of one turn see it. */
export function createWorkspacePort(deps: WorkspacePortDeps): WorkspacePort {
  const { store, workspaceId, replyId, newId } = deps;
  const messageSearch = createMessageSearch(store, deps.search);
  const now = (): string => deps.clock().toISOString();

  /** Changes the workspace, and records in the same transaction that the turn has done so. */
  const change = <T>(tool: 'remember_note' | 'forget_note', work: (writer: Writer) => T): Promise<T> =>
    store.write((writer) => {
      const call = { id: newId(), chatId: deps.chatId, replyId, tool, input: 'null', createdAt: now() };
      if (!beginToolCall(writer, { ...call, state: 'done' })) throw new ToolError(TURN_OVER);
      return work(writer);
    });

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
      change('remember_note', (writer) => {
        const note: Note = { id: newId(), text, createdAt: now() };
        createNote(writer, { ...note, workspaceId });
        return note;
      }),
    async findNotes(query, limit) {
      const notes = store.read((reader) => listNotes(reader, workspaceId));
      const found = query === null ? notes : rankNotes(notes, query);
      return found.slice(0, limit).map(toNote);
    },
    deleteNote: (id) => change('forget_note', (writer) => deleteNote(writer, workspaceId, id)),
  };
}

/**
 * The notes that contain any of the query's words, best matches first, otherwise in the given order. Words that say nothing
 * about a note only count if the query has no others.
 */
export function rankNotes<T extends { text: string }>(notes: T[], query: string): T[] {
  const wordsOf = subjectWords(query).length > 0 ? subjectWords : allWords;
  const wanted = wordsOf(query);
  return notes
    .map((note) => {
      const words = new Set(wordsOf(note.text));
      return { note, hits: wanted.filter((word) => words.has(word)).length };
    })
    .filter(({ hits }) => hits > 0)
    .sort((one, other) => other.hits - one.hits)
    .map(({ note }) => note);
}

const allWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
