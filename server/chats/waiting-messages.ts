/**
 * Edits and moves single messages that wait for a worker, or sends them at once. The row shows which came first, the change or the worker
 * that takes the message.
 */
import type { Chat } from '../../shared/api/chat.ts';
import type { MessageMode, OnApproval } from '../../shared/api/message.ts';
import type { Parameters } from '../../shared/api/parameters.ts';
import { AppError, found } from '../errors.ts';
import { attachFiles, type WantedFile } from '../files/attach.ts';
import { titleOf } from '../lib/titles.ts';
import { updateChatStructure, updateChatTitle, type StoredChat } from '../store/chat-repository.ts';
import { deleteOtherAttachments } from '../store/file-repository.ts';
import { lesserReach, type ToolReach } from '../store/message-repository.ts';
import type { Writer } from '../store/types.ts';
import { findPosition, isFirstQuestion } from '../store/version-repository.ts';
import {
  findNextWaiting,
  findWaiting,
  moveWaiting,
  updateWaiting,
  type WaitingMessage,
} from '../store/waiting-repository.ts';
import { requireModel, requireSight, requireWords } from './check-message.ts';
import type { MessageInWorkspace } from './deps.ts';
import { requireChat } from './find-message.ts';
import { fingerprintOf, type AcceptRequest, type ChatPartDeps } from './send-message.ts';

/** Changes to a waiting message; absent fields stay as they are. */
interface ChangeWaitingRequest
  extends MessageInWorkspace, Pick<AcceptRequest, 'attachments' | 'idempotencyKey'> {
  content?: string | undefined;
  mode?: MessageMode | undefined;
  /** Null: the chat's. */
  model?: string | null | undefined;
  /** Null: none. */
  parameters?: Parameters | null | undefined;
  onApproval?: OnApproval | undefined;
  /** The tools that the caller may give a turn. Without `onApproval` the message keeps its own if those are fewer. */
  toolReach: ToolReach;
}

const OTHER_TAKEN =
  'The message that "before" names waits no longer; read the chat, and move this one again.';

/**
 * The part of the chat service about waiting messages. Each resolves with the chat once it is on disk, and rejects with AppError
 * `chat_not_found`, `message_not_found`, or, if the message no longer waits, `message_taken`; nothing is changed then.
 */
export function createWaitingMessages(deps: ChatPartDeps) {
  const { store, processor, files: messageFiles, clock, newId, sender, asChat } = deps;

  /** Changes the message, which keeps its id and its position. Rejects like a send for invalid content. */
  const changeWaiting = (request: ChangeWaitingRequest): Promise<Chat> => {
    const { messageId, content, mode, model, parameters, onApproval } = request;
    const fields = [content, mode, model, parameters, onApproval].map((field) => [field]);
    return messageFiles.withFiles(request, async (wanted) => {
      const fingerprint = fingerprintOf(
        ['change', messageId, fields, request.attachments !== undefined],
        {},
        wanted,
      );
      let dropped: string[] = [];
      const chat = await sender.once(request, fingerprint, (writer, stored, now) => {
        const message = requireWaiting(writer, stored.id, messageId);
        dropped = change(writer, stored, message, request, wanted, now);
        return restructured(writer, stored.id, now);
      });
      await messageFiles.removeUnused(dropped);
      return chat;
    });
  };

  /** Returns the SHA-256 of the files that it no longer has. */
  function change(
    writer: Writer,
    chat: StoredChat,
    message: WaitingMessage,
    request: ChangeWaitingRequest,
    wanted: readonly WantedFile[],
    createdAt: string,
  ): string[] {
    const { content = message.content, mode = message.mode, toolReach, onApproval } = request;
    const { model = message.model, parameters = message.parameters } = request;
    const keepsFiles = request.attachments === undefined;
    requireModel(writer, request.model);
    requireWords(content, keepsFiles ? (message.attachments ?? []).length : wanted.length);
    const { id: messageId } = message;
    const { workspaceId } = chat;
    const attachments = keepsFiles
      ? message.attachments
      : attachFiles(writer, wanted, { messageId, workspaceId, createdAt, newId });
    requireSight(writer, model ?? chat.model, attachments ?? []);
    const ids = (attachments ?? []).map(({ id }) => id);
    const dropped = keepsFiles ? [] : deleteOtherAttachments(writer, messageId, ids);
    const reach = onApproval === undefined ? lesserReach(message.toolReach ?? 'all', toolReach) : toolReach;
    updateWaiting(writer, message.seq, {
      content,
      mode,
      model,
      parameters,
      attachments,
      toolReach: reach === 'all' ? null : reach,
    });
    if (chat.titleSource === 'message' && isFirstQuestion(writer, chat.id, message.seq))
      updateChatTitle(writer, { title: titleOf({ content, attachments }), titleSource: 'message' }, chat.id);
    return dropped;
  }

  function restructured(writer: Writer, chatId: string, now: string): Chat {
    updateChatStructure(writer, chatId, now);
    return asChat(requireChat(writer, { chatId, workspaceId: null }));
  }

  /** Moves the message before another waiting one, or to the end with null. */
  const move = ({ before, ...target }: MessageInWorkspace & { before: string | null }): Promise<Chat> =>
    sender.once(target, [], (writer, chat, now) => {
      requireWaiting(writer, chat.id, target.messageId);
      const isMoved = moveWaiting(writer, chat, target.messageId, before);
      if (isMoved === null) {
        found(findPosition(writer, chat.id, before ?? ''), 'message_not_found');
        throw new AppError('message_taken', OTHER_TAKEN);
      }
      return isMoved ? restructured(writer, chat.id, now) : asChat(chat);
    });

  /** Stops the current reply, keeps what is written, and answers this message next. The others keep waiting. */
  async function sendWaitingNow(target: MessageInWorkspace): Promise<Chat> {
    const { chatId, messageId } = target;
    await processor.interrupt(chatId, (writer) => {
      const chat = requireChat(writer, target);
      requireWaiting(writer, chatId, messageId);
      moveWaiting(writer, chat, messageId, findNextWaiting(writer, chat));
      updateChatStructure(writer, chatId, clock().toISOString());
    });
    return asChat(store.read((reader) => requireChat(reader, target)));
  }

  return { changeWaiting, moveWaiting: move, sendWaitingNow };
}

function requireWaiting(writer: Writer, chatId: string, messageId: string): WaitingMessage {
  const message = findWaiting(writer, chatId, messageId);
  if (message !== null) return message;
  const position = findPosition(writer, chatId, messageId);
  if (position === null || position.deletedAt !== null) throw new AppError('message_not_found');
  throw new AppError('message_taken');
}
