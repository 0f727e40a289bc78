import { listHistoryBefore, type HistoryRow } from '../store/branch-repository.ts';
import { findSummary, type StoredSummary } from '../store/summary-repository.ts';
import type { Reader } from '../store/types.ts';

/** A user message that was answered, or taken at least, and the reply to it. */
export interface HistoryExchange {
  question: HistoryRow;
  /** Null: there is none, or nothing in it. */
  reply: HistoryRow | null;
}

/** The conversation as a model gets it. */
export interface Branch {
  /** What stands for the part before the exchanges; null: there is no such part. */
  summary: StoredSummary | null;
  /** Oldest first. */
  exchanges: HistoryExchange[];
}

/** How much of a conversation is read. */
export interface BranchBounds {
  /** Only what is before this message; all of it when absent. */
  beforeSeq?: number;
  /** The newest ones that fit are read. */
  maxExchanges?: number;
  maxCharacters?: number;
}

/** Far more than any model reads; it bounds what a turn takes along to its thread. */
const MAX_EXCHANGES = 10_000;
const MAX_CHARACTERS = 8_000_000;

/**
 * The listed conversation after the summary that counts. Each message is followed by its reply, whatever order they were
 * stored in: messages that were sent in a row all stand before the replies to them. Left out: messages that wait, replies
 * with nothing in them, and messages that were stopped before anything was written, which must not be answered later.
 *
 * It may be long: run it with `readInSlices`.
 */
export function* readBranch(
  reader: Reader,
  chatId: string,
  {
    beforeSeq = Number.MAX_SAFE_INTEGER,
    maxExchanges = MAX_EXCHANGES,
    maxCharacters = MAX_CHARACTERS,
  }: BranchBounds = {},
): Generator<void, Branch> {
  const summary = findSummary(reader, chatId, beforeSeq);
  const afterSeq = summary?.uptoSeq ?? 0;
  const replies = new Map<string | null, HistoryRow>();
  const exchanges: HistoryExchange[] = [];
  let characters = 0;
  let belowSeq = Number.MAX_SAFE_INTEGER;
  while (exchanges.length < maxExchanges && characters <= maxCharacters) {
    // Replies to the messages that are read may come after `beforeSeq`, so the walk begins at the end of the chat.
    const rows = yield* listHistoryBefore(reader, chatId, { afterSeq, belowSeq, limit: 2 * maxExchanges });
    for (const row of rows) {
      if (row.role === 'assistant' && !replies.has(row.replyTo)) replies.set(row.replyTo, row);
      if (row.role !== 'user' || row.seq >= beforeSeq || exchanges.length === maxExchanges) continue;
      const reply = replies.get(row.id);
      const isEmpty = reply === undefined || (reply.content === '' && reply.steps.length === 0);
      if (isEmpty && reply?.stopReason === 'stopped') continue;
      characters += row.content.length + (reply?.content.length ?? 0);
      if (characters > maxCharacters) break;
      exchanges.push({ question: row, reply: isEmpty ? null : reply });
    }
    const last = rows.at(-1);
    if (last === undefined) break;
    belowSeq = last.seq;
    yield;
  }
  return { summary, exchanges: exchanges.reverse() };
}
