import { Type, type Static } from 'typebox';
import { DEFAULT_SEARCH_LIMIT, MAX_QUERY_CHARACTERS, MAX_SEARCH_LIMIT } from '../limits.ts';
import { Chat } from './chat.ts';
import { Timestamp, WorkspaceId } from './common.ts';
import { MESSAGE_ROLES } from './message.ts';

/** Query of `GET /api/v1/search`. */
export const SearchQuery = Type.Object({
  q: Type.String({
    description: 'Words as a person types them: each must occur, the last may be the start of a word.',
    maxLength: MAX_QUERY_CHARACTERS,
    expected: `text of at most ${MAX_QUERY_CHARACTERS} characters`,
  }),
  limit: Type.Optional(
    Type.String({
      description: `At most so many messages; ${DEFAULT_SEARCH_LIMIT} unless given.`,
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
    match: Type.Boolean({ description: 'Whether it is one of the words searched for.' }),
  },
  { description: "A run of a snippet's text; `match` where it is one of the words searched for." },
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
      description: 'The part of the text around the words; the name of the file where they are in `file`.',
    }),
    file: Type.Optional(
      Type.String({
        description: 'The words are in the name of this file of the message.',
        examples: ['invoice.pdf'],
      }),
    ),
    hidden: Type.Optional(
      Type.Literal(true, {
        description:
          'The message belongs to a version that is not the one shown; see `POST …/messages/:messageId/show`.',
      }),
    ),
  },
  { description: 'A message that holds the words, or has a file whose name does.' },
);
export type SearchHit = Static<typeof SearchHit>;

/** Answer of `GET /api/v1/search`, best first. Deleted chats and messages are left out, archived ones are not. */
export const SearchResults = Type.Object({
  messages: Type.Array(SearchHit, { description: 'Best first.' }),
  chats: Type.Array(Chat, { description: 'Chats whose title holds the words, newest change first; few.' }),
  hasMore: Type.Boolean({ description: 'There are more messages than `limit`.' }),
});
export type SearchResults = Static<typeof SearchResults>;
