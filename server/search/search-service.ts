import type { SearchHit, SearchResults } from '../../shared/api/search.ts';
import type { Chat } from '../../shared/api/chat.ts';
import { findChat, type StoredChat } from '../store/chat-repository.ts';
import { contentOf } from '../store/message-text.ts';
import {
  findContent,
  lastMessageSeq,
  listTitles,
  matchMessages,
  scanMessages,
  type MatchedRow,
} from '../store/search-repository.ts';
import type { Reader, Store } from '../store/types.ts';
import { within } from '../within.ts';
import { fold, foldedWords, isUnspaced, matchExpression, queryPieces, titleMatcher } from './fold.ts';
import { rank, readOffsets } from './ranking.ts';
import type { SearchIndexer } from './search-indexer.ts';
import { cutSnippet, findPieces, toTextRanges } from './snippet.ts';

/** What a search service works with. */
export interface SearchServiceDeps {
  store: Store;
  indexer: Pick<SearchIndexer, 'catchUp'>;
  /** A chat as clients see it. */
  toChat: (chat: StoredChat) => Chat;
}

/** Finds chats and messages of a workspace. */
export interface SearchService {
  /** Best first; nothing when `query` holds no word. `limit` counts messages. */
  search(workspaceId: string, query: string, limit: number): Promise<SearchResults>;
}

/** Chats told of by their title. */
const MAX_CHATS = 5;
const TITLES_AT_ONCE = 1_000;
/** Messages that are ranked: the newest of all that match. */
const MAX_CANDIDATES = 1_000;
/** How long a search waits for the index, which is far behind only after a large import. */
const INDEX_WAIT_MS = 2_000;
/** Messages looked through at once without the index (a few milliseconds), and in all. */
const SCAN_AT_ONCE = 5_000;
const MAX_SCANNED = 200_000;

/** Makes the search service of a store. */
export function createSearchService({ store, indexer, toChat }: SearchServiceDeps): SearchService {
  async function findMessages(workspaceId: string, pieces: string[], wanted: number): Promise<MatchedRow[]> {
    if (pieces.some(isUnspaced)) return scan(workspaceId, pieces, wanted);
    const match = matchExpression(pieces);
    const rows = store.read((reader) =>
      matchMessages(reader, { workspaceId, match, limit: Math.max(MAX_CANDIDATES, wanted) }),
    );
    return rank(rows, titleMatcher(pieces));
  }

  /** Newest first. Others get their turn between the parts of a long scan. */
  async function scan(workspaceId: string, pieces: string[], wanted: number): Promise<MatchedRow[]> {
    const found: MatchedRow[] = [];
    let toSeq = store.read(lastMessageSeq);
    const end = Math.max(0, toSeq - MAX_SCANNED);
    while (toSeq > end && found.length < wanted) {
      const afterSeq = Math.max(end, toSeq - SCAN_AT_ONCE);
      const limit = wanted - found.length;
      const range = { workspaceId, pieces, afterSeq, toSeq, limit };
      found.push(...store.read((reader) => scanMessages(reader, range)));
      toSeq = afterSeq;
      await new Promise(setImmediate);
    }
    return found;
  }

  function findChats(workspaceId: string, pieces: string[]): Chat[] {
    const fits = titleMatcher(pieces);
    const wanted = pieces.some(isUnspaced) ? pieces.map(fold) : pieces.flatMap(foldedWords);
    if (wanted.length === 0) return [];
    return store.read((reader) => {
      const ids: string[] = [];
      for (let offset = 0; ids.length < MAX_CHATS; offset += TITLES_AT_ONCE) {
        const some = listTitles(reader, { workspaceId, pieces: wanted, limit: TITLES_AT_ONCE, offset });
        for (const { id, title } of some) if (ids.length < MAX_CHATS && fits(title)) ids.push(id);
        if (some.length < TITLES_AT_ONCE) break;
      }
      return ids.flatMap((id) => {
        const chat = findChat(reader, id);
        return chat === null ? [] : [toChat(chat)];
      });
    });
  }

  return {
    async search(workspaceId, query, limit) {
      const pieces = queryPieces(query);
      if (pieces.length === 0) return { messages: [], chats: [], hasMore: false };
      await within(INDEX_WAIT_MS, indexer.catchUp());
      const rows = await findMessages(workspaceId, pieces, limit + 1);
      const messages = store.read((reader) => rows.slice(0, limit).map((row) => toHit(reader, row, pieces)));
      const chats = findChats(workspaceId, pieces);
      await store.settled();
      return { messages, chats, hasMore: rows.length > limit };
    },
  };
}

function toHit(reader: Reader, row: MatchedRow, pieces: string[]): SearchHit {
  const hit: SearchHit = {
    messageId: row.messageId,
    chatId: row.chatId,
    chatTitle: row.chatTitle,
    role: row.role,
    createdAt: row.createdAt,
    snippet: snippetOf(reader, row, pieces),
  };
  if (row.isHidden) hit.hidden = true;
  return hit;
}

function snippetOf(reader: Reader, row: MatchedRow, pieces: string[]): SearchHit['snippet'] {
  const stored = findContent(reader, row);
  if (stored === null) return [];
  const text = contentOf(stored);
  // Offsets count in the text as it is stored; where that is JSON, they say nothing about the text itself.
  const ranges =
    stored.contentJson === 1 || row.offsets === ''
      ? findPieces(text, pieces)
      : toTextRanges(text, readOffsets(row.offsets));
  return cutSnippet(text, ranges);
}
