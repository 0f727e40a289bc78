import type { Reader, Writer } from './types.ts';

/** An agent that a person made. */
export interface StoredAgent {
  /** The `agentType` of its chats; no two have the same. */
  agentType: string;
  /** What people call it. */
  name: string;
  description: string;
  instructions: string;
  /** The model of its new chats; null: the workspace's. */
  model: string | null;
  tools: 'all' | string[];
  stepLimit: number;
  createdAt: string;
  updatedAt: string;
}

type Row = Omit<StoredAgent, 'tools'> & { tools: string };

const COLUMNS = `agent_type AS agentType, name, description, instructions, model, tools, step_limit AS stepLimit,
  created_at AS createdAt, updated_at AS updatedAt`;

const toAgent = (row: Row): StoredAgent => ({ ...row, tools: JSON.parse(row.tools) as StoredAgent['tools'] });

/** All agents that people made, oldest first. */
export function listAgents(reader: Reader): StoredAgent[] {
  return reader.all<Row>(`SELECT ${COLUMNS} FROM agents ORDER BY created_at, agent_type`).map(toAgent);
}

/** The agent of that type, or null. */
export function findAgentOfType(reader: Reader, agentType: string): StoredAgent | null {
  const row = reader.get<Row>(`SELECT ${COLUMNS} FROM agents WHERE agent_type = ?`, [agentType]);
  return row && toAgent(row);
}

/** How many agents people made. */
export function countAgents(reader: Reader): number {
  return reader.get<{ total: number }>('SELECT count(*) AS total FROM agents')?.total ?? 0;
}

/** Stores a new agent. */
export function createAgent(writer: Writer, agent: StoredAgent): void {
  writer.run(
    `INSERT INTO agents
      (agent_type, name, description, instructions, model, tools, step_limit, created_at, updated_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      agent.agentType,
      agent.name,
      agent.description,
      agent.instructions,
      agent.model,
      JSON.stringify(agent.tools),
      agent.stepLimit,
      agent.createdAt,
      agent.updatedAt,
    ],
  );
}

/** Stores what a person can change of an agent. */
export function updateAgent(writer: Writer, agent: Omit<StoredAgent, 'createdAt'>): void {
  writer.run(
    `UPDATE agents SET name = ?, description = ?, instructions = ?, model = ?, tools = ?, step_limit = ?, updated_at = ?
      WHERE agent_type = ?`,
    [
      agent.name,
      agent.description,
      agent.instructions,
      agent.model,
      JSON.stringify(agent.tools),
      agent.stepLimit,
      agent.updatedAt,
      agent.agentType,
    ],
  );
}

/** Removes an agent; false: there was none. Its chats keep their type. */
export function deleteAgent(writer: Writer, agentType: string): boolean {
  return writer.run('DELETE FROM agents WHERE agent_type = ?', [agentType]) > 0;
}
