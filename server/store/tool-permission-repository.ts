import type { Reader, Writer } from './types.ts';

/** A tool that a person said “always” of. */
export interface ToolPermission {
  tool: string;
  createdAt: string;
}

/** All tools that are always allowed, by name. */
export function listToolPermissions(reader: Reader): ToolPermission[] {
  return reader.all<ToolPermission>(
    'SELECT tool, created_at AS createdAt FROM tool_permissions ORDER BY tool',
  );
}

/** Whether a tool is always allowed. */
export function hasToolPermission(reader: Reader, tool: string): boolean {
  return reader.get('SELECT 1 FROM tool_permissions WHERE tool = ?', [tool]) !== null;
}

/** Has a tool always allowed from here on. */
export function createToolPermission(writer: Writer, { tool, createdAt }: ToolPermission): void {
  writer.run('INSERT OR IGNORE INTO tool_permissions (tool, created_at) VALUES (?, ?)', [tool, createdAt]);
}

/** Has a tool ask again; false: it did anyway. */
export function deleteToolPermission(writer: Writer, tool: string): boolean {
  return writer.run('DELETE FROM tool_permissions WHERE tool = ?', [tool]) > 0;
}
