/**
 * Summarising the older part of a chat into a summary. What is summarised is decided at one moment and written at another, in one
 * transaction, and only if the conversation is still the same: so nothing is ever summarised by half.
 */
import { readingLimit } from '../connections/known-models.ts';
import type { Attachment } from '../../shared/api/attachment.ts';
import type { ModelAccess } from '../connections/model-access.ts';
import { findChat, updateChatStructure, type StoredChat } from '../store/chat-repository.ts';
import { lastSettledSeq } from '../store/branch-repository.ts';
import { createSummary, findSummary } from '../store/summary-repository.ts';
import type { Reader, Writer } from '../store/types.ts';
import { isModelName } from '../connections/model-names.ts';
import { readInSlices } from '../store/pieces.ts';
import { readBranch, type Branch, type HistoryExchange } from './branch.ts';
import { filesShare } from './limits.ts';
import { measureChat, estimateExchanges } from './measure.ts';
import type { NamingDeps } from './name-chat.ts';
import { estimateFile } from '../../shared/estimate-tokens.ts';
import { estimateTokens } from '../models/estimate.ts';
import { writeSummary, type Summary } from './write-summary.ts';

/** What summarising works with. */
export interface SummariserDeps extends NamingDeps {
  newId: () => string;
}

/** A message that is to be answered next. */
interface Waiting {
  seq: number;
  content: string;
  attachments: readonly Attachment[] | null;
}

/**
 * Why a chat is summarised. `by_hand`: a person wants it. `nearly_full`: after a reply. `no_room`: the next message would not fit.
 * `refused`: the model said that it is too long.
 */
export type SummaryReason = 'by_hand' | 'nearly_full' | 'no_room' | 'refused';

/** What to summarise. */
export interface SummaryTask {
  chatId: string;
  reason: SummaryReason;
  /** The message that waits for an answer: nothing from there on is looked at. Null: none does. */
  waiting: Waiting | null;
  /** How the chat's model is reached; null: it is built in, or can't be reached. */
  access: ModelAccess | null;
  /** Ends it at once; nothing is changed then. */
  signal: AbortSignal;
}

/** After a reply: from this share of the limit on, older messages are summarised. */
const FULL_AT = 0.8;
/** Before a turn: above this share there is no room for a good reply any more. */
const TOO_FULL_AT = 0.9;
/** The newest exchanges that are kept may take up this share. */
const KEPT_SHARE = 0.4;
/** So many exchanges are kept at least, where they fit. */
const KEPT_EXCHANGES = 2;
/** After a reply: less than this share is not worth a request to the model. */
const WORTH_SUMMARISING_SHARE = 0.1;
/** Tokens of a conversation of which only what it says is known: instructions and the tools' descriptions come on top. */
const REPLY_SHARE = 0.05;

/** Whether a reply has left so little room that older messages should be summarised. Built-in models have no limit. */
export function* isNearlyFull(reader: Reader, chatId: string): Generator<void, boolean> {
  const chat = findChat(reader, chatId);
  if (chat === null || isModelName(chat.model)) return false;
  const measured = yield* measureChat(reader, chat);
  return (measured?.tokens ?? 0) >= limitOf(reader, chat) * FULL_AT;
}

/** Whether the model can't be expected to answer that message as things stand. */
export function* hasNoRoom(reader: Reader, chatId: string, waiting: Waiting): Generator<void, boolean> {
  const chat = findChat(reader, chatId);
  if (chat === null || isModelName(chat.model)) return false;
  const limit = limitOf(reader, chat);
  const measured = yield* measureChat(reader, chat, { beforeSeq: waiting.seq });
  const before = measured?.tokens ?? 0;
  return before + estimateWaiting(waiting, limit) + limit * REPLY_SHARE > limit * TOO_FULL_AT;
}

/** Whether there is something to summarise by hand. */
export function* canSummarise(reader: Reader, chatId: string): Generator<void, boolean> {
  return (yield* plan(reader, chatId, 'by_hand', null)) !== null;
}

