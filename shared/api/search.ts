import { Type, type Static } from 'typebox';
import { DEFAULT_SEARCH_LIMIT, MAX_QUERY_CHARACTERS, MAX_SEARCH_LIMIT } from '../limits.ts';
import { Chat } from './chat.ts';
import { optional, Timestamp, WorkspaceId } from './common.ts';
import { MESSAGE_ROLES } from './message.ts';

/** Query of `GET /api/v1/search`. */
export const SearchQuery = Type.Object({
  q: Type.String({
    description: 'The words to find. Each must occur; the last one may be the beginning of a word.',
    maxLength: MAX_QUERY_CHARACTERS,
  }),
  limit: Type.Optional(
    Type.String({
      description: `The maximum number of messages. Default: ${DEFAULT_SEARCH_LIMIT}.`,
      pattern: '^([1-9][0-9]?|100)$',
      expected: `a whole number from 1 to ${MAX_SEARCH_LIMIT}`,
    }),
  ),
  workspaceId: Type.Optional(WorkspaceId),
});
export type SearchQuery = Static<typeof SearchQuery>;

export const SnippetPart = Type.Object(
  {
    text: Type.String({ description: 'The text.', examples: ['12.5%'] }),
    match: Type.Boolean({ description: 'Whether it matches the search.' }),
  },
  { description: 'A part of a snippet.' },
);
export type SnippetPart = Static<typeof SnippetPart>;

export const SearchHit = Type.Object(
  {
    messageId: Type.String({
      description: 'The message.',
      examples: ['0b9c7d52-1e3f-4a68-8c21-5d7e9f0a4b16'],
    }),
    chatId: Type.String({
      description: 'The chat that it is in.',
      examples: ['6f1d2c0e-8a4b-4f6e-9d57-2b8f0c1a7e34'],
    }),
    chatTitle: Type.String({ description: 'The chat’s title.', examples: ['Percentages'] }),
    role: Type.Enum([...MESSAGE_ROLES], { description: 'Who wrote it.' }),
    createdAt: Timestamp,
    snippet: Type.Array(SnippetPart, {
      description: 'The text around the match, or the file name if the match is in `file`.',
    }),
    ...optional({
      file: Type.String({
        description: 'Only if the match is in the name of a file of the message: that name.',
        examples: ['invoice.pdf'],
      }),
      hidden: Type.Literal(true, {
        description:
          'Only if the message belongs to a version that isn’t shown; see `POST …/messages/:messageId/show`.',
      }),
    }),
  },
  { description: 'A message that matches, by its text or the name of one of its files.' },
);
export type SearchHit = Static<typeof SearchHit>;

/** Answer of `GET /api/v1/search`, best first. Deleted chats and messages are left out, archived ones are not. */
export const SearchResults = Type.Object({
  messages: Type.Array(SearchHit, { description: 'Best first.' }),
  chats: Type.Array(Chat, { description: 'Chats whose title matches, latest change first; only a few.' }),
  hasMore: Type.Boolean({ description: 'Whether there are more messages than `limit`.' }),
});
export type SearchResults = Static<typeof SearchResults>;
