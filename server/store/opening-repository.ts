import { IS_LISTED, type ToolReach } from './message-repository.ts';
import { contentOf } from './message-text.ts';
import type { Reader } from './types.ts';

/** A chat's first listed user message, up to the one of `seq`: its text, its tools; and how many stand before that one. */
export function findOpening(
  reader: Reader,
  chatId: string,
  seq: number,
): { opening: string; turn: number; toolReach: ToolReach | null } | null {
  const upTo = `FROM messages WHERE chat_id = ? AND seq <= ? AND role = 'user' AND ${IS_LISTED}`;
  const first = reader.get<{ content: string; contentJson: number; toolReach: ToolReach | null }>(
    `SELECT content, content_json AS contentJson, tool_reach AS toolReach ${upTo} ORDER BY seq LIMIT 1`,
    [chatId, seq],
  );
  const count = reader.get<{ count: number }>(`SELECT count(*) AS count ${upTo}`, [chatId, seq])?.count ?? 0;
  return first && { opening: contentOf(first), turn: Math.max(0, count - 1), toolReach: first.toolReach };
}
