/** Notes and earlier messages, for the tools of a turn. */
import { createMessageSearch } from '../search/message-search.ts';
import { queryTerms } from '../search/normalise.ts';
import type { SearchIndexer } from '../search/search-indexer.ts';
import { createNote, deleteNote, listNotes, toNote } from '../store/note-repository.ts';
import type { Store } from '../store/types.ts';
import type { Note, WorkspacePort } from '../tools/tool.ts';

/** The store as the tools of a turn may see it. */
export interface WorkspacePortDeps {
  store: Store;
  clock: () => Date;
  newId: () => string;
  workspaceId: string;
  search: Pick<SearchIndexer, 'catchUp'>;
  /** The chat of the turn, and its message: from there on nothing of that chat is found. */
  except: { chatId: string; fromSeq: number };
}

/** The workspace of a turn, in the store. */
export function createWorkspacePort(deps: WorkspacePortDeps): WorkspacePort {
  const { store, workspaceId, newId, except } = deps;
  const messageSearch = createMessageSearch(store, deps.search);

  return {
    async searchMessages(query, limit) {
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
      store.write((writer) => {
        const note: Note = { id: newId(), text, createdAt: deps.clock().toISOString() };
        createNote(writer, { ...note, workspaceId });
        return note;
      }),
    listNotes: () => store.read((reader) => listNotes(reader, workspaceId)).map(toNote),
    deleteNote: (id) => store.write((writer) => deleteNote(writer, workspaceId, id)),
  };
}
