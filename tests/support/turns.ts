import { refuseCalls } from '../../server/agents/call-tool.ts';
import type { Step } from '../../shared/api/message.ts';
import { findAgent, type AgentDefinition } from '../../server/agents/definitions.ts';
import type { TurnAgent, TurnPorts, TurnRequest, TurnTool } from '../../server/agents/turn.ts';
import { TOOL_CATALOG } from '../../server/tools/catalog.ts';
import { applyUpdate, NO_GROWTH, type GrowthUpdate } from '../../shared/growth.ts';
import { TEST_TOOLS } from './misbehaving-tools.ts';

let turns = 0;

const EVERY_TOOL = [...TEST_TOOLS, ...TOOL_CATALOG].map(({ name }) => name);

/** The default agent in a turn, with these fields changed. It gets the tools that it names, all in its thread. */
export function turnAgent(changes: Partial<AgentDefinition> = {}, others: TurnTool[] = []): TurnAgent {
  const agent = { ...findAgent('orchestrator'), ...changes };
  const names = agent.tools === 'all' ? EVERY_TOOL : agent.tools;
  return {
    ...agent,
    offered: [...names.map((name): TurnTool => ({ runs: 'thread', name })), ...others],
  };
}

/** A request to answer `content`, with these fields changed. */
export function turnRequest(content: string, changes: Partial<TurnRequest> = {}): TurnRequest {
  turns += 1;
  return {
    chatId: `chat-${turns}`,
    workspaceId: 'workspace',
    agent: turnAgent(),
    mode: 'agent',
    model: 'scripted',
    access: null,
    messages: [{ role: 'user', content, steps: [] }],
    now: '2026-11-20T12:45:00.000Z',
    timeZone: 'Europe/Paris',
    ...changes,
  };
}

/** Ports that record what they get: `text` and `steps` as a reader of the updates would have them. */
export interface RecordedPorts extends TurnPorts {
  updates: GrowthUpdate[];
  readonly text: string;
  readonly steps: Step[];
  abort(reason: unknown): void;
  /** Resolves when an update has been given for which `matches` holds. */
  seen(matches: (update: GrowthUpdate) => boolean): Promise<void>;
}

/** Fresh ports, whose calls of the service's tools are refused. */
export function recordedPorts(): RecordedPorts {
  const controller = new AbortController();
  const updates: GrowthUpdate[] = [];
  const waiting: { matches: (update: GrowthUpdate) => boolean; resolve: () => void }[] = [];
  return {
    callTool: refuseCalls,
    signal: controller.signal,
    updates,
    onUpdate: (update) => {
      updates.push(update);
      for (const { matches, resolve } of waiting) if (matches(update)) resolve();
    },
    get text() {
      return updates.reduce(applyUpdate, NO_GROWTH).content;
    },
    get steps() {
      return updates.reduce(applyUpdate, NO_GROWTH).steps;
    },
    abort: (reason) => controller.abort(reason),
    seen: (matches) =>
      updates.some(matches)
        ? Promise.resolve()
        : new Promise((resolve) => waiting.push({ matches, resolve })),
  };
}
