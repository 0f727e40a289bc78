import { Type, type Static } from 'typebox';
import { DEFAULT_SEARCH_LIMIT, MAX_QUERY_CHARACTERS, MAX_SEARCH_LIMIT } from '../limits.ts';
import { Chat } from './chat.ts';
import { choice, flag, list, marker, object, optional, text, Timestamp, WorkspaceId } from './common.ts';
import { MESSAGE_ROLES } from './message.ts';

/** Query of `GET /api/v1/search`. */
export const SearchQuery = Type.Object({
  q: text('The words to find. Each must occur; the last one may be the beginning of a word.', {
    maxLength: MAX_QUERY_CHARACTERS,
  }),
  limit: Type.Optional(
    text(`The maximum number of messages. Default: ${DEFAULT_SEARCH_LIMIT}.`, {
      pattern: '^([1-9][0-9]?|100)$',
      expected: `a whole number from 1 to ${MAX_SEARCH_LIMIT}`,
    }),
  ),
  workspaceId: Type.Optional(WorkspaceId),
});

export const SnippetPart = object('A part of a snippet.', {
  text: text('The text.', '12.5%'),
  match: flag('Whether it matches the search.'),
});
export type SnippetPart = Static<typeof SnippetPart>;

export const SearchHit = object('A message that matches, by its text or the name of one of its files.', {
  messageId: text('The message.', '0b9c7d52-1e3f-4a68-8c21-5d7e9f0a4b16'),
  chatId: text('The chat that it is in.', '6f1d2c0e-8a4b-4f6e-9d57-2b8f0c1a7e34'),
  chatTitle: text('The chat’s title.', 'Percentages'),
  role: choice(MESSAGE_ROLES, 'Who wrote it.'),
  createdAt: Timestamp,
  snippet: list(SnippetPart, 'The text around the match, or the file name if the match is in `file`.'),
  ...optional({
    file: text('Only if the match is in the name of a file of the message: that name.', 'invoice.pdf'),
    hidden: marker(
      'Only if the message belongs to a version that isn’t shown; see `POST …/messages/:messageId/show`.',
    ),
  }),
});
export type SearchHit = Static<typeof SearchHit>;

/** Answer of `GET /api/v1/search`, best first. Deleted chats and messages are left out, archived ones are not. */
export const SearchResults = Type.Object({
  messages: list(SearchHit, 'Best first.'),
  chats: list(Chat, 'Chats whose title matches, latest change first; only a few.'),
  hasMore: flag('Whether there are more messages than `limit`.'),
});
export type SearchResults = Static<typeof SearchResults>;
