import { Type, type Static } from 'typebox';
import { MAX_QUERY_CHARACTERS, MAX_SEARCH_LIMIT } from '../limits.ts';
import { Chat } from './chat.ts';
import { Timestamp, WorkspaceId } from './common.ts';
import { MESSAGE_ROLES } from './message.ts';

/** Query of `GET /api/v1/search`. */
export const SearchQuery = Type.Object({
  /** Words as a person types them: each must occur, the last may be the start of a word. */
  q: Type.String({
    maxLength: MAX_QUERY_CHARACTERS,
    description: `text of at most ${MAX_QUERY_CHARACTERS} characters`,
  }),
  /** At most so many messages; `DEFAULT_SEARCH_LIMIT` unless given. */
  limit: Type.Optional(
    Type.String({
      pattern: '^([1-9][0-9]?|100)$',
      description: `a whole number from 1 to ${MAX_SEARCH_LIMIT}`,
    }),
  ),
  workspaceId: Type.Optional(WorkspaceId),
});
export type SearchQuery = Static<typeof SearchQuery>;

/** A run of a snippet's text; `match` where it is one of the words searched for. */
export const SnippetPart = Type.Object({ text: Type.String(), match: Type.Boolean() });
export type SnippetPart = Static<typeof SnippetPart>;

/** A message that holds the words. */
export const SearchHit = Type.Object({
  messageId: Type.String(),
  chatId: Type.String(),
  chatTitle: Type.String(),
  role: Type.Enum([...MESSAGE_ROLES]),
  createdAt: Timestamp,
  /** The part of the text around the words. */
  snippet: Type.Array(SnippetPart),
  /** The message belongs to a version that is not the one shown; see `POST …/messages/:messageId/show`. */
  hidden: Type.Optional(Type.Literal(true)),
});
export type SearchHit = Static<typeof SearchHit>;

/** Answer of `GET /api/v1/search`, best first. Deleted chats and messages are left out, archived ones are not. */
export const SearchResults = Type.Object({
  messages: Type.Array(SearchHit),
  /** Chats whose title holds the words, newest change first; few. */
  chats: Type.Array(Chat),
  /** There are more messages than `limit`. */
  hasMore: Type.Boolean(),
});
export type SearchResults = Static<typeof SearchResults>;
