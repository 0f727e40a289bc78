/**
 * Accepts messages, each in one transaction. Sending is the hot path of the service, so it runs as few statements as possible.
 * Edits and retries (versions.ts) follow the same rules.
 */
import type { Chat } from '../../shared/api/chat.ts';
import type { AttachmentInput } from '../../shared/api/attachment.ts';
import type { MessageMode } from '../../shared/api/message.ts';
import { DEFAULT_AGENT_TYPE } from '../../shared/limits.ts';
import { AppError } from '../errors.ts';
import { attachFiles, type WantedFile } from '../files/attach.ts';
import { requeueMessage } from '../turns/rows.ts';
import { STATUS_AFTER_SEND } from '../turns/transitions.ts';
import {
  createChat,
  updateChatForFirstSend,
  updateChatForSend,
  updateChatMarks,
  type ChatTarget,
  type StoredChat,
} from '../store/chat-repository.ts';
import { createAnswers, keyOf, type SentAnswer } from './answers.ts';
import { createMessage, type ToolReach } from '../store/message-repository.ts';
import { readSettled } from '../store/read-settled.ts';
import type { Writer } from '../store/types.ts';
import { findLastQuestion } from '../store/version-repository.ts';
import { createWebhookEvent } from '../store/webhook-repository.ts';
import type { Admission } from './admission.ts';
import { requireModel, requireSight, requireWords } from './check-message.ts';
import { toChat } from '../store/chat-columns.ts';
import type { ModelChoice, ChatAnswerer, ServiceDeps } from './deps.ts';
import { requireChat } from './find-message.ts';
import type { MessageFiles } from './message-files.ts';
import type { Processor } from '../turns/processor.ts';
import { emptyChat } from './empty-chat.ts';
import { titleOf } from '../lib/titles.ts';

/** The origin and target of a message to accept. */
export interface AcceptRequest extends ChatTarget {
  /** Whether to create the chat, with that id and in that workspace, which must be given. If not, it must exist. */
  isNewChat?: boolean;
  /** The project of a new chat; null or absent: none. */
  projectId?: string | null;
  /** Runs in the same transaction, before the message is added; what it throws refuses the message. */
  also?: (writer: Writer) => void;
  /** Who answers in the chat from this message on; absent: as it is, or as usual in a new chat. */
  answerer?: ChatAnswerer | undefined;
  /** Which tools its turn gets. Default: `none`. */
  toolReach?: ToolReach;
  /** A repeat with the same key within 24 hours gets the first response and adds no message. */
  idempotencyKey?: string;
  /** The API key whose webhook is called when the turn ends. Default: none. */
  notifies?: string | undefined;
  /** The id of the new message, if `onMessageId` is to be called. */
  newMessageId?: string;
  /** Called with the message's id; for a repeat, the id of the first one. */
  onMessageId?: (id: string) => void;
  attachments?: readonly AttachmentInput[] | undefined;
}

/** A message to send. Content and mode are already checked. */
export interface SendRequest extends Omit<AcceptRequest, 'newMessageId'>, ModelChoice {
  content: string;
  mode: MessageMode;
  /** The id of the user message that must be the last one of the chat; AppError `conflict` when it isn't. Absent: any. */
  after?: string | undefined;
  /** Its id. Default: a new one. */
  messageId?: string;
  /** See `store/message-repository.ts`. */
  echo?: Record<string, unknown> | undefined;
}

/** The work on a chat in a request's transaction. Returns the chat as the client gets it. */
type Work = (writer: Writer, chat: StoredChat, now: string) => Chat;

type Sender = ReturnType<typeof createSender>;

/** Dependencies of a chat service. */
export interface ChatServiceDeps extends ServiceDeps {
  processor: Processor;
  files: MessageFiles;
}

/** Dependencies of the parts of the chat service. */
export interface ChatPartDeps extends ChatServiceDeps {
  sender: Sender;
  /** The chat as clients get it. */
  asChat: (chat: StoredChat) => Chat;
}

