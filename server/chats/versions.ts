/** Edit, retry, delete and restore messages, and choose their versions. */
import type { Chat } from '../../shared/api/chat.ts';
import type { MessageMode } from '../../shared/api/message.ts';
import { isUnsettled } from '../../shared/choices.ts';
import { AppError } from '../errors.ts';
import { findChatIn, updateChatStructure, type StoredChat } from '../store/chat-repository.ts';
import { findUnfinishedReply, hasWaitingMessage } from '../store/message-repository.ts';
import { deleteSummariesFrom } from '../store/summary-repository.ts';
import { restorableSince, steadyNow } from './steady-time.ts';
import type { Reader, Writer } from '../store/types.ts';
import {
  deleteMessage,
  findChoices,
  findPosition,
  hideBranch,
  isFirstQuestion,
  markVersion,
  readQuestion,
  restoreMessage,
  showMessage,
  type MarkedTo,
  type MessagePosition,
} from '../store/version-repository.ts';
import { isCancelled, isPassed } from '../store/waiting-repository.ts';
import { cancelMessage } from '../turns/rows.ts';
import { createBranchChanges } from './branch-changes.ts';
import type { WantedFile } from '../files/attach.ts';
import type { ModelChoice, MessageInWorkspace } from './deps.ts';
import { findQuestion, requireChat, requireMessage } from './find-message.ts';
import { fingerprintOf, type AcceptRequest, type ChatPartDeps } from './send-message.ts';

/** What a new version of a user message may set; an absent mode or parameters stay as they were. */
interface VersionRequest extends AcceptRequest, ModelChoice {
  mode?: MessageMode | undefined;
}

/** A user message that replaces an earlier one. Everything but the model is already checked. */
interface EditRequest extends VersionRequest, MessageInWorkspace {
  content: string;
}

interface RetryRequest extends VersionRequest {
  /** The reply or the user message it answers; absent: the last listed user message. */
  messageId?: string;
}

const NOT_A_QUESTION = 'Only user messages can be edited; to get a new reply, retry it instead.';

/**
 * The part of the chat service about single messages. Each resolves once it is on disk, and rejects with AppError
 * `chat_not_found`, `message_not_found`, or `chat_busy` while a reply is under way. A request for what is already so changes nothing.
 */
