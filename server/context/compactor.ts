/**
 * Folding the older part of a chat into a summary. What is folded is decided at one moment and written at another, in one
 * transaction, and only if the conversation is still the same: so nothing is ever folded by half.
 */
import type { AgentRuntime } from '../agents/turn.ts';
import type { ModelAccess } from '../models/connected.ts';
import { findChat, updateChatStructure, type StoredChat } from '../store/chat-repository.ts';
import { lastSettledSeq } from '../store/course-repository.ts';
import { createSummary, findSummary, settleFolded } from '../store/summary-repository.ts';
import type { Reader, Store, Writer } from '../store/types.ts';
import { isModelName } from '../models/names.ts';
import { readCourse, type Course, type Exchange } from './course.ts';
import { FULL_AT, TOO_FULL_AT } from './limits.ts';
import { measureChat } from './measure.ts';
import { planFold, type FoldReason } from './plan-fold.ts';
import { readingLimit } from './reading-limit.ts';
import { reckonTokens } from '../models/reckon.ts';
import { summarise, type Summary } from './summarise.ts';

/** What a compactor works with. */
export interface CompactorDeps {
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
}

/** What to fold. */
export interface FoldTask {
  chatId: string;
  reason: FoldReason;
  /** The message that waits for an answer: nothing from there on is looked at. Null: none does. */
  waiting: Waiting | null;
  /** How the chat's model is reached; null: it is built in, or can't be reached. */
  access: ModelAccess | null;
  /** Ends it at once; nothing is changed then. */
  signal: AbortSignal;
}

/** Folds what is too much. */
export interface Compactor {
  /** Whether a reply has left so little room that older messages should be folded. Built-in models have no limit. */
  isNearlyFull(chatId: string): boolean;
  /** Whether the model can't be expected to answer that message as things stand. */
  hasNoRoom(chatId: string, waiting: Waiting): boolean;
  /** Whether there is something to fold by hand. */
  canFold(reader: Reader, chatId: string): boolean;
  /** Folds; true when something was folded. Rejects when the signal fires or the store refuses. */
  fold(task: FoldTask): Promise<boolean>;
}

/** Tokens of a conversation of which only what it says is known: instructions and the tools' descriptions come on top. */
const REPLY_SHARE = 0.05;

/** A compactor for a store. */
export function createCompactor({ store, runtime, clock, newId, timeZone }: CompactorDeps): Compactor {
  async function fold({ chatId, reason, waiting, access, signal }: FoldTask): Promise<boolean> {
    const planned = store.read((reader) => plan(reader, chatId, reason, waiting));
    if (planned === null) return false;
    const { chat, course, folded, limit } = planned;
    const summary = await summarise(runtime, {
      chat,
      access,
      earlier: course.summary?.text ?? null,
      exchanges: folded,
      limit,
      now: clock().toISOString(),
      timeZone: typeof timeZone === 'string' ? timeZone : timeZone(),
      signal,
    });
    signal.throwIfAborted();
    return store.write((writer) => storeFold(writer, planned, summary, newId(), clock().toISOString()));
  }

  return {
    isNearlyFull: (chatId) =>
      store.read((reader) => {
        const chat = findChat(reader, chatId);
        if (chat === null || isModelName(chat.model)) return false;
        return (measureChat(reader, chat)?.tokens ?? 0) >= limitOf(reader, chat) * FULL_AT;
      }),
    hasNoRoom: (chatId, { seq, content }) =>
      store.read((reader) => {
        const chat = findChat(reader, chatId);
        if (chat === null || isModelName(chat.model)) return false;
        const limit = limitOf(reader, chat);
        const before = measureChat(reader, chat, { beforeSeq: seq })?.tokens ?? 0;
        return before + reckonTokens(content) + limit * REPLY_SHARE > limit * TOO_FULL_AT;
      }),
    canFold: (reader, chatId) => plan(reader, chatId, 'by_hand', null) !== null,
    fold,
  };
}

interface Plan {
  chat: StoredChat;
  course: Course;
  folded: Exchange[];
  limit: number;
}

const limitOf = (reader: Reader, { model }: StoredChat): number => readingLimit(reader, model);

/** Null: there is nothing to fold. */
function plan(reader: Reader, chatId: string, reason: FoldReason, waiting: Waiting | null): Plan | null {
  const chat = findChat(reader, chatId);
  if (chat === null) return null;
  const course = readCourse(reader, chatId, waiting === null ? {} : { beforeSeq: waiting.seq });
  const limit = limitOf(reader, chat);
  const folded = planFold(course, {
    reason,
    limit,
    waiting: waiting === null ? 0 : reckonTokens(waiting.content),
  });
  return folded.length === 0 ? null : { chat, course, folded, limit };
}

/** Writes summary and statuses; false, and nothing is changed, when the conversation is no longer what was folded. */
function storeFold(
  writer: Writer,
  { chat, course, folded }: Plan,
  { text, model }: Summary,
  id: string,
  now: string,
): boolean {
  const last = folded.at(-1)?.question;
  const stored = findChat(writer, chat.id);
  if (last === undefined || stored?.structure !== chat.structure) return false;
  const earlier = findSummary(writer, chat.id, last.seq + 1);
  if ((earlier?.id ?? null) !== (course.summary?.id ?? null)) return false;
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
  settleFolded(writer, chat.id);
  updateChatStructure(writer, chat.id, now);
  return true;
}
