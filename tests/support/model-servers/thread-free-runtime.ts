import { runTurn } from '../../../server/turns/thread/run-turn.ts';
import { createToolKit } from '../../../server/turns/thread/tool-kit.ts';
import type { AgentRuntime } from '../../../server/agents/turn.ts';
import { createConnectedModel } from '../../../server/models/connected-model.ts';
import { createRefusals } from '../../../server/models/known-refusals.ts';
import { THREAD_TOOLS } from '../../../server/tools/index.ts';
import { SHORT_PATIENCE } from './model-turn.ts';

/** Runs turns with connected models in this thread, and remembers what their servers refuse. */
export function threadFreeRuntime(): AgentRuntime {
  const refusals = createRefusals();
  return {
    async run(asked, ports) {
      const request = refusals.addTo(asked);
      const result = await runTurn(request, ports, {
        createModel: (_name, { access }) =>
          access === undefined ? null : createConnectedModel(access, { ...SHORT_PATIENCE, tries: 1 }),
        tools: createToolKit(THREAD_TOOLS),
        onFault: (where, error) => {
          throw new Error(where, { cause: error });
        },
      });
      refusals.learn(request.access, request.access?.refused);
      return result;
    },
    close: () => Promise.resolve(),
  };
}
