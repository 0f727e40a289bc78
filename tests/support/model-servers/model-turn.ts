import type { Provider } from '../../../shared/api/connection.ts';
import { runTurn } from '../../../server/turns/thread/run-turn.ts';
import { createToolKit } from '../../../server/turns/thread/tool-kit.ts';
import { findAgent, type AgentDefinition } from '../../../server/agents/definitions.ts';
import type { TurnRequest, TurnResult } from '../../../server/agents/turn.ts';
import type { ModelAccess } from '../../../server/connections/model-access.ts';
import { createConnectedModel } from '../../../server/models/connected-model.ts';
import type { Patience } from '../../../server/models/patience.ts';
import { THREAD_TOOLS } from '../../../server/tools/index.ts';
import type { Tool } from '../../../server/tools/tool.ts';
import { offerTools } from '../../../server/turns/offer-tools.ts';
import { recordedPorts, turnRequest, type RecordedPorts } from '../turns.ts';
import type { ModelServer } from './model-server.ts';

/** Patience for tests: like the real one, only shorter. */
export const SHORT_PATIENCE: Patience = {
  firstTokenMs: 4_000,
  readingMs: () => 0,
  idleMs: 400,
  tries: 3,
  retryMs: 5_000,
  pauseMs: 20,
  longestPauseMs: 60_000,
  longestOwnPauseMs: 100,
  longestMs: 60_000,
  noticeMs: 300,
};

const KIT = createToolKit(THREAD_TOOLS);

/** How the model of a fake server is reached. */
export const accessTo = (
  server: ModelServer,
  provider: Provider,
  changes: Partial<ModelAccess> = {},
): ModelAccess => ({
  provider,
  baseUrl: server.baseUrl,
  apiKey: 'sk-test-0123456789abcdef',
  modelId: 'fake-model',
  ...changes,
});

/** How a turn went. */
export interface RanTurn {
  result: TurnResult;
  ports: RecordedPorts;
  faults: string[];
}

/** Runs one turn with a connected model, in this thread, with the tools that its agent gets of Parley's, and these of the service. */
export async function runModelTurn(
  content: string,
  access: ModelAccess,
  changes: {
    patience?: Partial<Patience>;
    request?: Partial<TurnRequest>;
    ports?: RecordedPorts;
    agent?: AgentDefinition;
    hosted?: Tool[];
  } = {},
): Promise<RanTurn> {
  const { ports = recordedPorts() } = changes;
  const faults: string[] = [];
  const model = `box/${access.modelId}`;
  const { agent } = await offerTools(
    [{ isForOffline: false, list: () => Promise.resolve(changes.hosted ?? []) }],
    { agents: [changes.agent ?? findAgent('orchestrator')], model, access, reach: 'all', isChat: false },
    (error) => faults.push(String(error)),
  );
  const request = turnRequest(content, { model, access, agent, ...changes.request });
  const result = await runTurn(request, ports, {
    createModel: (_name, context) =>
      context.access === undefined
        ? null
        : createConnectedModel(context.access, { ...SHORT_PATIENCE, ...changes.patience }, context.onWaiting),
    tools: KIT,
    onFault: (where, error) => faults.push(`${where}: ${String(error)}`),
  });
  return { result, ports, faults };
}