/** A sender for the store. */
export function createSender(
  { store, processor, files: messageFiles, clock, newId }: ChatServiceDeps,
  admission: Admission,
) {
  const answers = createAnswers(processor);

  /** Sends a message: resolves with the chat as the client gets it, once that is on disk. */
  function send(request: SendRequest): Promise<Chat> {
    const { messageId = newId(), content, mode, model, parameters, toolReach, notifies } = request;
    const { answerer, after, echo } = request;
    const message = { id: messageId, content, mode, model, parameters, toolReach, notifies, echo };
    return messageFiles.withFiles(request, (files) =>
      accept(
        { ...request, newMessageId: messageId },
        fingerprintOf(['send', mode, content, answerer ?? null, after ?? null], request, files),
        (writer, chat, now) => {
          if (after !== undefined && findLastQuestion(writer, chat.id)?.id !== after)
            throw new AppError('conflict', GONE_ON);
          return append(writer, chat, { ...message, files }, now);
        },
      ),
    );
  }

  /**
   * Runs `work` in one transaction over the chat, unless this request was answered before; `fingerprint` distinguishes
   * requests with the same key. Resolves, once that is on disk, with the chat that `work` returned: it waits for a
   * worker from then on. Rejects with AppError `chat_not_found` or `idempotency_conflict`, and with what `work` throws.
   */
  async function accept(request: AcceptRequest, fingerprint: readonly unknown[], work: Work): Promise<Chat> {
    const leave = processor.beginSend();
    try {
      const { answer, isRepeat } = await store.write((writer) =>
        acceptOnce(writer, request, fingerprint, work),
      );
      const { messageId, ...chat } = answer;
      if (messageId !== undefined) request.onMessageId?.(messageId);
      if (!isRepeat) processor.accept(chat);
      return chat;
    } finally {
      leave();
    }
  }

  function acceptOnce(
    writer: Writer,
    request: AcceptRequest,
    fingerprint: readonly unknown[],
    work: Work,
  ): { answer: SentAnswer; isRepeat: boolean } {
    const { idempotencyKey, newMessageId: messageId, isNewChat = false } = request;
    const time = clock();
    const now = time.toISOString();
    const stored = isNewChat ? newChat(writer, request, now) : requireChat(writer, request);
    const key =
      idempotencyKey === undefined ? null : keyOf(stored, { idempotencyKey, isNewChat }, fingerprint, time);
    const known = key && answers.recall(writer, key, (chatId) => requireChat(writer, { ...request, chatId }));
    if (known !== null) return { answer: known, isRepeat: true };
    store.requireNotFull();
    request.also?.(writer);
    if (isNewChat) createChat(writer, stored);
    else if (request.answerer !== undefined)
      updateChatMarks(writer, Object.assign(stored, request.answerer), stored.id);
    const answer = { ...work(writer, stored, now), ...(messageId !== undefined && { messageId }) };
    if (key !== null) answers.remember(writer, key, answer);
    return { answer, isRepeat: false };
  }

  function newChat(
    writer: Writer,
    { chatId, workspaceId, projectId, answerer }: AcceptRequest,
    now: string,
  ): StoredChat {
    if (workspaceId === null) throw new AppError('workspace_required');
    const agentType = DEFAULT_AGENT_TYPE;
    return emptyChat(writer, { id: chatId, workspaceId, projectId, agentType, ...answerer, now });
  }

  /**
   * Adds a user message to the chat, inside `work`; `chat` is updated as well. Throws AppError `queue_full` when too many wait in the
   * workspace, and `invalid_request` for an unknown model or an empty message.
   */
  function append(
    writer: Writer,
    chat: StoredChat,
    message: {
      id: string;
      content: string;
      mode: MessageMode;
      toolReach?: ToolReach | undefined;
      notifies?: string | undefined;
      files: readonly WantedFile[];
      echo?: Record<string, unknown> | undefined;
    } & ModelChoice,
    now: string,
  ): Chat {
    const { id, content, mode, model, parameters = null, toolReach = 'none', notifies, files } = message;
    requireWords(content, files.length);
    requireModel(writer, model);
    admission.add(writer, chat.workspaceId);
    const { workspaceId } = chat;
    const attachments = attachFiles(writer, files, { messageId: id, workspaceId, createdAt: now, newId });
    requireSight(writer, model ?? chat.model, attachments ?? []);
    createMessage(writer, {
      id,
      chatId: chat.id,
      workspaceId,
      role: 'user',
      content,
      status: 'pending',
      mode,
      ...(model !== undefined && { model }),
      parameters,
      attachments,
      toolReach: toolReach === 'all' ? null : toolReach,
      echo: message.echo ?? null,
      createdAt: now,
    });
    if (notifies !== undefined) createWebhookEvent(writer, { id: newId(), keyId: notifies, messageId: id });
    chat.status = STATUS_AFTER_SEND;
    chat.updatedAt = now;
    const isFirst = chat.titleSource === 'default';
    if (isFirst) {
      chat.title = titleOf({ content, attachments });
      chat.titleSource = 'message';
    }
    (isFirst ? updateChatForFirstSend : updateChatForSend)(writer, chat, chat.id);
    return toChat(chat, processor);
  }

  /** Like `accept`, for changes that queue nothing. */
  const once = async (
    request: Pick<AcceptRequest, 'chatId' | 'workspaceId' | 'idempotencyKey'>,
    fingerprint: readonly unknown[],
    work: Work,
  ): Promise<Chat> => (await store.write((writer) => acceptOnce(writer, request, fingerprint, work))).answer;

  /** The chat as a repeat of a request like {@link once} gets it; null: this is the first, or it has no key. Rejects alike. */
  const findOnce = (
    request: Pick<AcceptRequest, 'chatId' | 'workspaceId' | 'idempotencyKey'>,
    fingerprint: readonly unknown[],
  ): Promise<Chat | null> =>
    readSettled(store, (reader) => {
      const chat = requireChat(reader, request);
      const { idempotencyKey } = request;
      if (idempotencyKey === undefined) return null;
      return answers.recall(reader, keyOf(chat, { idempotencyKey }, fingerprint, clock()), () => chat);
    });

  /** Puts a message that was taken out of the queue back into it; throws AppError `queue_full`. Call the processor's `accept` after it. */
  function requeue(writer: Writer, chat: StoredChat, messageId: string, now: string): void {
    admission.add(writer, chat.workspaceId);
    requeueMessage(writer, chat.id, messageId, now);
  }

  return { send, accept, once, findOnce, append, requeue };
}

const GONE_ON = 'The chat has gone on since; go on with its last message.';

/** Distinguishes requests with the same idempotency key: by what they want, not by what their API key may do. */
export const fingerprintOf = (
  what: readonly unknown[],
  { toolReach, model, parameters }: Pick<AcceptRequest, 'toolReach'> & ModelChoice,
  files: readonly WantedFile[] = [],
): unknown[] => {
  const sent = files.map((one) => ('file' in one ? [one.file.name, one.file.sha256] : one.fileId));
  return [...what, toolReach === 'unasked', model ?? null, parameters ?? null, sent];
};