export function createVersions({
  store,
  processor,
  files: messageFiles,
  clock,
  newId,
  sender,
  asChat,
}: ChatPartDeps) {
  const changes = createBranchChanges(store);
  changes.recover();

  /**
   * Sends a user message in place of another, which stays reachable together with all that came after it. A message of
   * a version that isn't chosen is shown first. Rejects with AppError `invalid_request` for a reply, and as a send does.
   */
  const edit = (request: EditRequest): Promise<Chat> => {
    const { messageId, content, mode } = request;
    return messageFiles.withFiles(request, (wanted) => {
      const files = request.attachments === undefined ? undefined : wanted;
      const fingerprint = fingerprintOf(['edit', messageId, mode ?? null, content], request, wanted);
      const find = (reader: Reader): MessagePosition => {
        const question = requireMessage(reader, request.chatId, messageId);
        if (question.role !== 'user') throw new AppError('invalid_request', NOT_A_QUESTION);
        return question;
      };
      return replace(request, fingerprint, find, files);
    });
  };

  /** Answers a user message again; the earlier reply stays as a version. Rejects like an edit. */
  const retry = (request: RetryRequest): Promise<Chat> => {
    const { messageId, mode } = request;
    const fingerprint = fingerprintOf(['retry', messageId ?? null, mode ?? null], request);
    return replace(request, fingerprint, (reader) => findQuestion(reader, request.chatId, messageId));
  };

  /** Sends a new version of the user message that `find` finds, or throws for. */
  function replace(
    request: VersionRequest & { content?: string },
    fingerprint: readonly unknown[],
    find: (reader: Reader) => MessagePosition,
    files?: readonly WantedFile[],
  ): Promise<Chat> {
    const { chatId, workspaceId } = request;
    const toHide = (reader: Reader): MessagePosition[] => {
      const chat = findChatIn(reader, chatId, workspaceId);
      if (chat === null || isBusy(reader, chat)) return [];
      try {
        const question = find(reader);
        return question.hiddenBy === null ? [question] : [];
      } catch {
        // The transaction says why it is refused, unless this is a repeat.
        return [];
      }
    };
    return changes.change(chatId, toHide, (markedTo) =>
      sender.accept(request, fingerprint, (writer, chat, now) =>
        addVersion(writer, chat, find(writer), { ...request, files }, now, markedTo),
      ),
    );
  }

  /**
   * Adds a version of a user message: as that one was, except for what the request gives. Its tools are those of whoever asks now, its
   * model is the chat's unless another is asked for. An edit gives its text; without one it is a retry.
   */
  function addVersion(
    writer: Writer,
    chat: StoredChat,
    question: MessagePosition,
    request: VersionRequest & { content?: string; files?: readonly WantedFile[] | undefined },
    now: string,
    markedTo: MarkedTo,
  ): Chat {
    requireNotBusy(writer, chat);
    showMessage(writer, chat.id, question);
    const before = readQuestion(writer, question.seq);
    const { content = before.content, mode = before.mode, parameters = before.parameters } = request;
    const {
      model,
      toolReach,
      notifies,
      files = before.attachments.map(({ id }) => ({ fileId: id })),
    } = request;
    const message = { id: newId(), content, mode, parameters, model, toolReach, notifies, files };
    const isFirst = chat.titleSource === 'message' && isFirstQuestion(writer, chat.id, question.seq);
    if (isFirst) chat.titleSource = 'default';
    hideBranch(writer, chat.id, question, markedTo);
    const answer = sender.append(writer, chat, message, now);
    markVersion(writer, message.id, question, request.content === undefined);
    updateChatStructure(writer, chat.id, now);
    return answer;
  }

  /**
   * Changes which messages of a chat are listed, unless they are already listed that way. The chat must be at rest, unless `changeQueue`
   * finds that only the queue is affected, and has changed that.
   */
  const restructure = (
    target: MessageInWorkspace,
    isSo: (message: MessagePosition) => boolean,
    change: (writer: Writer, message: MessagePosition, now: string, markedTo: MarkedTo) => void,
    changeQueue: (writer: Writer, message: MessagePosition, chat: StoredChat, now: string) => boolean = () =>
      false,
    toHide: (reader: Reader) => readonly MessagePosition[] = () => [],
  ): Promise<Chat> =>
    changes.change(target.chatId, toHide, (markedTo) =>
      store.write((writer) => {
        const chat = requireChat(writer, target);
        const time = clock();
        const message = requireMessage(writer, chat.id, target.messageId, restorableSince(writer, time));
        if (isSo(message)) return asChat(chat);
        const now = time.toISOString();
        if (!changeQueue(writer, message, chat, now)) {
          requireNotBusy(writer, chat);
          change(writer, message, now, markedTo);
        }
        updateChatStructure(writer, chat.id, now);
        return asChat(requireChat(writer, target));
      }),
    );

  /** Chooses the versions that a message needs to be listed. */
  function choose(target: MessageInWorkspace): Promise<Chat> {
    const { chatId, workspaceId, messageId } = target;
    return restructure(
      target,
      (message) => isListed(message),
      (writer, message, _now, markedTo) => showMessage(writer, chatId, message, markedTo),
      undefined,
      (reader) => {
        const chat = findChatIn(reader, chatId, workspaceId);
        const message = findPosition(reader, chatId, messageId);
        if (chat === null || message === null || isBusy(reader, chat)) return [];
        const choices = message.deletedAt === null ? findChoices(reader, chatId, message) : [];
        return choices.length === 1 ? choices.map(({ chosen }) => chosen) : [];
      },
    );
  }

  /**
   * Takes a message out of all lists; a user message with its reply. One that waits is taken out of the queue, whatever the chat is
   * doing; with `ifWaiting` it must wait. Rejects with AppError `message_taken` for one that a worker has taken meanwhile.
   */
  const deleteOne = ({
    ifWaiting = false,
    ...target
  }: MessageInWorkspace & { ifWaiting?: boolean }): Promise<Chat> =>
    restructure(
      target,
      ({ deletedAt }) => deletedAt !== null,
      (writer, message, now) => {
        deleteMessage(writer, target.chatId, message, steadyNow(writer, new Date(now)));
        forgetSummaries(writer, target.chatId, message);
      },
      (writer, message, chat, now) => {
        const isQuestion = message.role === 'user';
        if (isQuestion && message.status === 'pending') {
          cancelMessage(writer, chat.id, message.id, now);
          deleteMessage(writer, chat.id, message, steadyNow(writer, new Date(now)));
          return true;
        }
        const isTaken = isQuestion && findUnfinishedReply(writer, chat.id)?.replyTo === message.id;
        if (ifWaiting || isTaken) throw new AppError('message_taken');
        return false;
      },
    );

  /** Whether the message was put back into the queue that it was taken out of. */
  function requeue(writer: Writer, message: MessagePosition, chat: StoredChat, now: string): boolean {
    const { id, seq } = message;
    if (!isUnsettled(chat.status) || !isCancelled(writer, chat.id, id) || isPassed(writer, chat.id, seq))
      return false;
    restoreMessage(writer, chat.id, message);
    sender.requeue(writer, chat, id, now);
    return true;
  }

  /**
   * Brings a deleted message back; a user message with the reply that went with it, a reply with its user message. One that was
   * taken out of the queue waits again, unless the chat rests or has gone past it.
   */
  async function restoreOne(target: MessageInWorkspace): Promise<Chat> {
    const chat = await restructure(
      target,
      ({ deletedAt }) => deletedAt === null,
      (writer, message) => {
        restoreMessage(writer, target.chatId, message);
        forgetSummaries(writer, target.chatId, message);
      },
      requeue,
    );
    if (isUnsettled(chat.status)) processor.accept(chat);
    return chat;
  }

  return {
    edit,
    retry,
    showMessage: choose,
    deleteMessage: deleteOne,
    restoreMessage: restoreOne,
  };
}

/**
 * Messages are only hidden, shown and deleted while nothing waits for a worker or is being written. The work after a reply doesn't matter:
 * it ends when a message arrives, and leaves a changed conversation alone.
 */
export function requireNotBusy(reader: Reader, chat: StoredChat): void {
  if (isBusy(reader, chat)) throw new AppError('chat_busy');
}

function isBusy(reader: Reader, chat: StoredChat): boolean {
  const isFollowedUp = chat.status === 'completed' && !hasWaitingMessage(reader, chat);
  return isUnsettled(chat.status) && !isFollowedUp;
}

/** A summary must not mention a deleted message, nor miss a restored one. */
function forgetSummaries(writer: Writer, chatId: string, { seq, replyTo }: MessagePosition): void {
  const question = replyTo === null ? null : findPosition(writer, chatId, replyTo);
  deleteSummariesFrom(writer, chatId, question?.seq ?? seq);
}

function isListed({ hiddenBy, deletedAt }: MessagePosition): boolean {
  if (deletedAt !== null) throw new AppError('message_not_found');
  return hiddenBy === null;
}
