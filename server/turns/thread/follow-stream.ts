import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider';
import type { Usage } from '../../../shared/api/message.ts';
import { MAX_REPLY_CHARACTERS, MAX_REPLY_STEPS } from '../../../shared/limits.ts';
import { attempt } from '../../../shared/attempt.ts';
import { boundOutput } from '../../tools/bound-output.ts';
import { TEXT_WAS_THOUGHT } from '../../models/answers/thoughts-in-text.ts';
import type { FinishReason } from './run-direct.ts';
import type { GrowingReply } from './reply.ts';

/** What is known about a reply's rounds so far. */
export interface StreamState {
  /** Rounds of model work. */
  rounds: number;
  finishReason: FinishReason | null;
  /** The model's own word for it; absent: it has none. */
  rawFinishReason?: string | undefined;
  /** The model wrote more than a reply may hold, so reading stopped. */
  isCut: boolean;
  /** Of all finished rounds, as far as the model reported it. */
  usage: Usage;
  /** The model that answered last, as its server names it; absent: not reported. */
  answeredBy?: string;
  /** Input tokens of the last round; absent: not reported. */
  readTokens?: number;
}

/** A reply before its first round. */
export const newStreamState = (): StreamState => ({ rounds: 0, finishReason: null, isCut: false, usage: {} });

/** A call that a model wrote. */
export interface ModelCall {
  /** The id of its step. */
  id: string;
  tool: string;
  /** Its text, if that isn't JSON. */
  input: unknown;
  isJson: boolean;
}

/**
 * Adds one round of the model's work to the reply, until its stream ends or the reply is as long as it may be, and updates `state`.
 * Reasoning and tool inputs have the same limit, so that nothing goes on for ever. Resolves with the calls to make: none if the reply was
 * cut. Throws the error that the stream reports, once all of it has been read.
 */
export async function followStream(
  parts: AsyncIterable<LanguageModelV4StreamPart>,
  reply: GrowingReply,
  state: StreamState,
): Promise<ModelCall[]> {
  const calls: ModelCall[] = [];
  let failure: { error: unknown } | null = null;
  let hasThought = false;
  let unshown = 0;
  state.rounds += 1;
  reply.beginRound();
  for await (const part of parts) {
    switch (part.type) {
      case 'text-delta':
        reply.clock.notePiece('text', part.delta);
        reply.addText(part.delta);
        break;
      case 'custom':
        if (part.kind !== TEXT_WAS_THOUGHT) break;
        hasThought = true;
        reply.turnTextToThought();
        break;
      case 'reasoning-start':
        reply.clock.notePiece('thought');
        reply.beginThought(part.providerMetadata);
        break;
      case 'reasoning-delta':
        hasThought = true;
        unshown += part.delta.length;
        reply.clock.notePiece('thought', part.delta);
        reply.addReasoning(part.delta, part.providerMetadata);
        break;
      case 'reasoning-end':
        reply.clock.notePiece('thought');
        reply.endThought(part.providerMetadata);
        break;
      case 'tool-input-start':
        reply.clock.notePiece('call');
        break;
      case 'tool-input-delta':
        reply.clock.notePiece('call', part.delta);
        unshown += part.delta.length;
        break;
      case 'tool-call': {
        reply.clock.notePiece('call');
        const { toolName: tool, input: written } = part;
        const parsed = attempt(() => ({
          input: JSON.parse(written.trim() === '' ? '{}' : written) as unknown,
        }));
        const { input } = parsed ?? { input: written };
        const id = reply.beginStep(part.toolCallId, tool, input, {
          ...(written !== JSON.stringify(input) && { input: written }),
          ...(part.providerMetadata && { signed: part.providerMetadata }),
        });
        // A provider makes calls of its own tools.
        if (part.providerExecuted !== true) calls.push({ id, tool, input, isJson: parsed !== null });
        break;
      }
      case 'tool-result':
        if (part.preliminary === true) break;
        reply.endStep(
          part.toolCallId,
          part.isError === true ? { error: 'The tool failed.' } : { output: boundOutput(part.result) },
        );
        break;
      case 'error':
        failure ??= { error: part.error };
        break;
      case 'response-metadata':
        if (part.modelId !== undefined) state.answeredBy = part.modelId;
        break;
      case 'finish':
        countRound(state, part.usage, hasThought);
        reply.clock.endRound(part.usage.outputTokens);
        state.finishReason = part.finishReason.unified;
        state.rawFinishReason = part.finishReason.raw;
        break;
    }
    const hasTooManySteps = reply.growth.steps.length > MAX_REPLY_STEPS;
    if (reply.isFull || hasTooManySteps || unshown > MAX_REPLY_CHARACTERS) {
      state.isCut = !hasTooManySteps;
      // A cut round reports no usage. Leaving the stream ends the request to the server.
      delete state.usage.contextTokens;
      delete state.readTokens;
      return [];
    }
  }
  if (failure !== null) throw failure.error;
  return calls;
}

/**
 * Adds a round. The context size is that of the last round, since each one reads everything before it. Reasoning is
 * hardly ever read again, so if the model reasoned without reporting how much, the context size is unknown.
 */
function countRound(
  state: StreamState,
  {
    inputTokens: { total: read },
    outputTokens: { total: written, reasoning: thought = 0 },
  }: LanguageModelV4Usage,
  hasThought: boolean,
): void {
  // No model reads zero tokens: a server that reports this doesn't count, so its output count isn't used either.
  const inputTokens = read === 0 ? undefined : read;
  const isCounted = inputTokens !== undefined || written !== 0;
  const outputTokens = isCounted ? written : undefined;
  const { usage } = state;
  delete usage.contextTokens;
  delete state.readTokens;
  if (inputTokens !== undefined) {
    state.readTokens = inputTokens;
    usage.inputTokens = (usage.inputTokens ?? 0) + inputTokens;
  }
  if (outputTokens !== undefined) usage.outputTokens = (usage.outputTokens ?? 0) + outputTokens;
  if (inputTokens === undefined || outputTokens === undefined || (hasThought && thought === 0)) return;
  usage.contextTokens = inputTokens + Math.max(0, outputTokens - thought);
}

/** Longest model name that is reported. */
const MAX_NAME_CHARACTERS = 300;

/**
 * The model that answered, if it isn't the one that was asked; otherwise nothing. Servers name one model in many
 * ways: with a date, a tag, a folder, a maker. So a name that holds the other is the same one.
 */
export function otherModel(asked: string, answered: string | undefined): { model?: string } {
  if (answered === undefined) return {};
  const [one, other] = [plain(asked), plain(answered)];
  const isSame =
    other === '' ||
    one.includes(other) ||
    other.includes(one) ||
    plain(baseOf(asked)) === plain(baseOf(answered));
  return isSame ? {} : { model: answered.slice(0, MAX_NAME_CHARACTERS).toWellFormed() };
}

/** The name without a leading folder or maker, and without a tag, extension or date at the end. */
const baseOf = (name: string): string =>
  (name.split('/').at(-1) ?? name)
    .replace(/:[^:]*$/, '')
    .replace(/\.(?:gguf|bin)$/i, '')
    .replace(/-(?:latest|\d{4}-?\d{2}-?\d{2}|\d{4})$/, '');

const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
