import type { Message } from '../../../shared/api/message.ts';
import { messageWords } from '../../data/markdown.ts';
import { invalidField } from '../../errors.ts';
import { beginningOf } from '../../lib/beginning-of.ts';
import { readMessages } from './read-messages.ts';
import type { Call } from './tool.ts';

/** Which part of a chat to read. */
export interface WantedPage {
  chatId: string;
  workspaceId: string | null;
  /** Where the page before ended; the beginning when absent. */
  cursor: string | undefined;
  maxCharacters: number;
}

/** A message, or the part of it that fits. */
export interface ShownMessage extends Pick<Message, 'id' | 'role' | 'content' | 'status' | 'createdAt'> {
  /** The first of its characters that is shown; absent: it is shown from its beginning. */
  from?: number;
  isCut?: true;
}

/** A part of a chat. */
export interface ChatPage {
  messages: ShownMessage[];
  /** The same as Markdown. */
  text: string;
  nextCursor?: string;
}

const MAX_MESSAGES = 200;
/** What has been read: so many characters of the message after the one of that id; an empty id: of the first. */
const CURSOR = /^(\d{1,9})\.(.*)$/s;

/** Reads messages until so much text is together; AppError `invalid_request` for a cursor that is none. */
export async function readPage({ chats }: Call, wanted: WantedPage): Promise<ChatPage> {
  const { chatId, workspaceId, cursor = '0.', maxCharacters } = wanted;
  const [, offset, after] = CURSOR.exec(cursor) ?? [];
  if (after === undefined)
    throw invalidField('cursor', '"cursor" must be the nextCursor of an earlier call.');
  const page: ChatPage = { messages: [], text: '' };
  let from = Number(offset);
  let room = maxCharacters;
  let last = after;
  for await (const message of readMessages(chats, chatId, workspaceId, after || undefined)) {
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
    page.text += messageWords({ ...message, content });
    room -= content.length;
    if (isCut) return { ...page, nextCursor: `${from + content.length}.${last}` };
    from = 0;
    last = id;
  }
  return page;
}
