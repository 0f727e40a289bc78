/** OpenAI's API, for programs that use it: they only need another address and key. */
import type { App } from '../../plugins/endpoints.ts';
import { setupChatCompletionRoute } from './chat-completions.ts';
import type { OpenAiDeps } from './deps.ts';
import { setupOpenAiModelRoutes } from './models.ts';
import { setupResponseRoutes } from './responses.ts';
import { setupStoredResponseRoutes } from './stored-responses.ts';

/** The endpoints under `/v1`. */
export function setupOpenAiRoutes(app: App, deps: OpenAiDeps): void {
  setupOpenAiModelRoutes(app, deps);
  setupChatCompletionRoute(app, deps);
  setupResponseRoutes(app, deps);
  setupStoredResponseRoutes(app, deps);
}
