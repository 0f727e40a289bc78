import type { TurnRequest } from '../agents/turn.ts';
import { findAgentOfType } from '../store/agent-repository.ts';
import type { Reader } from '../store/types.ts';

/** The agent of that type as a turn takes it along, if a person made it. */
export function readAgent(reader: Reader, agentType: string): Pick<TurnRequest, 'agent'> {
  const agent = findAgentOfType(reader, agentType);
  if (agent === null) return {};
  const { name: title, description, instructions, tools, stepLimit } = agent;
  return { agent: { name: agentType, title, description, instructions, tools, stepLimit } };
}
