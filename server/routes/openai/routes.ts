/** OpenAI's API, for programs that use it: they only need another address and key. */
import type { App } from '../../plugins/endpoints.ts';
import { setupChatCompletionRoute } from './chat-completions.ts';
import { setupOpenAiModelRoutes, type OpenAiModelDeps } from './models.ts';
import { setupResponseRoutes, type ResponseDeps } from './responses.ts';
import { setupStoredResponseRoutes } from './stored-responses.ts';

/** Dependencies of these endpoints. */
export type OpenAiRouteDeps = ResponseDeps & OpenAiModelDeps;

/** The endpoints under `/v1`. */
export function setupOpenAiRoutes(app: App, deps: OpenAiRouteDeps): void {
  setupOpenAiModelRoutes(app, deps);
  setupChatCompletionRoute(app, deps);
  setupResponseRoutes(app, deps);
  setupStoredResponseRoutes(app, deps);
}
