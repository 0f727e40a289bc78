import { SearchQuery, SearchResults } from '../../shared/api/search.ts';
import { DEFAULT_SEARCH_LIMIT } from '../../shared/limits.ts';
import type { SearchService } from '../search/search-service.ts';
import { createEndpoints, type App } from '../plugins/endpoints.ts';

/** `GET /api/v1/search`: messages and chats of a workspace by the words in them. */
export function setupSearchRoutes(app: App, search: SearchService): void {
  const api = createEndpoints(app, 'Search');
  api.get('/api/v1/search', 'search', 'Search messages and chats', {
    description:
      '`messages` come best first. Every word must occur, the last may be unfinished from three letters on, or one behind a sign (`max_r`); the first 16 different words count, case, width, accents, the kind of kana and the script of digits don’t matter, and nothing is an operator. `C++`, `C#`, arrows and operators of two signs are found as such. `wifi` finds `Wi-Fi`, `dont` `don’t` and `nodejs` `Node.js`. Of more than 500 that match, the newest 500 are ranked. In scripts without spaces between words any part of the text is found, and so are Latin words and emoji within it. `chats` are up to five whose title holds the words. Deleted chats and messages are left out, archived ones are not.',
    query: SearchQuery,
    response: { 200: SearchResults },
    workspace: 'required',
    handle: async ({ query, workspaceId }) => {
      const { q, limit } = query;
      return search.search(workspaceId, q, limit === undefined ? DEFAULT_SEARCH_LIMIT : Number(limit));
    },
  });
}