/** Summarises; true when something was summarised. Rejects when the signal fires or the store refuses. */
export async function summarise(
  { store, runtime, clock, newId, timeZone }: SummariserDeps,
  { chatId, reason, waiting, access, signal }: SummaryTask,
): Promise<boolean> {
  const planned = await readInSlices(store, (reader) => plan(reader, chatId, reason, waiting));
  signal.throwIfAborted();
  if (planned === null) return false;
  const { chat, branch, summarised, limit } = planned;
  const summary = await writeSummary(runtime, {
    chat,
    access,
    earlier: branch.summary?.text ?? null,
    exchanges: summarised,
    limit,
    now: clock().toISOString(),
    timeZone: timeZone(),
    signal,
  });
  signal.throwIfAborted();
  return store.write((writer) => storeSummary(writer, planned, summary, newId(), clock().toISOString()));
}

/** About how many tokens a message to answer is: where there is not room for all of its files, they are cut. */
function estimateWaiting({ content, attachments }: Waiting, limit: number): number {
  const files = (attachments ?? []).reduce((sum, file) => sum + estimateFile(file), 0);
  return estimateTokens(content) + Math.min(files, filesShare(limit));
}

interface Plan {
  chat: StoredChat;
  branch: Branch;
  summarised: HistoryExchange[];
  limit: number;
}

const limitOf = (reader: Reader, { model }: StoredChat): number => readingLimit(reader, model);

/** Null: there is nothing to summarise. */
function* plan(
  reader: Reader,
  chatId: string,
  reason: SummaryReason,
  waiting: Waiting | null,
): Generator<void, Plan | null> {
  const chat = findChat(reader, chatId);
  if (chat === null) return null;
  const branch = yield* readBranch(reader, chatId, waiting === null ? {} : { beforeSeq: waiting.seq });
  const limit = limitOf(reader, chat);
  const summarised = yield* planSummary(branch, {
    reason,
    limit,
    waiting: waiting === null ? 0 : estimateWaiting(waiting, limit),
  });
  return summarised.length === 0 ? null : { chat, branch, summarised, limit };
}

/** What the plan goes by. */
export interface PlanRequest {
  reason: SummaryReason;
  /** Tokens the model reads. */
  limit: number;
  /** Tokens of the message that waits for an answer; 0: none does. */
  waiting: number;
}

/** The oldest exchanges, which are to be summarised; the others are kept. Empty: there is nothing to summarise. */
export function* planSummary(
  { exchanges }: Pick<Branch, 'exchanges'>,
  { reason, limit, waiting }: PlanRequest,
): Generator<void, HistoryExchange[]> {
  const sizes = yield* estimateExchanges(exchanges, limit);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const half = total / 2;
  const share = limit * KEPT_SHARE;
  // By hand also a short conversation is summarised; and a limit that was refused can't be right.
  const room = reason === 'by_hand' ? Math.min(share, half) : reason === 'refused' ? half / 2 : share;
  const most = reason === 'refused' ? half : limit * TOO_FULL_AT;
  let kept = 0;
  let size = waiting;
  for (const next of sizes.toReversed()) {
    const isWanted = size - waiting + next <= room || (kept < KEPT_EXCHANGES && size + next <= most);
    const isLeast = reason === 'by_hand' && kept < KEPT_EXCHANGES;
    if (!isWanted && !isLeast) break;
    size += next;
    kept += 1;
  }
  const summarised = exchanges.slice(0, exchanges.length - kept);
  const olderTokens = total - (size - waiting);
  return reason === 'nearly_full' && olderTokens < limit * WORTH_SUMMARISING_SHARE ? [] : summarised;
}

/** Writes summary and statuses; false, and nothing is changed, when the conversation is no longer what was summarised. */
function storeSummary(
  writer: Writer,
  { chat, branch, summarised }: Plan,
  { text, model }: Summary,
  id: string,
  now: string,
): boolean {
  const last = summarised.at(-1)?.question;
  const stored = findChat(writer, chat.id);
  if (last === undefined || stored?.structure !== chat.structure) return false;
  const earlier = findSummary(writer, chat.id, last.seq + 1);
  if ((earlier?.id ?? null) !== (branch.summary?.id ?? null)) return false;
  createSummary(writer, {
    id,
    chatId: chat.id,
    uptoSeq: last.seq,
    uptoId: last.id,
    madeAtSeq: lastSettledSeq(writer, chat.id),
    text,
    model,
    createdAt: now,
  });
  updateChatStructure(writer, chat.id, now);
  return true;
}
