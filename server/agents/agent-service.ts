/** The agents that people make, besides the built-in ones. Knows nothing of HTTP. */
import type { CreateAgentBody, UpdateAgentBody } from '../../shared/api/agent.ts';
import type { Agent } from '../../shared/api/catalog.ts';
import { DEFAULT_AGENT_STEPS, MAX_AGENTS } from '../../shared/limits.ts';
import { cleanName, readName, storableText } from '../lib/clean-name.ts';
import { requireKnownModel } from '../connections/known-models.ts';
import { slugFor } from '../lib/slug.ts';
import { AppError, invalidField } from '../errors.ts';
import {
  countAgents,
  createAgent,
  deleteAgent,
  findAgentOfType,
  listAgents,
  updateAgent,
  type StoredAgent,
} from '../store/agent-repository.ts';
import { readSettled } from '../store/read-settled.ts';
import type { Reader, Store } from '../store/types.ts';
import { findOwnTool } from '../tools/catalog.ts';
import { isKnownAgent } from './answerers.ts';
import { BUILT_IN_AGENTS, type AgentDefinition } from './definitions.ts';

/**
 * Managing agents. Answers come once the change is on disk. Changes reject with AppError `invalid_request`, `conflict` (the type is
 * taken, it is built in, or there are too many), or when the disk refuses. Null: there is no such agent.
 */
export type AgentService = ReturnType<typeof createAgentService>;

/** Makes the agent service of a store. */
export function createAgentService({ store, clock }: { store: Store; clock: () => Date }) {
  return {
    /** The default, the other built-in ones, then those that people made, oldest first. */
    async list(): Promise<Agent[]> {
      const made = await readSettled(store, listAgents);
      // A person's agent may be older than one that came with a later version under the same type.
      const types = new Set(made.map(({ agentType }) => agentType));
      return [
        ...BUILT_IN_AGENTS.filter(({ name }) => !types.has(name)).map(builtInAgent),
        ...made.map(toAgent),
      ];
    },

    create: (body: CreateAgentBody): Promise<Agent> =>
      store.write((writer) => {
        if (countAgents(writer) >= MAX_AGENTS) throw new AppError('conflict', TOO_MANY);
        const name = readName(body.name);
        const isTaken = (type: string): boolean => isKnownAgent(writer, type);
        const agentType = body.agentType ?? slugFor(name, 'agent', isTaken);
        if (isTaken(agentType)) {
          throw new AppError(
            'conflict',
            `There is already an agent of type “${agentType}”; choose another type.`,
          );
        }
        const now = clock().toISOString();
        const agent: StoredAgent = {
          agentType,
          name,
          description: oneLine(body.description ?? ''),
          instructions: storableText(body.instructions ?? '').trim(),
          model: readModel(writer, body.model ?? null),
          tools: readTools(body.tools ?? 'all'),
          stepLimit: body.stepLimit ?? DEFAULT_AGENT_STEPS,
          parameters: body.parameters ?? {},
          createdAt: now,
          updatedAt: now,
        };
        createAgent(writer, agent);
        return toAgent(agent);
      }),

    /** Applies from the next turn on. */
    update: (agentType: string, change: UpdateAgentBody): Promise<Agent | null> =>
      store.write((writer) => {
        const before = findToChange(writer, agentType);
        if (before === null) return null;
        const { name, description, instructions, model, tools, stepLimit, parameters } = change;
        const agent: StoredAgent = {
          ...before,
          ...(name !== undefined && { name: readName(name) }),
          ...(description !== undefined && { description: oneLine(description) }),
          ...(instructions !== undefined && { instructions: storableText(instructions).trim() }),
          // Its current model may no longer exist, and stays.
          ...(model !== undefined && model !== before.model && { model: readModel(writer, model) }),
          ...(tools !== undefined && { tools: readTools(tools, before.tools) }),
          ...(stepLimit !== undefined && { stepLimit }),
          ...(parameters !== undefined && { parameters }),
          updatedAt: clock().toISOString(),
        };
        updateAgent(writer, agent, agentType);
        return toAgent(agent);
      }),

    /** Its chats keep its type and use the default agent. */
    remove: (agentType: string): Promise<Agent | null> =>
      store.write((writer) => {
        const agent = findToChange(writer, agentType);
        if (agent === null) return null;
        deleteAgent(writer, agentType);
        return toAgent(agent);
      }),
  };
}

const TOO_MANY = `There are ${MAX_AGENTS} agents already, which is the most there can be; remove one first.`;

const findBuiltIn = (agentType: string): AgentDefinition | null =>
  BUILT_IN_AGENTS.find(({ name }) => name === agentType) ?? null;

function findToChange(reader: Reader, agentType: string): StoredAgent | null {
  const agent = findAgentOfType(reader, agentType);
  const builtIn = findBuiltIn(agentType);
  if (agent === null && builtIn !== null) {
    throw new AppError(
      'conflict',
      `“${builtIn.title}” is built in, so it can’t be changed or deleted. Make a copy of it.`,
    );
  }
  return agent;
}

const builtInAgent = ({ name, title, tools, ...agent }: AgentDefinition): Agent => ({
  ...agent,
  agentType: name,
  name: title,
  builtIn: true,
  model: null,
  tools: tools === 'all' ? 'all' : [...tools],
});

const toAgent = ({ parameters, createdAt: _created, updatedAt: _updated, ...agent }: StoredAgent): Agent => ({
  ...agent,
  builtIn: false,
  ...(Object.keys(parameters).length > 0 && { parameters }),
});

const oneLine = (text: string): string => cleanName(text) ?? '';

function readModel(reader: Reader, model: string | null): string | null {
  requireKnownModel(reader, 'model', model);
  return model;
}

function readTools(tools: 'all' | string[], had: 'all' | string[] = []): 'all' | string[] {
  if (tools === 'all') return tools;
  const unknown = tools.find((tool) => findOwnTool(tool) === null && !had.includes(tool));
  if (unknown !== undefined) {
    throw invalidField('tools', `"tools" names “${unknown}”, which GET /api/v1/tools does not list.`);
  }
  return [...new Set(tools)];
}
