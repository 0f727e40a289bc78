import { DEFAULT_AGENT_TYPE } from '../../shared/limits.ts';

/** What makes one kind of agent: plain data, so that people can make their own. */
export interface AgentDefinition {
  /** The `agentType` of the chats it answers. */
  name: string;
  /** What people call it. */
  title: string;
  /** One sentence on what it is for. */
  description: string;
  /** What the model is told before the conversation. */
  instructions: string;
  /** Names of the tools it may use, or `all`. Names no tool has are passed over. */
  tools: 'all' | readonly string[];
  /** Rounds of model work one reply may take, the last one included; at least 1. */
  stepLimit: number;
}

const ORCHESTRATOR: AgentDefinition = {
  name: DEFAULT_AGENT_TYPE,
  title: 'Assistant',
  description:
    'Answers questions and uses its tools wherever they can find out or work out something exactly.',
  instructions:
    'You are the assistant in Parley, a chat app on this person’s own computer. Answer in Markdown, in the language ' +
    'of the question, plainly and without filler. When a tool can find out or compute something exactly, use it ' +
    'rather than guess. When something cannot be done, say so and say what can be done instead.',
  tools: 'all',
  stepLimit: 12,
};

/** The definitions that come with the app. */
export const BUILT_IN_AGENTS: readonly AgentDefinition[] = [ORCHESTRATOR];

/** The definition a chat of this `agentType` uses; one that is not known behaves as the orchestrator. */
export function findAgent(
  agentType: string,
  agents: readonly AgentDefinition[] = BUILT_IN_AGENTS,
): AgentDefinition {
  return agents.find((agent) => agent.name === agentType) ?? ORCHESTRATOR;
}
