import type { AgentRuntime } from '../../server/agents/turn.ts';
import { threadUrl } from '../../server/lib/threads.ts';
import { createAgentThreads } from '../../server/turns/agent-threads.ts';

/**
 * Agents for all services of a process, which outlive each of them. Loading the models and tools takes longer than most tests: a thread does
 * so once, with the first turn.
 */
export function createSharedAgents(log: (line: string) => void) {
  const agents = createAgentThreads({ workerUrl: threadUrl('agent-worker'), idleMs: 600_000, log });
  const runtime: AgentRuntime = {
    run: (request, ports) => agents.run(request, ports),
    close: () => Promise.resolve(),
  };
  return { runtime, warm: () => agents.warm() };
}
