/**
 * Finds messages of a workspace, for searches and for the tools of a turn. Whatever the query and however much data,
 * the event loop is blocked only for a few milliseconds at a time: the index is asked in parts, newest first.
 */
import { contentOf } from '../store/message-text.ts';
import { listFileNames } from '../store/file-repository.ts';
import {
  findByFile,
  findContent,
  matchMessages,
  type MatchedRow,
  type MessageFilter,
} from '../store/search-repository.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createPause } from '../store/pieces.ts';
import { readIndexedTo } from '../store/search-index-repository.ts';
import type { Store } from '../store/types.ts';
import type { SnippetPart } from '../../shared/api/search.ts';
import { definedFields } from '../lib/defined-fields.ts';
import { withTimeout } from '../lib/with-timeout.ts';
import { joinedWords, normalise, searchWords } from '../../shared/search-text.ts';
import { matchExpression, termFinder, titleMatcher, unfinishedOf, type Term } from './normalise.ts';
import { rankMatches } from './ranking.ts';
import type { SearchIndexer } from './search-indexer.ts';
import { cutSnippet, type TextRange } from './snippet.ts';

const FOUND = ['messageId', 'chatId', 'chatTitle', 'role', 'createdAt', 'isHidden', 'file'] as const;

/** A message that was found. */
export type FoundMessage = Pick<MatchedRow, (typeof FOUND)[number]> & {
  /** The part of the text around the words, or the name of the file that they are in. */
  snippet: SnippetPart[];
};

/** What to look for, and where. */
interface MessageQuery extends MessageFilter {
  /** Finds nothing when there are none. */
  terms: readonly Term[];
  limit: number;
}

/** How many messages are ranked: the newest matches, since ranking very many would take too long. */
const MAX_CANDIDATES = 500;
/** How many matches are looked up at once: they may be another workspace's. */
const MATCHED_AT_ONCE = 2_000;
/** How many matches, and how many bytes of their texts, are read for an unfinished word that the index can't look up: the newest. */
const MAX_READ = 3_000;
const MAX_READ_BYTES = 4 * 1024 * 1024;
/** How long a search waits for the index, which is far behind only after a large import. */
const INDEX_WAIT_MS = 2_000;
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

/** Makes the search of a store's messages. */
export function createMessageSearch(store: Store, indexer: Pick<SearchIndexer, 'catchUp'>) {
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
        if (found.has(messageId) || !fits(joinedWords(name))) continue;
        const wanted = { ...filter, messageId, name, terms: terms.length };
        const row = store.read((reader) => findByFile(reader, wanted));
        if (row !== null) found.set(messageId, row);
      }
      if (files.length < NAMES_AT_ONCE) break;
      below = files.at(-1)?.position ?? 0;
      await nextTurn();
    }
    return [...found.values()];
  }

  /** Newest first: the indexes are asked one after the other. */
  async function matchTexts(filter: MessageFilter, match: string, most: number): Promise<MatchedRow[]> {
    const pause = createPause();
    const found: MatchedRow[] = [];
    for (let toSeq = store.read(readIndexedTo); toSeq > 0 && found.length < most;) {
      const part = { match, toSeq, limit: MATCHED_AT_ONCE };
      const { rows, reached } = store.read((reader) => matchMessages(reader, { ...filter, ...part }));
      found.push(...rows);
      toSeq = reached - 1;
      await pause();
    }
    return found.slice(0, most);
  }

  /** What the terms match beyond that if the last is the start of what a text holds, but too short to be looked up. */
  async function matchUnfinishedTexts(query: MessageQuery): Promise<MatchedRow[]> {
    const unfinished = unfinishedOf(query.terms);
    if (unfinished === null) return [];
    const pause = createPause();
    const found: MatchedRow[] = [];
    let room = MAX_READ_BYTES;
    for (const row of await matchTexts(query, unfinished.match, MAX_READ)) {
      const stored = store.read((reader) => findContent(reader, row.seq, row.messageId));
      room -= row.bytes;
      if (room < 0 || found.length === MAX_CANDIDATES) break;
      if (stored !== null && normalise(contentOf(stored)).includes(unfinished.holds)) found.push(row);
      await pause();
    }
    return found;
  }

  return {
    /** Best first. */
    async find(query: MessageQuery): Promise<FoundMessage[]> {
      const { terms } = query;
      if (terms.length === 0) return [];
      await withTimeout(INDEX_WAIT_MS, indexer.catchUp());
      let inTexts = await matchTexts(query, matchExpression(terms), MAX_CANDIDATES);
      if (inTexts.length < query.limit) inTexts = merged(await matchUnfinishedTexts(query), inTexts);
      const all = merged(await matchNames(query), inTexts);
      const fits = titleMatcher(terms);
      const rows = rankMatches(all, (title) => fits(joinedWords(title))).slice(0, query.limit);
      const found: FoundMessage[] = [];
      let room = MAX_MARKED;
      for (const row of rows) {
        const stored =
          row.file === undefined ? store.read((reader) => findContent(reader, row.seq, row.messageId)) : null;
        const text = row.file ?? (stored === null ? '' : contentOf(stored));
        if (text.length > MARK_AT_ONCE) await nextTurn();
        const ranges = await findTerms(text, terms, room);
        room = Math.max(0, room - text.length);
        found.push({ ...definedFields(row, FOUND), snippet: cutSnippet(text, ranges) });
      }
      return found;
    },
  };
}

/** Both, each message once, newest first; as `better` has it, if both have it. */
function merged(others: readonly MatchedRow[], better: readonly MatchedRow[]): MatchedRow[] {
  if (others.length === 0) return [...better];
  const rows = new Map([...others, ...better].map((row) => [row.seq, row]));
  return [...rows.values()].sort((one, other) => other.seq - one.seq);
}

/** Where the terms are, within `room` characters: in the first part of the text that contains all of them. */
async function findTerms(text: string, terms: readonly Term[], room: number): Promise<TextRange[]> {
  const findIn = termFinder(terms, text);
  const missing = new Set(terms);
  const ranges: TextRange[] = [];
  let next = MARK_AT_ONCE;
  for (const word of searchWords(text.slice(0, room))) {
    if (word.start > next) {
      if (missing.size === 0) break;
      next = word.start + MARK_AT_ONCE;
      await nextTurn();
    }
    for (const { term, range } of findIn(word)) {
      missing.delete(term);
      ranges.push(range);
    }
    if (ranges.length >= MAX_RANGES) break;
  }
  return ranges.sort((one, other) => one.start - other.start);
}
