/** The processor's transactions. Each reads a chat's rows, asks transitions.ts, and writes the result. */
import { isUnsettled } from '../../shared/choices.ts';
import { NO_GROWTH, type Growth } from '../../shared/growth.ts';
import { OFFLINE_MODEL_NAME } from '../../shared/models.ts';
import { readForm } from '../models/offline/forms/read-form.ts';
import { findChat, touchChat, updateChatProgress, type StoredChat } from '../store/chat-repository.ts';
import {
  createMessage,
  findMessage,
  findUnfinishedReply,
  findWaitingMessage,
  hasWaitingMessage,
  listWaitingIds,
  updateFinalReply,
  updateMessageStatus,
  updateMessageToWait,
  updateReplyProgress,
  type FinalReply,
  type MessageToAnswer,
  type StoredMessage,
} from '../store/message-repository.ts';
import type { ReplySaver } from '../store/growing-reply.ts';
import { dropUnnamedFiles } from '../store/step-file-repository.ts';
import { listBegunCalls, settleToolCalls } from '../store/tool-call-repository.ts';
import type { Reader, Writer } from '../store/types.ts';
import { cutOffError, failedReply, stoppedReply, withDoubts } from './final-reply.ts';
import { nextState, type StatusEvent, type ChatState } from './transitions.ts';
import type { LiveReply } from './live-reply.ts';

/** A turn that a worker has taken: the message to answer and the reply to fill. */
export interface TakenTurn {
  chat: StoredChat;
  message: MessageToAnswer;
  replyId: string;
}

interface Loaded {
  chat: StoredChat;
  state: ChatState;
  reply: StoredMessage | null;
}

function load(reader: Reader, chatId: string): Loaded | null {
  const chat = findChat(reader, chatId);
  if (chat === null) return null;
  const reply = isUnsettled(chat.status) ? findUnfinishedReply(reader, chatId) : null;
  const state: ChatState = {
    status: chat.status,
    attempts: chat.attempts,
    // The events below only ask whether there are any.
    waiting: hasWaitingMessage(reader, chat) ? 1 : 0,
    unfinished: reply !== null,
  };
  return { chat, state, reply };
}

/** Applies an event to the chat and stores the new state; false if the event doesn't apply. */
function apply(writer: Writer, loaded: Loaded, event: StatusEvent, now: string): boolean {
  const applies = move(loaded, event, now);
  if (applies) save(writer, loaded);
  return applies;
}

const save = (writer: Writer, { chat }: Loaded): void => void updateChatProgress(writer, chat, chat.id);

/** Applies an event without storing the new state. */
function move(loaded: Loaded, event: StatusEvent, now: string): boolean {
  const next = nextState(loaded.state, event);
  if (next === null) return false;
  // Whoever ends a reply has seen it.
  const isSeen = event === 'stop' || event === 'interrupt';
  const isFinished = loaded.state.unfinished && !next.unfinished;
  const isTurnUntouched = event === 'send' || event === 'cancel';
  loaded.state = next;
  loaded.chat = {
    ...loaded.chat,
    status: next.status,
    attempts: next.attempts,
    lastProgressAt: event === 'take' ? now : isTurnUntouched ? loaded.chat.lastProgressAt : null,
    updatedAt: now,
    unread: loaded.chat.unread || (isFinished && !isSeen),
  };
  return true;
}

/** Makes a reply final. Its steps hold the results of its calls, as far as they are known. */
function finishReply(writer: Writer, reply: StoredMessage, final: FinalReply): void {
  const begun = settleToolCalls(writer, reply.id);
  dropUnnamedFiles(writer, reply.id, final.steps);
  const steps = begun.length === 0 ? final.steps : withDoubts(final.steps, begun);
  updateFinalReply(writer, reply, { ...final, steps });
}

/** Whether the turn is still running. */
export const isRunning = (reader: Reader, { chat, replyId }: TakenTurn): boolean =>
  findUnfinishedReply(reader, chat.id)?.id === replyId;

/** Whether the chat has something for a worker to do: `takeTurn` would find it, also if the disk lost the end of a turn. */
export function hasWork(reader: Reader, chatId: string): boolean {
  const chat = findChat(reader, chatId);
  if (chat === null || chat.status !== 'pending') return chat !== null && isUnsettled(chat.status);
  return hasWaitingMessage(reader, chat) || findUnfinishedReply(reader, chatId) !== null;
}

/**
 * Starts the chat's next turn, or restarts an unfinished one; null if there is nothing to do. A turn that began a call which
 * changes or sends something is never restarted: it fails.
 */
export function takeTurn(writer: Writer, chatId: string, replyId: string, now: string): TakenTurn | null {
  const loaded = load(writer, chatId);
  if (loaded === null) return null;
  // Left over if the disk kept the start of a turn, or its reply, but lost what followed.
  if (loaded.state.status === 'completed') apply(writer, loaded, 'follow_up_done', now);
  if (loaded.state.status === 'processing') {
    apply(writer, loaded, loaded.state.unfinished ? 'release' : 'recover', now);
  }
  if (loaded.reply !== null) {
    const begun = listBegunCalls(writer, loaded.reply.id);
    if (begun.length === 0) return retakeTurn(writer, loaded, loaded.reply, now);
    // Whether to do again what it may have done is for the person to decide.
    if (!apply(writer, loaded, 'fail', now)) return null;
    finishReply(writer, loaded.reply, failedReply(loaded.reply, cutOffError(begun)));
  }
  const message = findWaitingMessage(writer, loaded.chat);
  if (message === null || !apply(writer, loaded, 'take', now)) return null;
  updateMessageStatus(writer, message.id, 'complete');
  // For this message only: the chat keeps its model.
  loaded.chat.model = message.model ?? loaded.chat.model;
  // The message says which tool and fields, so no other model has anything to decide.
  if (readForm(message.content) !== null) loaded.chat.model = OFFLINE_MODEL_NAME;
  createReply(writer, loaded.chat, message.id, replyId, now);
  return { chat: loaded.chat, message, replyId };
}

