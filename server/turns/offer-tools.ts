/** Decides before a turn starts which tools its agents get and which calls need a person's approval. */
import { isRehearsal, OFFLINE_MODEL_NAME } from '../../shared/models.ts';
import type { AgentDefinition } from '../agents/definitions.ts';
import type { TurnAgent, TurnTool } from '../agents/turn.ts';
import { leavesComputer } from '../connections/server-address.ts';
import type { ModelAccess } from '../connections/model-access.ts';
import type { ToolReach } from '../store/message-repository.ts';
import { askApprovalTool } from '../tools/ask-approval.ts';
import { mayUse, threadToolsOf, type CatalogTool } from '../tools/catalog.ts';
import { findNotes, forgetNote, rememberNote } from '../tools/notes.ts';
import { searchMessages } from '../tools/search.ts';
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

/** A tool that the service runs. */
export interface CallableTool {
  tool: Tool;
  /** Whether a person is asked before each call. */
  asks: boolean;
}

/** What the agents of a turn get. */
export interface Offer {
  agent: TurnAgent;
  helpers: TurnAgent[];
  /** The tools that the service runs, by name. */
  callable: ReadonlyMap<string, CallableTool>;
}

/** The most service tools that a turn gets; each costs the model tokens. */
const MAX_TOOLS = 200;

/** They are there in every chat, in this order. */
const WORKSPACE_TOOLS: readonly Tool[] = [searchMessages, findNotes, rememberNote, forgetNote];

/** Finds the tools of a turn. If two sources use the same name, the first wins. */
export async function offerTools(
  sources: readonly ToolSource[],
  request: OfferRequest,
  onFault: (error: unknown) => void,
): Promise<Offer> {
  const { agents, access, reach, isChat } = request;
  const hosted = isChat ? [] : await gather(reach === 'none' ? [] : sources, request, onFault);
  const callable = new Map<string, CallableTool>();

  const offerTo = (agent: AgentDefinition): TurnAgent => {
    const offered: TurnTool[] = threadToolsOf(agent.tools, access !== null).map(({ name }) => ({
      runs: 'thread',
      name,
    }));
    for (const tool of hosted) {
      const { name, input } = tool;
      const asks = asksFirst(tool, access);
      if (!mayUse(agent, tool) || (asks && reach === 'none')) continue;
      const description = tool.descriptionFor ? tool.descriptionFor(agent.name) : tool.description;
      if (description === null) continue;
      callable.set(name, { tool, asks });
      const runs = tool.runs === 'workspace' ? 'workspace' : 'service';
      offered.push({ runs, name, description, input });
    }
    return { ...agent, offered };
  };

  const [agent, ...helpers] = agents;
  return { agent: offerTo(agent), helpers: helpers.map(offerTo), callable };
}

/** The built-in models only do what the person or script says, so tools that only ask for connected models don't ask. */
function asksFirst({ asks }: CatalogTool, access: ModelAccess | null): boolean {
  if (asks === 'always' || asks === 'never') return asks === 'always';
  return access !== null && (asks === 'connected' || leavesComputer(access));
}

async function gather(
  sources: readonly ToolSource[],
  { agents, model, wantsServiceTool = false }: OfferRequest,
  onFault: (error: unknown) => void,
): Promise<Tool[]> {
  const agentTypes = agents.map(({ name }) => name);
  const chosen = sources.filter(
    ({ isForOffline }) => isForOffline || wantsServiceTool || model !== OFFLINE_MODEL_NAME,
  );
  const lists = await Promise.all(
    chosen.map(async (source) => {
      try {
        return await source.list(agentTypes);
      } catch (error) {
        onFault(error);
        return [];
      }
    }),
  );
  const tools = new Map(WORKSPACE_TOOLS.map((tool) => [tool.name, tool]));
  if (isRehearsal(model)) tools.set(askApprovalTool.name, askApprovalTool);
  for (const tool of lists.flat()) {
    if (tools.size < MAX_TOOLS && !tools.has(tool.name)) tools.set(tool.name, tool);
  }
  return [...tools.values()];
}
