import type { StoredChat } from './chat-columns.ts';
import type { Writer } from './types.ts';

/**
 * Puts a chat into a workspace and a project of it (null: none), with its messages, their files and its draft. Nothing may be
 * under way in it. The rows of its messages, of which there may be very many, keep the workspace in which they were sent: it only
 * counts while they wait.
 */
export function moveChatTo(
  writer: Writer,
  { id, workspaceId: from, leftWorkspaceIds }: StoredChat,
  to: string,
  projectId: string | null,
): void {
  writer.run('UPDATE chats SET workspace_id = ?, project_id = ?, left_workspace_ids = ? WHERE id = ?', [
    to,
    projectId,
    JSON.stringify([...new Set(leftWorkspaceIds).add(from)]),
    id,
  ]);
  writer.run(
    `UPDATE files SET workspace_id = ?
      WHERE message_id IN (SELECT id FROM messages WHERE chat_id = ? AND attachments IS NOT NULL)`,
    [to, id],
  );
  writer.run('UPDATE OR REPLACE drafts SET workspace_id = ? WHERE workspace_id = ? AND chat_key = ?', [
    to,
    from,
    id,
  ]);
}
