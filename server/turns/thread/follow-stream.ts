import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider';
import type { Usage } from '../../../shared/api/message.ts';
import { MAX_REPLY_CHARACTERS, MAX_REPLY_STEPS } from '../../../shared/limits.ts';
import { attempt } from '../../../shared/attempt.ts';
import { boundOutput } from '../../tools/bound-output.ts';
import { TEXT_WAS_THOUGHT } from '../../models/answers/thoughts-in-text.ts';
import type { FinishReason } from './run-direct.ts';
import type { GrowingReply } from './reply.ts';

/** A call that a model wrote. */
export interface ModelCall {
  /** The id of its step. */
  id: string;
  tool: string;
  /** Its text, if that isn't JSON. */
  input: unknown;
  isJson: boolean;
}

/** What one round of a model's work came to. */
export interface RoundEnd {
  /** The calls to make; none if it was cut. */
  calls: ModelCall[];
  /** Null: the model gave no reason. */
  finishReason: FinishReason | null;
  /** The model's own word for it; absent: it has none. */
  rawFinishReason?: string | undefined;
  /** The model wrote more than a reply may hold, so reading stopped. */
  isCut: boolean;
  /** As far as the model reported it: a round that was cut reports nothing. */
  usage: Usage;
  /** The model that answered, as its server names it; absent: not reported. */
  answeredBy?: string;
  /** The error that the stream reported; absent: none. */
  failure?: { error: unknown };
}

/**
 * Adds one round of the model's work to the reply, until its stream ends or the reply is as long as it may be. Reasoning and tool inputs have
 * the same limit, so that nothing goes on for ever. An error that the stream reports is kept until all of it has been read.
 */
export async function followStream(
  parts: AsyncIterable<LanguageModelV4StreamPart>,
  reply: GrowingReply,
): Promise<RoundEnd> {
  const calls: ModelCall[] = [];
  const round: RoundEnd = { calls, finishReason: null, isCut: false, usage: {} };
  let hasThought = false;
  let unshown = 0;
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
        round.failure ??= { error: part.error };
        break;
      case 'response-metadata':
        if (part.modelId !== undefined) round.answeredBy = part.modelId;
        break;
      case 'finish':
        round.usage = usageOf(part.usage, hasThought);
        reply.clock.endRound(part.usage.outputTokens);
        round.finishReason = part.finishReason.unified;
        round.rawFinishReason = part.finishReason.raw;
        break;
    }
    const hasTooManySteps = reply.growth.steps.length > MAX_REPLY_STEPS;
    // Leaving the stream ends the request to the server.
    if (reply.isFull || hasTooManySteps || unshown > MAX_REPLY_CHARACTERS)
      return { ...round, calls: [], isCut: !hasTooManySteps };
  }
  return round;
}

/**
 * What a round used. Its context size holds for the reply so far, since each round reads everything before it. Reasoning is hardly ever read
 * again, so if the model reasoned without reporting how much, the context size is unknown.
 */
function usageOf(
  {
    inputTokens: { total: read },
    outputTokens: { total: written, reasoning: thought = 0 },
  }: LanguageModelV4Usage,
  hasThought: boolean,
): Usage {
  // No model reads zero tokens: a server that reports this doesn't count, so its output count isn't used either.
  const inputTokens = read === 0 ? undefined : read;
  const isCounted = inputTokens !== undefined || written !== 0;
  const outputTokens = isCounted ? written : undefined;
  const isThoughtKnown = !hasThought || thought > 0;
  return {
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
    ...(inputTokens !== undefined &&
      outputTokens !== undefined &&
      isThoughtKnown && { contextTokens: inputTokens + Math.max(0, outputTokens - thought) }),
  };
}

/** The tokens of both, with the context size of the first: that of the second is another one, or an earlier one. */
export function addUsage(one: Usage, other: Usage): Usage {
  const inputTokens = sum(one.inputTokens, other.inputTokens);
  const outputTokens = sum(one.outputTokens, other.outputTokens);
  return {
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
    ...(one.contextTokens !== undefined && { contextTokens: one.contextTokens }),
  };
}

const sum = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined && other === undefined ? undefined : (one ?? 0) + (other ?? 0);

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
