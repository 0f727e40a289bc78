/** The tools that only read. */
import { Type, type Static } from 'typebox';
import { choice, flag, list, text, whole } from '../../../shared/api/common.ts';
import type { Chat } from '../../../shared/api/chat.ts';
import { MESSAGE_ROLES } from '../../../shared/api/message.ts';
import { SearchQuery } from '../../../shared/api/search.ts';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, MAX_SEARCH_LIMIT } from '../../../shared/limits.ts';
import { CHAT_STATUSES, MESSAGE_STATUSES } from '../../../shared/choices.ts';
import { found } from '../../errors.ts';
import { readPage } from './chat-page.ts';
import { defineMcpTool, oneWorkspaceOf, WorkspaceInput, workspaceOf } from './tool.ts';

const READS = { readOnlyHint: true, openWorldHint: false };
const DEFAULT_HITS = 10;
const DEFAULT_CHARACTERS = 20_000;
const MAX_CHARACTERS = 100_000;
const LAST_PAGE = 1_000_000;

const ListedChat = Type.Object({
  id: Type.String(),
  title: Type.String(),
  status: choice([...CHAT_STATUSES]),
  updatedAt: Type.String(),
});

const toListed = ({ id, title, status, updatedAt }: Chat): Static<typeof ListedChat> => ({
  id,
  title,
  status,
  updatedAt,
});

const chatWords = ({ id, title, status, updatedAt }: Static<typeof ListedChat>): string =>
  `- ${title} (chatId "${id}", ${status}, changed ${updatedAt})`;

const search = defineMcpTool({
  name: 'search',
  title: 'Search Parley',
  description:
    'Finds messages and chats by their words, best match first. Every word must occur; the last one may be incomplete. Changes nothing.',
  input: Type.Object({
    query: Type.String({ ...SearchQuery.properties.q, minLength: 1, description: 'The words to find.' }),
    limit: Type.Optional(
      whole(`The maximum number of messages. Default: ${DEFAULT_HITS}.`, {
        minimum: 1,
        maximum: MAX_SEARCH_LIMIT,
        default: DEFAULT_HITS,
      }),
    ),
    workspaceId: WorkspaceInput,
  }),
  output: Type.Object({
    messages: Type.Array(
      Type.Object({
        chatId: Type.String(),
        chatTitle: Type.String(),
        messageId: Type.String(),
        role: choice([...MESSAGE_ROLES]),
        createdAt: Type.String(),
        snippet: Type.String(),
      }),
    ),
    chats: list(ListedChat, 'Chats whose title matches; only a few.'),
    hasMore: flag('Whether there are more messages than limit.'),
  }),
  annotations: READS,
  async run({ query, limit = DEFAULT_HITS, workspaceId }, call) {
    const found = await call.search.search(oneWorkspaceOf(call, workspaceId), query, limit);
    const chats = found.chats.map(toListed);
    const messages = found.messages.map(({ chatId, chatTitle, messageId, role, createdAt, snippet }) => ({
      chatId,
      chatTitle,
      messageId,
      role,
      createdAt,
      snippet: snippet.map(({ text }) => text).join(''),
    }));
    const words = messages.map(
      ({ chatId, chatTitle, role, createdAt, snippet }) =>
        `- ${chatTitle} (chatId "${chatId}"), ${role}, ${createdAt}: ${snippet.replace(/\s+/gu, ' ')}`,
    );
    const parts = [
      ...(chats.length > 0 ? ['Chats with these words in their title:', ...chats.map(chatWords)] : []),
      ...(words.length > 0 ? ['Messages:', ...words] : []),
      ...(found.hasMore ? ['There are more; use a higher limit.'] : []),
    ];
    return {
      text: parts.length > 0 ? parts.join('\n') : 'Nothing was found.',
      data: { messages, chats, hasMore: found.hasMore },
    };
  },
});

const listChats = defineMcpTool({
  name: 'list_chats',
  title: 'List chats',
  description: 'Lists chats, latest change first. Changes nothing.',
  input: Type.Object({
    page: Type.Optional(Type.Integer({ minimum: 1, maximum: LAST_PAGE, default: 1 })),
    pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE, default: DEFAULT_PAGE_SIZE })),
    archived: Type.Optional(Type.Boolean({ description: 'Include archived chats.', default: false })),
    workspaceId: WorkspaceInput,
  }),
  output: Type.Object({
    chats: Type.Array(ListedChat),
    total: whole('Number of chats on all pages.'),
  }),
  annotations: READS,
  async run({ page = 1, pageSize = DEFAULT_PAGE_SIZE, archived = false, workspaceId }, call) {
    const { data, total } = await call.chats.list({
      workspaceId: oneWorkspaceOf(call, workspaceId),
      page,
      pageSize,
      archived: archived ? 'with' : 'without',
      deleted: false,
    });
    const chats = data.map(toListed);
    const more = page * pageSize < total ? `\nThere are more: see page ${page + 1}.` : '';
    return {
      text: `${total} ${total === 1 ? 'chat' : 'chats'} in all.\n${chats.map(chatWords).join('\n')}${more}`.trim(),
      data: { chats, total },
    };
  },
});

const readChat = defineMcpTool({
  name: 'read_chat',
  title: 'Read a chat',
  description:
    'Reads a chat from the start, or from where the last call ended. If there is more, the result has a nextCursor. Changes nothing.',
  input: Type.Object({
    chatId: text('Id of the chat.'),
    cursor: Type.Optional(text('The nextCursor of the previous call.')),
    maxCharacters: Type.Optional(
      whole(`The maximum length of the text in characters. Default: ${DEFAULT_CHARACTERS}.`, {
        minimum: 1_000,
        maximum: MAX_CHARACTERS,
        default: DEFAULT_CHARACTERS,
      }),
    ),
    workspaceId: WorkspaceInput,
  }),
  output: Type.Object({
    chatId: Type.String(),
    title: Type.String(),
    status: choice([...CHAT_STATUSES]),
    messages: Type.Array(
      Type.Object({
        id: Type.String(),
        role: choice([...MESSAGE_ROLES]),
        content: Type.String(),
        status: choice([...MESSAGE_STATUSES]),
        createdAt: Type.String(),
        from: Type.Optional(whole('The content starts at this character of the message.')),
        isCut: Type.Optional(flag('Whether the message is longer; continue with nextCursor.')),
      }),
    ),
    nextCursor: Type.Optional(text('Cursor for the next call. Absent: there is no more.')),
  }),
  annotations: READS,
  async run({ chatId, cursor, maxCharacters = DEFAULT_CHARACTERS, workspaceId: named }, call) {
    const workspaceId = workspaceOf(call, named);
    const chat = found(await call.chats.find(chatId, workspaceId), 'chat_not_found');
    const { title, status } = chat;
    const page = await readPage(call, { chatId, workspaceId, cursor, maxCharacters });
    const { nextCursor } = page;
    const more =
      nextCursor === undefined ? '' : `\n[There is more: call read_chat with cursor "${nextCursor}".]`;
    return {
      text: `[Chat "${title}", ${status}]\n${page.text === '' ? 'There is nothing more.' : page.text}${more}`,
      data: {
        chatId,
        title,
        status,
        messages: page.messages,
        ...(nextCursor !== undefined && { nextCursor }),
      },
    };
  },
});

/** The tools for reading. */
export const READING_TOOLS = [search, listChats, readChat];
