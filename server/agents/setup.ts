/** What a connected model reads before a conversation: the instructions of the chat's agent and project, and its tools. */
import { readingLimit } from '../connections/known-models.ts';
import type { ContextSetup } from '../../shared/api/context.ts';
import { ASK_AGENT, fitTools, toolRoom, type WeighedTool } from '../tools/tool-budget.ts';
import { isModelName } from '../connections/model-names.ts';
import { toolTokens } from '../models/request-size.ts';
import { listAllowedFolders } from '../store/allowed-folder-repository.ts';
import { textOf } from '../lib/fields.ts';
import type { StoredChat } from '../store/chat-repository.ts';
import { listMcpServers } from '../store/mcp-repository.ts';
import { findProjectOf } from '../store/project-repository.ts';
import { findSetting } from '../store/settings-repository.ts';
import { listSkillsOf } from '../store/skill-repository.ts';
import type { Reader } from '../store/types.ts';
import { mayUse, threadToolsOf, TOOL_CATALOG, type CatalogEntry } from '../tools/catalog.ts';
import { skillTokens } from '../tools/files/skill-tokens.ts';
import { readAgents } from './read-agents.ts';
import { estimateTokens } from '../models/estimate.ts';

/** The time, the zone, and how tools are to be used. */
const GENERAL_TOKENS = 90;
/** The default agent's way to hand on work names each agent. */
const ASKING_TOKENS = 100;
const ASKED_TOKENS = 25;

/** The instructions that a chat shares with others: those for every chat, and its project's; empty: none. */
export const sharedInstructions = (
  reader: Reader,
  chat: Pick<StoredChat, 'workspaceId' | 'projectId'>,
): [string, string] => [
  textOf(findSetting(reader, 'instructions')) ?? '',
  findProjectOf(reader, chat)?.instructions ?? '',
];

/** What the model of a chat would read first with the next message; null: the model is built in. */
export function estimateSetup(
  reader: Reader,
  chat: Pick<StoredChat, 'agentType' | 'model' | 'workspaceId' | 'projectId'>,
): ContextSetup | null {
  const { agentType, model } = chat;
  if (isModelName(model)) return null;
  const [agent, ...helpers] = readAgents(reader, chat);
  const instructions =
    [agent.instructions, ...sharedInstructions(reader, chat)].reduce(
      (sum, text) => sum + estimateTokens(text),
      0,
    ) + GENERAL_TOKENS;
  const isFetching = findSetting(reader, 'webFetch') === true;
  const hasFolders = listAllowedFolders(reader).length > 0;
  const skills = listSkillsOf(reader, agentType);
  const ofThread = new Set(threadToolsOf(agent.tools, true));
  const isThere = (tool: CatalogEntry): boolean => {
    if (tool.runs === 'thread') return ofThread.has(tool);
    if (!mayUse(agent, tool)) return false;
    if (tool.runs === 'workspace') return true;
    if (tool.name === 'fetch_page') return isFetching;
    return tool.name === 'read_skill' ? skills.length > 0 : hasFolders;
  };
  const tools: WeighedTool[] = [
    ...TOOL_CATALOG.filter(isThere).map((tool) =>
      tool.name === 'read_skill'
        ? { ...tool, tokens: skills.reduce((sum, skill) => sum + skillTokens(skill), tool.tokens) }
        : tool,
    ),
    ...serverTools(reader, agent),
    ...(helpers.length > 0 ? [asking(helpers.length)] : []),
  ];
  const { offered, leftOut } = fitTools(tools, toolRoom(readingLimit(reader, model), instructions));
  return {
    tokens: instructions + offered.reduce((sum, { tokens }) => sum + tokens, 0),
    tools: offered.length,
    leftOut: leftOut.map(({ name }) => name),
  };
}

const serverTools = (
  reader: Reader,
  agent: { name: string; tools: 'all' | readonly string[] },
): WeighedTool[] =>
  listMcpServers(reader)
    .filter(({ enabled }) => enabled)
    .flatMap(({ agents, tools }) => tools.filter(({ name }) => mayUse(agent, { name, agents })))
    .map(({ name, description, inputSchema }) => ({
      name,
      tokens: toolTokens({ name, description, inputSchema }),
    }));

const asking = (helpers: number): WeighedTool => ({
  name: ASK_AGENT,
  tokens: ASKING_TOKENS + helpers * ASKED_TOKENS,
});
