/** The text of server-sent events. */
import type { WorkspaceEvent } from '../../shared/api/event.ts';

/** Keeps a quiet stream alive; clients ignore it. */
export const HEARTBEAT = ':\n\n';

/** An event, or one too long for one text: the rest of that is read as it is sent. */
export type StreamEvent = string | { begin: string; rest: AsyncIterable<string> };

/** One event whose data is JSON text without line breaks, as `JSON.stringify` and SQLite write it. */
export const eventText = (type: WorkspaceEvent['type'], data: string): string =>
  `event: ${type}\ndata: ${data}\n\n`;

/** The same with data in three parts, the second of which may be long. */
export function eventOf(
  type: WorkspaceEvent['type'],
  before: string,
  middle: string | AsyncIterable<string>,
  after: string,
): StreamEvent {
  if (typeof middle === 'string') return eventText(type, before + middle + after);
  const end = eventText(type, after);
  const begin = end.slice(0, end.lastIndexOf(after));
  async function* rest(pieces: AsyncIterable<string>): AsyncGenerator<string> {
    yield* pieces;
    yield end.slice(begin.length);
  }
  return { begin: begin + before, rest: rest(middle) };
}

/** The same with the cursor that a client has once it knows this event. */
export const withCursor = (event: StreamEvent, cursor: string): StreamEvent => {
  const id = `id: ${cursor}\n`;
  return typeof event === 'string' ? id + event : { ...event, begin: id + event.begin };
};

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
interface WorkspaceCursor {
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
