import type { Chat, ChatAnswer, ChatList } from '../../shared/api/chat.ts';
import { type Client, RefusedError, type RequestParts } from './client.ts';
import { CommandError } from './exit-codes.ts';

const ID_LENGTH = 36;
/** How much of an id is shown to people. */
const SHOWN_ID = 8;
const MOST_A_PAGE = 100;

/** The short form of a chat's id, which people see and may type. */
export const shortId = (id: string): string => id.slice(0, SHOWN_ID);

/** The path of a chat's endpoints. */
export const chatPath = (chatId: string, rest = ''): string =>
  `/api/v1/chats/${encodeURIComponent(chatId)}${rest}`;

/** The chat that a person names: by its id, the beginning of its id, or `last`, the one that changed last. */
export async function findNamedChat(client: Client, name: string): Promise<Chat> {
  if (name === 'last') {
    const { data } = await client.get<ChatList>('/api/v1/chats', {
      query: { pageSize: 1, archived: 'true' },
    });
    const [chat] = data;
    if (chat === undefined) throw new CommandError('There is no chat yet. Start one with: parley ask "…"');
    return chat;
  }
  try {
    return (await client.get<ChatAnswer>(chatPath(name))).chat;
  } catch (error) {
    const isBeginning = name.length < ID_LENGTH && /^[\da-f-]+$/i.test(name);
    if (!(error instanceof RefusedError && error.code === 'chat_not_found')) throw error;
    if (!isBeginning) throw unknown(name);
  }
  const start = name.toLowerCase();
  const found: Chat[] = [];
  for await (const { data } of listPages(client, { archived: 'true' }))
    found.push(...data.filter(({ id }) => id.startsWith(start)));
  const [chat, another] = found;
  if (chat === undefined) throw unknown(name);
  if (another !== undefined) throw new CommandError(`Several ids start with "${name}"; give more of the id.`);
  return chat;
}

/** The pages of the list of chats, latest change first. */
export async function* listPages(
  client: Client,
  query: RequestParts['query'],
  pageSize = MOST_A_PAGE,
): AsyncGenerator<ChatList> {
  for (let page = 1, isLast = false; !isLast; page += 1) {
    const found = await client.get<ChatList>('/api/v1/chats', { query: { ...query, page, pageSize } });
    isLast = found.data.length < pageSize;
    yield found;
  }
}

const unknown = (name: string): CommandError =>
  new CommandError(
    `There is no chat "${name}". parley chats lists them; "last" is the most recently changed one.`,
  );
