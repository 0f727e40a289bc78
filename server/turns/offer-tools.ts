/** Which tools the agents of a turn get, and which of their calls a person is asked about: decided here, before it begins. */
import { isRehearsal, OFFLINE_MODEL_NAME } from '../../shared/models.ts';
import type { AgentDefinition } from '../agents/definitions.ts';
import type { TurnAgent, TurnTool } from '../agents/turn.ts';
import { isElsewhere } from '../connections/places.ts';
import type { ModelAccess } from '../connections/model-access.ts';
import type { ToolReach } from '../store/message-repository.ts';
import { askApprovalTool } from '../tools/ask-approval.ts';
import { mayUse, threadToolsOf } from '../tools/catalog.ts';
import type { Tool, ToolInfo, ToolSource } from '../tools/tool.ts';

/** For which turn tools are offered. */
export interface OfferRequest {
  /** The turn's agent, then those that it may ask. */
  agents: readonly [AgentDefinition, ...AgentDefinition[]];
  model: string;
  /** The message is a form for a tool that may come from any source, whatever the model. */
  wantsServiceTool?: boolean;
  /** How it is reached; null: it is built in. */
  access: ModelAccess | null;
  reach: ToolReach;
  /** Whether the message switches tools off: nothing is looked for that a turn would have to wait for. */
  isChat: boolean;
}

/** A tool whose calls the service is told of. */
export interface CallableTool {
  /** One of the agents' thread, which runs it itself, comes without what it does. */
  tool: ToolInfo | Tool;
  /** Whether a person is asked before each call. */
  asks: boolean;
}

/** What the agents of a turn get. */
export interface Offer {
  agent: TurnAgent;
  helpers: TurnAgent[];
  /** What their calls come to, by name. */
  callable: ReadonlyMap<string, CallableTool>;
}

/** No turn takes along more of the service's tools; each costs the model tokens. */
const MAX_TOOLS = 200;

/** Finds the tools of a turn. What two sources call the same is the first one's. */
export async function offerTools(
  sources: readonly ToolSource[],
  request: OfferRequest,
  onFault: (error: unknown) => void,
): Promise<Offer> {
  const { agents, access, reach, isChat } = request;
  const hosted = isChat || reach === 'none' ? [] : await gather(sources, request, onFault);
  const callable = new Map<string, CallableTool>();
  const outlines = new Map(hosted.map((tool) => [tool, outlineOf(tool)]));

  const offerTo = (agent: AgentDefinition): TurnAgent => {
    const offered: TurnTool[] = [];
    for (const tool of threadToolsOf(agent.tools, access !== null)) {
      const asks = asksFirst(tool, access);
      if (asks && reach === 'none') continue;
      if (asks) callable.set(tool.name, { tool, asks });
      offered.push({ runs: 'thread', name: tool.name, asks });
    }
    for (const [tool, outline] of outlines) {
      if (!mayUse(agent, tool)) continue;
      callable.set(tool.name, { tool, asks: asksFirst(tool, access) });
      offered.push(outline);
    }
    return { ...agent, offered };
  };

  const [agent, ...helpers] = agents;
  return { agent: offerTo(agent), helpers: helpers.map(offerTo), callable };
}

/** The built-in models do what the person's own words, or script, say; what only asks for connected ones asks nobody then. */
function asksFirst({ asks }: ToolInfo, access: ModelAccess | null): boolean {
  if (asks === 'always' || asks === 'never') return asks === 'always';
  return access !== null && (asks === 'connected' || isElsewhere(access));
}

async function gather(
  sources: readonly ToolSource[],
  { agents, model, wantsServiceTool = false }: OfferRequest,
  onFault: (error: unknown) => void,
): Promise<Tool[]> {
  const agentTypes = agents.map(({ name }) => name);
  const asked = sources.filter(
    ({ isForOffline }) => isForOffline || wantsServiceTool || model !== OFFLINE_MODEL_NAME,
  );
  const lists = await Promise.all(
    asked.map(async (source) => {
      try {
        return await source.list(agentTypes);
      } catch (error) {
        onFault(error);
        return [];
      }
    }),
  );
  const tools = new Map<string, Tool>();
  if (isRehearsal(model)) tools.set(askApprovalTool.name, askApprovalTool);
  for (const tool of lists.flat()) {
    if (tools.size < MAX_TOOLS && !tools.has(tool.name)) tools.set(tool.name, tool);
  }
  return [...tools.values()];
}

const outlineOf = ({ name, description, input }: Tool): TurnTool => ({
  runs: 'service',
  name,
  description,
  input,
});
