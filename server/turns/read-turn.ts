/** Reads what a turn needs: its rows, and how to reach its model. */
import type { Parameters } from '../../shared/api/parameters.ts';
import { DEFAULT_AGENT_TYPE } from '../../shared/limits.ts';
import { OFFLINE_MODEL_NAME, REHEARSAL_MODEL_NAME } from '../../shared/models.ts';
import { readBranch, type BranchBounds } from '../agents/branch.ts';
import { BUILT_IN_AGENTS, findAgent, type AgentDefinition } from '../agents/definitions.ts';
import type { TurnRequest } from '../agents/turn.ts';
import type { ResolvedAccess } from '../connections/access.ts';
import { isModelName } from '../connections/model-names.ts';
import { unlessAborted } from '../lib/unless-aborted.ts';
import { findAgentOfType, listAgents, type StoredAgent } from '../store/agent-repository.ts';
import { findOpening } from '../store/branch-repository.ts';
import { lesserReach, type StoredMessage, type ToolReach } from '../store/message-repository.ts';
import type { Reader } from '../store/types.ts';
import type { TakenTurn } from './chat-rows.ts';
import type { FiledMessage } from './turn-files.ts';

/** How much of a chat the built-in models read. A connected model gets all of it; what doesn't fit has been summarised. */
const BUILT_IN_BOUNDS: BranchBounds = { maxExchanges: 20, maxCharacters: 400_000 };

/** A conversation and the files of its messages. */
export interface FiledHistory extends Pick<TurnRequest, 'summary'> {
  messages: FiledMessage[];
}

/** The conversation up to the message to answer, which is the last one, and the summary of what came before. */
export function* readHistory(reader: Reader, turn: TakenTurn): Generator<void, FiledHistory> {
  const { chat, message } = turn;
  const bounds = isModelName(chat.model) ? BUILT_IN_BOUNDS : {};
  const { summary, exchanges } = yield* readBranch(reader, chat.id, { ...bounds, beforeSeq: message.seq });
  const messages = exchanges.flatMap(({ question, reply }): FiledMessage[] => [
    { ...filed(question), isUnanswered: reply === null },
    ...(reply === null
      ? []
      : [
          {
            message: {
              role: 'assistant' as const,
              content: reply.content,
              steps: reply.steps,
              ...(reply.rounds && { rounds: reply.rounds }),
              ...(reply.model !== chat.model && { isOfOther: true as const }),
            },
            attachments: [],
          },
        ]),
  ]);
  messages.push(filed(message));
  return { messages, ...(summary !== null && { summary: summary.text }) };
}

const filed = ({ content, attachments }: Pick<StoredMessage, 'content' | 'attachments'>): FiledMessage => ({
  message: { role: 'user', content, steps: [] },
  attachments: attachments ?? [],
});

/**
 * The chat's position in its rehearsal, counted in the store: the history leaves out replies that were stopped early, and may not
 * go back to the first message.
 */
export function readCue(reader: Reader, { chat, message }: TakenTurn): Pick<TurnRequest, 'rehearsal'> {
  const found = findOpening(reader, chat.id, message.seq);
  return found === null ? {} : { rehearsal: { opening: found.opening, turn: found.turn } };
}

/**
 * Which tools a turn may use: those that the key may use which sent the message. A rehearsal does what its script says, so it
 * also may use no more than whoever sent the script; ready scripts are Parley's own.
 */
export function readToolReach(reader: Reader, { chat, message }: TakenTurn): ToolReach {
  const own = message.toolReach ?? 'all';
  if (chat.model !== REHEARSAL_MODEL_NAME) return own;
  return lesserReach(own, findOpening(reader, chat.id, message.seq)?.toolReach ?? 'all');
}

/** The request carries the instructions of each. */
const MAX_HELPERS = 30;

/**
 * The chat's agent, then those that it may ask. Only the default agent may ask others: built-in ones and those that people made.
 * The offline assistant asks nobody.
 */
export function readAgents(
  reader: Reader,
  { agentType, model }: { agentType: string; model: string },
): [AgentDefinition, ...AgentDefinition[]] {
  const made = findAgentOfType(reader, agentType);
  const agent = made === null ? findAgent(agentType) : toDefinition(made);
  if (model === OFFLINE_MODEL_NAME || agent.name !== DEFAULT_AGENT_TYPE) return [agent];
  const helpers = listAgents(reader).slice(0, MAX_HELPERS).map(toDefinition);
  const types = new Set([DEFAULT_AGENT_TYPE, ...helpers.map(({ name }) => name)]);
  return [agent, ...BUILT_IN_AGENTS.filter(({ name }) => !types.has(name)), ...helpers];
}

/**
 * The agent with the parameters of a chat and of a message. The last value of each parameter counts; the last instructions are
 * added to the agent's own.
 */
export function withParameters(
  agent: AgentDefinition,
  ...later: readonly (Parameters | null)[]
): AgentDefinition {
  const { instructions = '', ...parameters } = [agent.parameters, ...later].reduce<Parameters>(
    (sum, more) => ({ ...sum, ...more }),
    {},
  );
  return { ...withInstructions(agent, instructions.trim()), parameters };
}

/** The agent with additional instructions; empty: none. */
export const withInstructions = (agent: AgentDefinition, more: string): AgentDefinition => ({
  ...agent,
  instructions: [agent.instructions, more].filter((text) => text !== '').join('\n\n'),
});

const toDefinition = ({
  agentType,
  name,
  description,
  instructions,
  tools,
  stepLimit,
  parameters,
}: StoredAgent): AgentDefinition => ({
  name: agentType,
  title: name,
  description,
  instructions,
  tools,
  stepLimit,
  parameters,
});

/**
 * How to reach a model, once that is known. If that takes too long (a key store may wait for a person), it is refused with
 * `timed_out`. Rejects with the signal's reason as soon as that fires.
 */
export async function resolveInTime(
  resolving: Promise<ResolvedAccess>,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<ResolvedAccess> {
  const late = Promise.withResolvers<ResolvedAccess>();
  const message = 'The key of the model’s connection could not be read in time; try again.';
  const timer = setTimeout(() => late.resolve({ kind: 'refused', code: 'timed_out', message }), timeoutMs);
  try {
    return await unlessAborted(signal, Promise.race([resolving, late.promise]));
  } finally {
    clearTimeout(timer);
  }
}