function retakeTurn(writer: Writer, loaded: Loaded, reply: StoredMessage, now: string): TakenTurn | null {
  const message = findMessage(writer, loaded.chat.id, reply.replyTo ?? '');
  if (message === null) throw new Error(`The reply ${reply.id} answers no message of its chat.`);
  if (!apply(writer, loaded, 'take', now)) return null;
  // The chat may have another model by now; the reply says which one makes it.
  loaded.chat.model = reply.model ?? loaded.chat.model;
  updateReplyProgress(writer, reply.id, { content: '', steps: [], reasoning: '', status: 'pending' });
  return { chat: loaded.chat, message, replyId: reply.id };
}

function createReply(
  writer: Writer,
  chat: StoredChat,
  messageId: string,
  replyId: string,
  now: string,
  final?: FinalReply,
): void {
  createMessage(writer, {
    id: replyId,
    chatId: chat.id,
    workspaceId: chat.workspaceId,
    role: 'assistant',
    content: '',
    status: 'pending',
    model: chat.model,
    ...final,
    replyTo: messageId,
    createdAt: now,
  });
}

/** Saves the reply so far with the turn's saver; false if the turn is over. */
export function saveProgress(
  writer: Writer,
  turn: TakenTurn,
  save: ReplySaver,
  growth: Growth,
  now: string,
): boolean {
  if (!save(writer, growth)) return false;
  touchChat(writer, turn.chat.id, now);
  return true;
}

/**
 * Stores how a turn ended. `plan` says what to do after it, for a chat at rest; null: nothing. Null, without a change, if the turn was
 * already over.
 */
export function storeEnd<Work>(
  writer: Writer,
  turn: TakenTurn,
  final: FinalReply,
  now: string,
  plan: () => Work | null,
): { work: Work | null } | null {
  const loaded = load(writer, turn.chat.id);
  if (loaded === null || loaded.reply?.id !== turn.replyId) return null;
  if (!move(loaded, final.status === 'complete' ? 'reply' : 'fail', now)) return null;
  finishReply(writer, loaded.reply, final);
  const isAtRest = loaded.state.status === 'completed' && loaded.state.waiting === 0;
  const work = isAtRest ? plan() : null;
  if (work === null) move(loaded, 'follow_up_done', now);
  save(writer, loaded);
  return { work };
}

/** Marks the follow-up after a reply as done. */
export function finishFollowUp(writer: Writer, chatId: string, now: string): void {
  const loaded = load(writer, chatId);
  if (loaded !== null) apply(writer, loaded, 'follow_up_done', now);
}

/** Gives a turn back if it is still running: the next process starts it again, and this attempt doesn't count. */
export function releaseTurn(writer: Writer, turn: TakenTurn, now: string): void {
  const loaded = load(writer, turn.chat.id);
  if (loaded?.reply?.id === turn.replyId) apply(writer, loaded, 'release', now);
}

/**
 * Ends the running turn, and with `stop` also everything that waits; `interrupt` does nothing unless a turn runs and a message
 * waits. `live` is the reply so far, if it may be newer than the row. `waiting`: only these of the messages that wait end, too; null:
 * all. Returns the resulting chat and whether anything ended; null if there is no such chat.
 */
export function endChatTurn(
  writer: Writer,
  chatId: string,
  how: {
    event: 'stop' | 'interrupt';
    live: LiveReply | null;
    waiting: readonly string[] | null;
    newId: () => string;
    now: string;
  },
): { chat: StoredChat; isEnded: boolean } | null {
  const { event, live, waiting, newId, now } = how;
  const loaded = load(writer, chatId);
  if (loaded === null) return null;
  const { reply } = loaded;
  const isEnded = apply(writer, loaded, event, now);
  if (isEnded && reply !== null)
    finishReply(writer, reply, stoppedReply(live?.replyId === reply.id ? live.growth : reply));
  for (const messageId of isEnded && event === 'stop' ? listWaitingIds(writer, loaded.chat) : []) {
    if (waiting?.includes(messageId) === false) {
      apply(writer, loaded, 'send', now);
      continue;
    }
    updateMessageStatus(writer, messageId, 'complete');
    createReply(writer, loaded.chat, messageId, newId(), now, stoppedReply(NO_GROWTH));
  }
  return { chat: loaded.chat, isEnded };
}

/** Removes a waiting message from the queue, so it won't be answered. */
export function cancelMessage(writer: Writer, chatId: string, messageId: string, now: string): void {
  updateMessageStatus(writer, messageId, 'complete');
  const loaded = load(writer, chatId);
  if (loaded !== null) apply(writer, loaded, 'cancel', now);
}

/** Puts a removed message back into the queue. */
export function requeueMessage(writer: Writer, chatId: string, messageId: string, now: string): void {
  const loaded = load(writer, chatId);
  if (loaded === null) return;
  updateMessageToWait(writer, loaded.chat, messageId);
  apply(writer, loaded, 'send', now);
}

/** Takes over a chat from a dead process. */
export function recoverChat(writer: Writer, chatId: string, now: string): void {
  const loaded = load(writer, chatId);
  if (loaded === null) return;
  const { reply, state } = loaded;
  const isJustWaiting = state.status === 'pending' && state.waiting > 0 && !state.unfinished;
  if (isJustWaiting || !apply(writer, loaded, 'recover', now)) return;
  if (reply !== null && !loaded.state.unfinished)
    finishReply(writer, reply, failedReply(reply, cutOffError(listBegunCalls(writer, reply.id))));
}
