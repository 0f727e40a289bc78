/** Moving a chat to another workspace. */
import { isUnsettled, type Chat } from '../../shared/api/chat.ts';
import { AppError } from '../errors.ts';
import type { StoredChat } from '../store/chat-columns.ts';
import { findChatIn, updateChatMarks } from '../store/chat-repository.ts';
import { moveChatTo } from '../store/move-repository.ts';
import type { Store } from '../store/types.ts';
import type { ChatTarget } from './change-chat.ts';
import { requireProject } from './projects.ts';

/** Where a chat is to go. */
export interface Destination {
  /** A workspace that is there. */
  workspaceId: string;
  /** One of its projects; null: none. */
  projectId: string | null;
}

/**
 * Moves chats, each whole in one transaction; one that is in the workspace already only changes its project. Resolves once it is on
 * disk, with null when there is no such chat; rejects with AppError `chat_busy`, or `invalid_request` about the project.
 */
export const createChatMover =
  (store: Store, asChat: (chat: StoredChat) => Chat) =>
  (target: ChatTarget, { workspaceId, projectId }: Destination): Promise<Chat | null> =>
    store.write((writer) => {
      const chat = findChatIn(writer, target.chatId, target.workspaceId);
      if (chat === null) return null;
      requireProject(writer, workspaceId, projectId);
      const moved = { ...chat, workspaceId, projectId };
      if (chat.workspaceId !== workspaceId) {
        // What a turn read of its workspace would be another's.
        if (isUnsettled(chat.status)) throw new AppError('chat_busy');
        moveChatTo(writer, chat, workspaceId, projectId);
      } else if (chat.projectId !== projectId) updateChatMarks(writer, chat.id, moved);
      return asChat(moved);
    });
