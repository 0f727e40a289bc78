import { modelOfNewChats } from '../connections/known-models.ts';
import { CHATS } from '../store/chat-columns.ts';
import type { StoredChat } from '../store/chat-repository.ts';
import type { Reader } from '../store/types.ts';

interface NewChat {
  id: string;
  workspaceId: string;
  agentType: string;
  /** Of the workspace; null or absent: none. */
  projectId?: string | null | undefined;
  /** Must be known; absent: the agent's, or the project's or the workspace's default. */
  model?: string | undefined;
  /** ISO time. */
  now: string;
}

/** A chat without messages. */
export const emptyChat = (
  reader: Reader,
  { id, workspaceId, agentType, projectId = null, model, now }: NewChat,
): StoredChat =>
  CHATS.complete({
    id,
    workspaceId,
    agentType,
    projectId,
    model: model ?? modelOfNewChats(reader, workspaceId, agentType, projectId),
    createdAt: now,
    updatedAt: now,
  });
