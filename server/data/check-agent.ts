import { UpdateAgentBody } from '../../shared/api/agent.ts';
import { AgentType, Timestamp } from '../../shared/api/common.ts';
import { cleanName, storableText } from '../lib/clean-name.ts';
import type { StoredAgent } from '../store/agent-repository.ts';
import { isObject, soundFields } from './mend-fields.ts';

/** As the API takes them: lengths count in characters, not in halves of them. */
const FIELDS = {
  ...UpdateAgentBody.properties,
  agentType: AgentType,
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

/** An agent of a backup; null when it isn't as it was written. */
export function checkAgent(value: unknown): StoredAgent | null {
  if (!isObject(value)) return null;
  const name = typeof value['name'] === 'string' ? cleanName(value['name']) : null;
  // Backups of earlier versions have no parameters.
  const sound = soundFields(FIELDS, { parameters: {}, ...value, name }, []);
  if (Object.keys(sound).length < Object.keys(FIELDS).length) return null;
  const agent = sound as unknown as StoredAgent;
  if ([agent.createdAt, agent.updatedAt].some((time) => Number.isNaN(Date.parse(time)))) return null;
  return {
    ...agent,
    description: storableText(agent.description),
    instructions: storableText(agent.instructions),
    model: agent.model && storableText(agent.model),
  };
}
