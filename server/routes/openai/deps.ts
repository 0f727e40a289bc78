import type { AgentService } from '../../agents/agent-service.ts';
import type { ModelAndAgent } from '../../agents/answerers.ts';
import type { Authenticator } from '../../auth/authenticator.ts';
import type { ChatChanges } from '../../chats/change-chat.ts';
import type { ChatService } from '../../chats/chat-service.ts';
import type { ConnectionService } from '../../connections/connection-service.ts';
import type { Exchanges } from '../../events/exchanges.ts';
import type { OnError } from '../../plugins/error-handler.ts';
import type { WebOptions } from '../../tools/web/fetch-guarded.ts';
import type { StatelessTurns } from '../../turns/stateless-turns.ts';
import type { KeptRounds } from './kept-rounds.ts';

/** Dependencies of the endpoints under `/v1`. */
export interface OpenAiDeps {
  findAnswerer: (name: string, workspaceId: string | null) => ModelAndAgent | null;
  statelessTurns: StatelessTurns;
  keptRounds: KeptRounds;
  web: WebOptions;
  authenticator: Pick<Authenticator, 'watch'>;
  chats: Pick<ChatService, 'admitTo' | 'send' | 'stop' | 'deleteMessage'>;
  chatChanges: Pick<ChatChanges, 'remove'>;
  exchanges: Exchanges;
  connections: Pick<ConnectionService, 'models'>;
  agents: Pick<AgentService, 'list'>;
  /** Called with internal errors. */
  onError: OnError;
}
