import { Type } from 'typebox';
import { WorkspaceQuery } from '../../shared/api/common.ts';
import { DraftAnswer, DraftBody, DraftList } from '../../shared/api/draft.ts';
import type { DraftService } from '../chats/drafts.ts';
import { invalidField } from '../errors.ts';
import { requireWorkspaceId, type HasWorkspace } from '../plugins/workspace.ts';
import { absentBodyIsEmpty, type App } from '../plugins/route.ts';

const DraftParams = Type.Object({
  chatKey: Type.String({
    description: 'The chat’s id, or `new` for the chat that does not exist yet.',
    pattern: '^[A-Za-z0-9_-]{1,100}$',
    expected: '1 to 100 letters, digits, "_" or "-"',
  }),
});

/** What the routes below call. */
export interface DraftRouteDeps {
  drafts: DraftService;
  hasWorkspace: HasWorkspace;
}

/** Endpoints about what was written and not yet sent. */
export function setupDraftRoutes(app: App, { drafts, hasWorkspace }: DraftRouteDeps): void {
  app.get(
    '/api/v1/drafts',
    {
      schema: {
        operationId: 'listDrafts',
        summary: 'List drafts',
        tags: ['Drafts'],
        description: 'All of the workspace.',
        errors: ['workspace_required'],
        querystring: WorkspaceQuery,
        response: { 200: DraftList },
      },
    },
    async (request) => ({ drafts: await drafts.list(requireWorkspaceId(request, hasWorkspace)) }),
  );

  app.put(
    '/api/v1/drafts/:chatKey',
    {
      schema: {
        operationId: 'saveDraft',
        summary: 'Keep a draft',
        tags: ['Drafts'],
        description:
          'Of two drafts the newer counts, of two of the same time the later to arrive; a time more than a minute ahead counts as now. An empty text forgets the draft. Answers the draft that counts now.',
        errors: ['workspace_required'],

        params: DraftParams,
        body: DraftBody,
        querystring: WorkspaceQuery,
        response: { 200: DraftAnswer },
      },
      preValidation: absentBodyIsEmpty,
    },
    async (request) => {
      const { text, updatedAt } = request.body;
      const workspaceId = requireWorkspaceId(request, hasWorkspace);
      if (!isTime(updatedAt)) {
        throw invalidField('updatedAt', '"updatedAt" must be an ISO 8601 UTC time with milliseconds.');
      }
      const { chatKey } = request.params;
      return { draft: await drafts.save(workspaceId, { chatKey, text, updatedAt }) };
    },
  );
}

/** The pattern lets the 45th of January pass; dates that are none would win or lose at random. */
function isTime(text: string): boolean {
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && new Date(ms).toISOString() === text;
}
