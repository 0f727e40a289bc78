/**
 * Summarising the older part of a chat into a summary. What is summarised is decided at one moment and written at another, in one
 * transaction, and only if the conversation is still the same: so nothing is ever summarised by half.
 */
import type { Attachment } from '../../shared/api/attachment.ts';
import type { AgentRuntime } from './turn.ts';
import type { ModelAccess } from '../connections/model-access.ts';
import { findChat, updateChatStructure, type StoredChat } from '../store/chat-repository.ts';
import { lastSettledSeq } from '../store/branch-repository.ts';
import { createSummary, findSummary, settleCompacted } from '../store/summary-repository.ts';
import type { Reader, Store, Writer } from '../store/types.ts';
import { isModelName } from '../connections/model-names.ts';
import { readBranch, type Branch, type Exchange } from './branch.ts';
import { filesShare, FULL_AT, TOO_FULL_AT } from './limits.ts';
import { measureChat } from './measure.ts';
import { planSummary, type SummaryReason } from './plan-summary.ts';
import { readingLimit } from './reading-limit.ts';
import { reckonFile } from '../../shared/reckon-tokens.ts';
import { reckonTokens } from '../models/reckon.ts';
import { writeSummary, type Summary } from './write-summary.ts';

/** What a summariser works with. */
export interface SummariserDeps {
  store: Store;
  runtime: AgentRuntime;
  clock: () => Date;
  newId: () => string;
  timeZone: string | (() => string);
}

/** A message that is to be answered next. */
interface Waiting {
  seq: number;
  content: string;
  attachments: readonly Attachment[] | null;
}

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

/** Summarises what is too much. */
export interface Summariser {
  /** Whether a reply has left so little room that older messages should be summarised. Built-in models have no limit. */
  isNearlyFull(chatId: string): boolean;
  /** Whether the model can't be expected to answer that message as things stand. */
  hasNoRoom(chatId: string, waiting: Waiting): boolean;
  /** Whether there is something to summarise by hand. */
  canSummarise(reader: Reader, chatId: string): boolean;
  /** Summarises; true when something was summarised. Rejects when the signal fires or the store refuses. */
  summarise(task: SummaryTask): Promise<boolean>;
}

/** Tokens of a conversation of which only what it says is known: instructions and the tools' descriptions come on top. */
const REPLY_SHARE = 0.05;

/** A summariser for a store. */
export function createSummariser({ store, runtime, clock, newId, timeZone }: SummariserDeps): Summariser {
  async function summarise({ chatId, reason, waiting, access, signal }: SummaryTask): Promise<boolean> {
    const planned = store.read((reader) => plan(reader, chatId, reason, waiting));
    if (planned === null) return false;
    const { chat, branch, summarised, limit } = planned;
    const summary = await writeSummary(runtime, {
      chat,
      access,
      earlier: branch.summary?.text ?? null,
      exchanges: summarised,
      limit,
      now: clock().toISOString(),
      timeZone: typeof timeZone === 'string' ? timeZone : timeZone(),
      signal,
    });
    signal.throwIfAborted();
    return store.write((writer) => storeSummary(writer, planned, summary, newId(), clock().toISOString()));
  }

  return {
    isNearlyFull: (chatId) =>
      store.read((reader) => {
        const chat = findChat(reader, chatId);
        if (chat === null || isModelName(chat.model)) return false;
        return (measureChat(reader, chat)?.tokens ?? 0) >= limitOf(reader, chat) * FULL_AT;
      }),
    hasNoRoom: (chatId, waiting) =>
      store.read((reader) => {
        const chat = findChat(reader, chatId);
        if (chat === null || isModelName(chat.model)) return false;
        const limit = limitOf(reader, chat);
        const before = measureChat(reader, chat, { beforeSeq: waiting.seq })?.tokens ?? 0;
        return before + reckonWaiting(waiting, limit) + limit * REPLY_SHARE > limit * TOO_FULL_AT;
      }),
    canSummarise: (reader, chatId) => plan(reader, chatId, 'by_hand', null) !== null,
    summarise,
  };
}

/** About how many tokens a message to answer is: where there is not room for all of its files, they are cut. */
function reckonWaiting({ content, attachments }: Waiting, limit: number): number {
  const files = (attachments ?? []).reduce((sum, file) => sum + reckonFile(file), 0);
  return reckonTokens(content) + Math.min(files, filesShare(limit));
}

interface Plan {
  chat: StoredChat;
  branch: Branch;
  summarised: Exchange[];
  limit: number;
}

const limitOf = (reader: Reader, { model }: StoredChat): number => readingLimit(reader, model);

/** Null: there is nothing to summarise. */
function plan(reader: Reader, chatId: string, reason: SummaryReason, waiting: Waiting | null): Plan | null {
  const chat = findChat(reader, chatId);
  if (chat === null) return null;
  const branch = readBranch(reader, chatId, waiting === null ? {} : { beforeSeq: waiting.seq });
  const limit = limitOf(reader, chat);
  const summarised = planSummary(branch, {
    reason,
    limit,
    waiting: waiting === null ? 0 : reckonWaiting(waiting, limit),
  });
  return summarised.length === 0 ? null : { chat, branch, summarised, limit };
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
  settleCompacted(writer, chat.id);
  updateChatStructure(writer, chat.id, now);
  return true;
}
