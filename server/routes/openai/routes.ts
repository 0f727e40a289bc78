/** OpenAI's format as another way in, for programs that know it: nothing changes for them but address and key. */
import type { App } from '../../plugins/route.ts';
import type { StatelessTurns } from '../../turns/stateless-turns.ts';
import { setupChatCompletionRoute } from './chat-completions.ts';
import { setupOpenAiModelRoutes, type OpenAiModelDeps } from './models.ts';
import { setupResponseRoutes, type ResponseDeps } from './responses.ts';
import { setupStoredResponseRoutes } from './stored-responses.ts';

/** The endpoints under `/v1`. */
export function setupOpenAiRoutes(
  app: App,
  deps: ResponseDeps & OpenAiModelDeps & { statelessTurns: StatelessTurns },
): void {
  setupOpenAiModelRoutes(app, deps);
  setupChatCompletionRoute(app, deps);
  setupResponseRoutes(app, deps);
  setupStoredResponseRoutes(app, deps);
}
