/** Decides before a turn starts which tools its agents get and which calls need a person's approval. */
import { isRehearsal, OFFLINE_MODEL_NAME } from '../../shared/models.ts';
import type { AgentDefinition } from '../agents/definitions.ts';
import type { TurnAgent, TurnTool } from '../agents/turn.ts';
import { isElsewhere } from '../connections/server-address.ts';
import type { ModelAccess } from '../connections/model-access.ts';
import type { ToolReach } from '../store/message-repository.ts';
import { askApprovalTool } from '../tools/ask-approval.ts';
import { mayUse, threadToolsOf } from '../tools/catalog.ts';
import type { ToolInfo } from '../tools/catalog.ts';
import type { Tool, ToolSource } from '../tools/tool.ts';

/** The turn to find tools for. */
export interface OfferRequest {
  /** The turn's agent, then those that it may ask. */
  agents: readonly [AgentDefinition, ...AgentDefinition[]];
  model: string;
  /** Whether the message is a form for a tool, which may come from any source, whatever the model. */
  wantsServiceTool?: boolean;
  /** How it is reached; null: it is built in. */
  access: ModelAccess | null;
  reach: ToolReach;
  /** Whether the message turns tools off, so that the turn doesn't wait for tool servers. */
  isChat: boolean;
}

/** A tool whose calls go through the service. */
export interface CallableTool {
  /** A tool that the agent thread runs comes without its code. */
  tool: ToolInfo | Tool;
  /** Whether a person is asked before each call. */
  asks: boolean;
}

/** What the agents of a turn get. */
export interface Offer {
  agent: TurnAgent;
  helpers: TurnAgent[];
  /** The tools whose calls go through the service, by name. */
  callable: ReadonlyMap<string, CallableTool>;
}

/** The most service tools that a turn gets; each costs the model tokens. */
const MAX_TOOLS = 200;

/** Finds the tools of a turn. If two sources use the same name, the first wins. */
export async function offerTools(
  sources: readonly ToolSource[],
  request: OfferRequest,
  onFault: (error: unknown) => void,
): Promise<Offer> {
  const { agents, access, reach, isChat } = request;
  const hosted = isChat || reach === 'none' ? [] : await gather(sources, request, onFault);
  const callable = new Map<string, CallableTool>();

  const offerTo = (agent: AgentDefinition): TurnAgent => {
    const offered: TurnTool[] = [];
    for (const tool of threadToolsOf(agent.tools, access !== null)) {
      const asks = asksFirst(tool, access);
      if (asks && reach === 'none') continue;
      if (asks) callable.set(tool.name, { tool, asks });
      offered.push({ runs: 'thread', name: tool.name, asks });
    }
    for (const tool of hosted) {
      if (!mayUse(agent, tool)) continue;
      const { name, input } = tool;
      const description = tool.descriptionFor ? tool.descriptionFor(agent.name) : tool.description;
      if (description === null) continue;
      callable.set(name, { tool, asks: asksFirst(tool, access) });
      offered.push({ runs: 'service', name, description, input });
    }
    return { ...agent, offered };
  };

  const [agent, ...helpers] = agents;
  return { agent: offerTo(agent), helpers: helpers.map(offerTo), callable };
}

/** The built-in models only do what the person or script says, so tools that only ask for connected models don't ask. */
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
