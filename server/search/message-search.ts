/**
 * Finds messages of a workspace, for searches and for the tools of a turn. Whatever the query and however much data,
 * the event loop is blocked only for a few milliseconds at a time: the index is asked and texts are scanned in parts,
 * newest first.
 */
import { contentOf } from '../store/message-text.ts';
import { listFileNames } from '../store/file-repository.ts';
import {
  findByFile,
  findContent,
  lastMessageSeq,
  matchMessages,
  scanMessages,
  type MatchedRow,
  type MessageFilter,
} from '../store/search-repository.ts';
import { createPause, findPartEnd } from '../store/pieces.ts';
import { INDEX_MESSAGES, readIndexedTo } from '../store/search-index-repository.ts';
import type { Store } from '../store/types.ts';
import type { SnippetPart } from '../../shared/api/search.ts';
import { withTimeout } from '../lib/with-timeout.ts';
import {
  normalise,
  isUnspaced,
  matchExpression,
  titleMatcher,
  wordMatcher,
  wordsWithin,
  type Term,
} from './normalise.ts';
import { rank } from './ranking.ts';
import type { SearchIndexer } from './search-indexer.ts';
import { cutSnippet, findPieces, type TextRange } from './snippet.ts';

/** A message that was found. */
export type FoundMessage = Pick<
  MatchedRow,
  'messageId' | 'chatId' | 'chatTitle' | 'role' | 'createdAt' | 'isHidden' | 'file'
> & {
  /** The part of the text around the words, or the name of the file that they are in. */
  snippet: SnippetPart[];
};

/** What to look for, and where. */
export interface MessageQuery extends MessageFilter {
  /** Finds nothing when there are none. */
  terms: readonly Term[];
  limit: number;
}

/** How many messages are ranked: the newest matches, since ranking very many would take too long. */
const MAX_CANDIDATES = 500;
/** How many messages the index is asked about at once: each that matches is looked up, since it may be another workspace's. */
const MATCHED_AT_ONCE = INDEX_MESSAGES / 8;
/** How long a search waits for the index, which is far behind only after a large import. */
const INDEX_WAIT_MS = 2_000;
/** How much is scanned at once without the index, and in all. */
const SCAN_AT_ONCE = { messages: 2_000, bytes: 512 * 1024 };
const MAX_SCANNED_MESSAGES = 200_000;
/** How many file names are scanned at once, and in all: the newest. */
const NAMES_AT_ONCE = 2_000;
const MAX_NAMES = 50_000;
/**
 * How many characters are searched at once for the words, and in all for one search: after that, snippets show the
 * beginnings of texts.
 */
const MARK_AT_ONCE = 64 * 1024;
const MAX_MARKED = 4 * 1024 * 1024;
const MAX_RANGES = 400;

