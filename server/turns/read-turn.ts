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

/** How much the offline assistant reads. A connected model gets everything; what doesn't fit was summarised before. */
const BUILT_IN_BOUNDS: BranchBounds = { maxExchanges: 20, maxCharacters: 400_000 };

/** A conversation and the files of its messages. */
export interface FiledHistory extends Pick<TurnRequest, 'summary'> {
  messages: FiledMessage[];
}

/** The conversation up to the message to answer, which comes last, and the summary of what came before. */
export function readHistory(reader: Reader, turn: TakenTurn): FiledHistory {
  const { chat, message } = turn;
  const bounds = isModelName(chat.model) ? BUILT_IN_BOUNDS : {};
  const { summary, exchanges } = readBranch(reader, chat.id, { ...bounds, beforeSeq: message.seq });
  const messages = exchanges.flatMap(({ question, reply }): FiledMessage[] => [
    { ...filed(question), isUnanswered: reply === null },
    ...(reply === null
      ? []
      : [
          {
            message: { role: 'assistant' as const, content: reply.content, steps: reply.steps },
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
 * Where the chat's rehearsal stands. Counted in the store, not in the history: that leaves out what was stopped early, and
 * doesn't reach back to the first message for ever.
 */
export function readCue(reader: Reader, { chat, message }: TakenTurn): Pick<TurnRequest, 'rehearsal'> {
  const found = findOpening(reader, chat.id, message.seq);
  return found === null ? {} : { rehearsal: { opening: found.opening, turn: found.turn } };
}

/**
 * Which tools a turn gets: those of the key that sent the message. A rehearsal does what its script says, so it gets no more
 * than whoever wrote that; ready scripts are Parley's own.
 */
export function readToolReach(reader: Reader, { chat, message }: TakenTurn): ToolReach {
  const own = message.toolReach ?? 'all';
  if (chat.model !== REHEARSAL_MODEL_NAME) return own;
  return lesserReach(own, findOpening(reader, chat.id, message.seq)?.toolReach ?? 'all');
}

/** Each brings its instructions along. */
const MAX_HELPERS = 30;

/**
 * The chat's agent, then those that it may ask: the default one may ask the others that are built in, and those that people
 * made. The offline assistant asks nobody.
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
 * The agent as a chat, and then a message, wants it: of each parameter the last one given counts, in place of its own; the last
 * instructions are told besides its own.
 */
export function withParameters(
  agent: AgentDefinition,
  ...given: readonly (Parameters | null)[]
): AgentDefinition {
  const { instructions = '', ...parameters } = [agent.parameters, ...given].reduce<Parameters>(
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
 * What a look-up of a model found. One that takes too long (a key store may wait for a person) is refused with `timed_out`;
 * rejects with the signal's reason as soon as that fires.
 */
export async function resolveInTime(
  looked: Promise<ResolvedAccess>,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<ResolvedAccess> {
  const late = Promise.withResolvers<ResolvedAccess>();
  const message = 'The key of the model’s connection could not be read in time; try again.';
  const timer = setTimeout(() => late.resolve({ kind: 'refused', code: 'timed_out', message }), timeoutMs);
  try {
    return await unlessAborted(signal, Promise.race([looked, late.promise]));
  } finally {
    clearTimeout(timer);
  }
}
