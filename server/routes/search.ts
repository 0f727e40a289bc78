import { SearchQuery, SearchResults } from '../../shared/api/search.ts';
import { DEFAULT_SEARCH_LIMIT } from '../../shared/limits.ts';
import { requireWorkspaceId, type HasWorkspace } from '../plugins/workspace.ts';
import type { SearchService } from '../search/search-service.ts';
import type { App } from '../plugins/route.ts';

/** `GET /api/v1/search`: messages and chats of a workspace by the words in them. */
export function setupSearchRoutes(app: App, search: SearchService, hasWorkspace: HasWorkspace): void {
  app.get(
    '/api/v1/search',
    { schema: { querystring: SearchQuery, response: { 200: SearchResults } } },
    async (request) => {
      const { q, limit } = request.query;
      const workspaceId = requireWorkspaceId(request, hasWorkspace);
      return search.search(workspaceId, q, limit === undefined ? DEFAULT_SEARCH_LIMIT : Number(limit));
    },
  );
}
