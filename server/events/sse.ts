/** The text of server-sent events. */
import type { WorkspaceEvent } from '../../shared/api/event.ts';

/** Keeps a quiet stream alive; clients ignore it. */
export const HEARTBEAT = ':\n\n';

/** One event whose data is JSON text without line breaks, as `JSON.stringify` and SQLite write it. */
export const eventText = (type: WorkspaceEvent['type'], data: string): string =>
  `event: ${type}\ndata: ${data}\n\n`;

/** The same with the cursor that a client has once it knows this event. */
export const withCursor = (event: string, cursor: string): string => `id: ${cursor}\n${event}`;

/** A client's position: it knows everything up to the message of that id, in the chat structure of that time. */
export interface Cursor {
  messageId: string;
  structure: number;
}

const CURSOR = /^([^.\s]{1,200})\.(\d{1,15})$/;

/** A cursor as text. `messageId` null: there is no message up to which everything is final. */
export const cursorText = (messageId: string | null, structure: number): string =>
  `${messageId ?? ''}.${structure}`;

/** Parses a client's cursor; null when it is none or names no message. */
export function parseCursor(text: unknown): Cursor | null {
  const parts = typeof text === 'string' ? CURSOR.exec(text) : null;
  return parts === null ? null : { messageId: parts[1] ?? '', structure: Number(parts[2]) };
}

/** The position of a client of a workspace's stream. */
export interface WorkspaceCursor {
  /** Identifies the start of the service that sent it. */
  start: string;
  /** The version of the store up to which it knows the chats. */
  version: number;
  /** Its position in the chat that it followed. */
  chat: Cursor | null;
}

const WORKSPACE_CURSOR = /^([^./\s]{1,40})\.(\d{1,15})(?:\/(.*))?$/;

/** A workspace cursor as text; `chat` as {@link cursorText} gives it, null: no chat is followed. */
export const workspaceCursorText = (start: string, version: number, chat: string | null): string =>
  `${start}.${version}${chat === null ? '' : `/${chat}`}`;

/** As {@link parseCursor}, for a workspace's stream. */
export function parseWorkspaceCursor(text: unknown): WorkspaceCursor | null {
  const parts = typeof text === 'string' ? WORKSPACE_CURSOR.exec(text) : null;
  if (parts === null) return null;
  return { start: parts[1] ?? '', version: Number(parts[2]), chat: parseCursor(parts[3]) };
}