const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Makes the search of a store's messages. */
export function createMessageSearch(store: Store, indexer: Pick<SearchIndexer, 'catchUp'>) {
  /** Newest first. The event loop is free between the parts of a long scan. */
  async function scan({ terms, limit, ...filter }: MessageQuery): Promise<MatchedRow[]> {
    const found: MatchedRow[] = [];
    const pieces = terms.map(({ text }) => text);
    let toSeq = store.read(lastMessageSeq);
    const end = Math.max(0, toSeq - MAX_SCANNED_MESSAGES);
    while (toSeq > end && found.length < limit) {
      const part = { toSeq, limit: limit - found.length, pieces };
      const rows = store.read((reader) => {
        const back = { where: 'seq <= ?', params: [toSeq], order: 'DESC' } as const;
        const afterSeq = Math.max(end, (findPartEnd(reader, back, SCAN_AT_ONCE) ?? 1) - 1);
        toSeq = afterSeq;
        return scanMessages(reader, { ...filter, ...part, afterSeq });
      });
      for (const row of rows) found.push(row);
      await nextTurn();
    }
    return found;
  }

  /** Messages with a file whose name holds all the words, newest first. */
  async function matchNames({ terms, limit, ...filter }: MessageQuery): Promise<MatchedRow[]> {
    const fits = titleMatcher(terms);
    const found = new Map<string, MatchedRow>();
    let below = Number.MAX_SAFE_INTEGER;
    for (let seen = 0; seen < MAX_NAMES && found.size < limit; seen += NAMES_AT_ONCE) {
      const files = store.read((reader) =>
        listFileNames(reader, { workspaceId: filter.workspaceId, below, limit: NAMES_AT_ONCE }),
      );
      for (const { messageId, name } of files) {
        if (found.has(messageId) || !fits(normalise(name))) continue;
        const wanted = { ...filter, messageId, name, terms: terms.length };
        const row = store.read((reader) => findByFile(reader, wanted));
        if (row !== null) found.set(messageId, row);
      }
      if (files.length < NAMES_AT_ONCE) break;
      below = files.at(-1)?.place ?? 0;
      await nextTurn();
    }
    return [...found.values()];
  }

  /** Newest first: the index is asked for one range of messages after another. */
  async function matchTexts({ terms, ...filter }: MessageQuery): Promise<MatchedRow[]> {
    const match = matchExpression(terms);
    const pause = createPause();
    const found: MatchedRow[] = [];
    for (let toSeq = store.read(readIndexedTo); toSeq > 0 && found.length < MAX_CANDIDATES;) {
      const afterSeq = Math.floor((toSeq - 1) / MATCHED_AT_ONCE) * MATCHED_AT_ONCE;
      const range = { match, afterSeq, toSeq, limit: MAX_CANDIDATES - found.length };
      found.push(...store.read((reader) => matchMessages(reader, { ...filter, ...range })));
      toSeq = afterSeq;
      await pause();
    }
    return found;
  }

  return {
    /** Best first; newest first in scripts without spaces between words. */
    async find(query: MessageQuery): Promise<FoundMessage[]> {
      const { terms } = query;
      if (terms.length === 0) return [];
      await withTimeout(INDEX_WAIT_MS, indexer.catchUp());
      const unspaced = terms.some(({ text }) => isUnspaced(text));
      const inTexts = unspaced ? await scan(query) : await matchTexts(query);
      const all = withNamed(inTexts, await matchNames(query));
      const fits = titleMatcher(terms);
      const rows = (unspaced ? all : rank(all, (title) => fits(normalise(title)))).slice(0, query.limit);
      const found: FoundMessage[] = [];
      let room = MAX_MARKED;
      for (const row of rows) {
        const stored = row.file === undefined ? store.read((reader) => findContent(reader, row)) : null;
        const text = row.file ?? (stored === null ? '' : contentOf(stored));
        if (text.length > MARK_AT_ONCE) await nextTurn();
        const ranges = unspaced
          ? findPieces(
              text.slice(0, room),
              terms.map(({ text: piece }) => piece),
            )
          : await findWords(text, terms, room);
        room = Math.max(0, room - text.length);
        const { messageId, chatId, chatTitle, role, createdAt, isHidden, file } = row;
        found.push({
          messageId,
          chatId,
          chatTitle,
          role,
          createdAt,
          isHidden,
          ...(file !== undefined && { file }),
          snippet: cutSnippet(text, ranges),
        });
      }
      return found;
    },
  };
}

/** Both, each message once, newest first. A match in the text wins over one in a file name. */
function withNamed(inTexts: readonly MatchedRow[], named: readonly MatchedRow[]): MatchedRow[] {
  if (named.length === 0) return [...inTexts];
  const rows = new Map([...named, ...inTexts].map((row) => [row.seq, row]));
  return [...rows.values()].sort((one, other) => other.seq - one.seq);
}

/** Where the terms' words are, within `room` characters: in the first part of the text that contains all of them. */
async function findWords(text: string, terms: readonly Term[], room: number): Promise<TextRange[]> {
  const isWanted = wordMatcher(terms);
  const missing = new Set(terms.flatMap(({ normalised }) => normalised));
  const ranges: TextRange[] = [];
  let next = MARK_AT_ONCE;
  for (const { word, start } of wordsWithin(text.slice(0, room))) {
    if (start > next) {
      if (missing.size === 0) break;
      next = start + MARK_AT_ONCE;
      await nextTurn();
    }
    const normalised = normalise(word);
    if (!isWanted(normalised)) continue;
    missing.delete(normalised);
    if (ranges.push({ start, end: start + word.length }) === MAX_RANGES) break;
  }
  return ranges;
}
