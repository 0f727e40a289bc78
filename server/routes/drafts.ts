import { DraftAnswer, DraftBody, DraftList } from '../../shared/api/draft.ts';
import type { DraftService } from '../chats/drafts.ts';
import { invalidField } from '../errors.ts';
import { isTime } from '../lib/fields.ts';
import { createEndpoints, type App } from '../plugins/endpoints.ts';

/** Endpoints about drafts. */
export function setupDraftRoutes(app: App, drafts: DraftService): void {
  const api = createEndpoints(app, 'Drafts', { workspace: 'required' });
  api.get('/api/v1/drafts', 'listDrafts', 'List drafts', {
    description: 'All drafts of the workspace.',
    response: { 200: DraftList },
    result: ({ workspaceId }) => drafts.list(workspaceId),
  });

  api.put('/api/v1/drafts/:chatKey', 'saveDraft', 'Save a draft', {
    description:
      'The newer of two drafts wins; with equal times, the later to arrive. A time more than a minute ahead counts as now. An empty text deletes the draft. The response is the draft that is now stored.',
    body: DraftBody,
    response: { 200: DraftAnswer },
    result: ({ params, body, workspaceId }) => {
      const { text, updatedAt } = body;
      if (!isTime(updatedAt)) {
        throw invalidField('updatedAt', '"updatedAt" must be an ISO 8601 UTC time with milliseconds.');
      }
      const { chatKey } = params;
      return drafts.save(workspaceId, { chatKey, text, updatedAt });
    },
  });
}
