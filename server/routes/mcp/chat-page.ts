import { text } from 'node:stream/consumers';
import type { Message } from '../../../shared/api/message.ts';
import { messageWords } from '../../data/markdown.ts';
import { found, invalidField } from '../../errors.ts';
import { beginningOf } from '../../lib/beginning-of.ts';
import type { McpCall } from './tool.ts';

/** Which part of a chat to read. */
export interface WantedPage {
  chatId: string;
  workspaceId: string | null;
  /** The cursor of the page before. Absent: the beginning. */
  cursor: string | undefined;
  maxCharacters: number;
}

/** A message, or the part of it that fits. */
export interface ShownMessage extends Pick<Message, 'id' | 'role' | 'content' | 'status' | 'createdAt'> {
  /** The first of its characters that is shown. Absent: it is shown from its beginning. */
  from?: number;
  isCut?: true;
}

/** A part of a chat. */
export interface MessagePage {
  messages: ShownMessage[];
  /** The same as Markdown. */
  text: string;
  nextCursor?: string;
}

const MAX_MESSAGES = 200;
/** What has been read: so many characters of the message after the one with that id, or of the first if it is empty. */
const CURSOR = /^(\d{1,9})\.(.*)$/s;

/** Reads messages until there is enough text; AppError `invalid_request` for an invalid cursor. */
export async function readPage(call: McpCall, wanted: WantedPage): Promise<MessagePage> {
  const { cursor = '0.', maxCharacters } = wanted;
  const [, offset, after] = CURSOR.exec(cursor) ?? [];
  if (after === undefined)
    throw invalidField('cursor', '"cursor" must be the nextCursor of an earlier call.');
  const page: MessagePage = { messages: [], text: '' };
  let from = Number(offset);
  let room = maxCharacters;
  let last = after;
  for await (const message of readMessages(call, wanted, after || undefined)) {
    if (room <= 0 || page.messages.length === MAX_MESSAGES) return { ...page, nextCursor: `${from}.${last}` };
    const rest = message.content.slice(from);
    const content = beginningOf(rest, room);
    const isCut = content.length < rest.length;
    const { id, role, status, createdAt } = message;
    page.messages.push({
      ...{ id, role, content, status, createdAt },
      ...(from > 0 && { from }),
      ...(isCut && { isCut }),
    });
    // The inputs and outputs of tools don't matter here, and may be long.
    const steps = message.steps?.map((step) => ({ ...step, input: null, output: null }));
    page.text += messageWords({ ...message, content, ...(steps !== undefined && { steps }) });
    room -= content.length;
    if (isCut) return { ...page, nextCursor: `${from + content.length}.${last}` };
    from = 0;
    last = id;
  }
  return page;
}

/**
 * The listed messages of a chat, oldest first, from the one after `after` on. They are read one at a time, since each may
 * be as long as a book. AppError `chat_not_found` or `message_not_found`.
 */
async function* readMessages(
  { chats }: McpCall,
  { chatId, workspaceId }: WantedPage,
  after: string | undefined,
): AsyncGenerator<Message> {
  let last = after;
  for (;;) {
    const range = { limit: 1, ...(last !== undefined && { after: last }) };
    const list = found(await chats.messagesAsJson(chatId, workspaceId, range), 'chat_not_found');
    const messages = JSON.parse(typeof list === 'string' ? list : await text(list)) as Message[];
    yield* messages;
    last = messages.at(-1)?.id;
    if (last === undefined) return;
  }
}
