import type { Chat } from '../../shared/api/chat.ts';
import type { SearchResults } from '../../shared/api/search.ts';
import { countChats, findChat, type StoredChat } from '../store/chat-repository.ts';
import { listTitles } from '../store/title-repository.ts';
import type { Store } from '../store/types.ts';
import { joinedWords } from '../../shared/search-text.ts';
import { queryTerms, titleMatcher, type Term } from './normalise.ts';
import { createMessageSearch } from './message-search.ts';
import type { SearchIndexer } from './search-indexer.ts';

/** How many chats are listed for their title. */
const MAX_CHATS = 5;
const TITLES_AT_ONCE = 2_000;

/** Finds chats and messages of a workspace. */
export type SearchService = ReturnType<typeof createSearchService>;

/** Makes the search service of a store. */
export function createSearchService({
  store,
  indexer,
  toChat,
}: {
  store: Store;
  indexer: Pick<SearchIndexer, 'catchUp'>;
  /** A chat as clients see it. */
  toChat: (chat: StoredChat) => Chat;
}) {
  const messageSearch = createMessageSearch(store, indexer);

  async function findChats(workspaceId: string, terms: readonly Term[]): Promise<Chat[]> {
    const fits = titleMatcher(terms);
    // ASCII signs are words in their wide form, which titles don't have; `fits` looks for them, and for other spellings.
    const plain = terms.flatMap(({ words, others }) => (others.length === 0 ? words : []));
    const pieces = plain.filter((word) => !/[！-～]/.test(word));
    // A chat that changes meanwhile moves to the front, so another may be seen twice.
    const ids = new Set<string>();
    const total = store.read((reader) => countChats(reader, { workspaceId, archived: 'with' }));
    for (let offset = 0; offset < total && ids.size < MAX_CHATS; offset += TITLES_AT_ONCE) {
      const query = { workspaceId, pieces, offset, limit: TITLES_AT_ONCE };
      for (const { id, title, words } of store.read((reader) => listTitles(reader, query)))
        if (fits(words ?? joinedWords(title))) ids.add(id);
      await new Promise(setImmediate);
    }
    const chats = store.read((reader) => [...ids].slice(0, MAX_CHATS).map((id) => findChat(reader, id)));
    return chats.flatMap((chat) => (chat === null ? [] : [toChat(chat)]));
  }

  return {
    /** Best first; nothing when `query` holds no word. `limit` counts messages. */
    async search(workspaceId: string, query: string, limit: number): Promise<SearchResults> {
      const terms = queryTerms(query);
      if (terms.length === 0) return { messages: [], chats: [], hasMore: false };
      const found = await messageSearch.find({ workspaceId, terms, limit: limit + 1 });
      const chats = await findChats(workspaceId, terms);
      await store.settled();
      const messages = found
        .slice(0, limit)
        .map(({ isHidden, ...hit }) => ({ ...hit, ...(isHidden ? { hidden: true as const } : {}) }));
      return { messages, chats, hasMore: found.length > limit };
    },
  };
}
