import {
  InvalidToolInputError,
  NoSuchToolError,
  type FinishReason,
  type LanguageModelUsage,
  type TextStreamPart,
  type ToolSet,
} from 'ai';
import type { Usage } from '../../../shared/api/message.ts';
import { MAX_REPLY_CHARACTERS, MAX_REPLY_STEPS } from '../../../shared/limits.ts';
import { boundOutput } from '../../tools/bound-output.ts';
import { repairedArguments } from '../../models/answers/repair-arguments.ts';
import { TEXT_WAS_THOUGHT } from '../../models/answers/thoughts-in-text.ts';
import { DoubtError } from '../../tools/tool.ts';
import type { Reply } from './reply.ts';
import { ToolInputError } from './tool-kit.ts';

/** What is known about a stream; complete once it has ended. */
export interface StreamState {
  /** Rounds of model work. */
  rounds: number;
  /** The last round called tools, so the model had more to say. */
  toolsPending: boolean;
  finishReason: FinishReason | null;
  /** The model's own word for it; absent: it has none. */
  rawFinishReason?: string;
  /** The model wrote more than a reply may hold, so reading stopped. */
  isCut: boolean;
  /** Of all finished rounds, as far as the model reported it. */
  usage: Usage;
  /** The model that answered last, as its server names it; absent: not reported. */
  answeredBy?: string;
  /** Input tokens of the last round; absent: not reported. */
  readTokens?: number;
  error?: { cause: unknown };
}

/** A stream before its first part. */
export const newStreamState = (): StreamState => ({
  rounds: 0,
  toolsPending: false,
  finishReason: null,
  isCut: false,
  usage: {},
});

/**
 * Writes a reply from the SDK's stream, up to its end or to the longest reply; fills `state` as far as that goes.
 * Reasoning and tool inputs have the same limit as the reply, so that nothing goes on for ever.
 */
export async function followStream(
  parts: AsyncIterable<TextStreamPart<ToolSet>>,
  reply: Reply,
  state: StreamState,
  /** Called when it is cut. */
  onCut: () => void,
): Promise<void> {
  const refusals = new Map<string, string>();
  /** The arguments of calls as the model writes them; the SDK only gives what it makes of them. */
  const written = new Map<string, string>();
  let hasThought = false;
  let unshown = 0;
  for await (const part of parts) {
    switch (part.type) {
      case 'start-step':
        state.rounds += 1;
        state.toolsPending = false;
        hasThought = false;
        reply.beginRound();
        break;
      case 'text-delta':
        reply.clock.notePiece('text', part.text);
        reply.addText(part.text);
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
        unshown += part.text.length;
        reply.clock.notePiece('thought', part.text);
        reply.addReasoning(part.text, part.providerMetadata);
        break;
      case 'reasoning-end':
        reply.clock.notePiece('thought');
        reply.endThought(part.providerMetadata);
        break;
      case 'tool-input-start':
        reply.clock.notePiece('call');
        written.set(part.id, '');
        break;
      case 'tool-input-delta':
        reply.clock.notePiece('call', part.delta);
        written.set(part.id, (written.get(part.id) ?? '') + part.delta);
        unshown += part.delta.length;
        break;
      case 'tool-call':
        reply.clock.notePiece('call');
        state.toolsPending = true;
        if (part.invalid === true) refusals.set(part.toolCallId, describeRefusal(part.toolName, part.error));
        reply.beginStep(part.toolCallId, part.toolName, part.input, {
          ...asWritten(part.input, written.get(part.toolCallId)),
          ...(part.providerMetadata && { signed: part.providerMetadata }),
        });
        break;
      case 'tool-result':
        if (part.preliminary === true) break;
        // Our own tools' outputs are bounded already; those of tools run by a provider are not.
        reply.endStep(part.toolCallId, {
          output: part.providerExecuted === true ? boundOutput(part.output) : part.output,
        });
        break;
      case 'tool-error':
        reply.endStep(part.toolCallId, {
          // Errors of our tools are already worded for people.
          error:
            refusals.get(part.toolCallId) ?? (part.error instanceof Error ? part.error.message : NO_WORDS),
          ...(part.error instanceof DoubtError && { inDoubt: true }),
        });
        break;
      case 'error':
        state.error ??= { cause: part.error };
        break;
      case 'finish-step':
        countRound(state, part.usage, hasThought);
        reply.clock.endRound(part.usage);
        state.answeredBy = part.response.modelId;
        break;
      case 'finish':
        state.finishReason = part.finishReason;
        if (part.rawFinishReason !== undefined) state.rawFinishReason = part.rawFinishReason;
        break;
    }
    const hasTooManySteps = reply.growth.steps.length > MAX_REPLY_STEPS;
    if (reply.isFull || hasTooManySteps || unshown > MAX_REPLY_CHARACTERS) {
      state.isCut = !hasTooManySteps;
      onCut();
      // The cut round reports no usage.
      delete state.usage.contextTokens;
      delete state.readTokens;
      return;
    }
  }
}

/** The arguments of a call, repaired where that is plain, unless they are just the input as JSON. */
function asWritten(input: unknown, text = ''): { input?: string } {
  if (text.trim() === '') return {};
  const written = repairedArguments(text) ?? text;
  return written === JSON.stringify(input) ? {} : { input: written };
}

/**
 * Adds a round. The context size is that of the last round, since each one reads everything before it. Reasoning is
 * hardly ever read again, so if the model reasoned without reporting how much, the context size is unknown.
 */
function countRound(state: StreamState, reported: LanguageModelUsage, hasThought: boolean): void {
  const { outputTokenDetails } = reported;
  // No model reads zero tokens: a server that reports this doesn't count, so its output count isn't used either.
  const inputTokens = reported.inputTokens === 0 ? undefined : reported.inputTokens;
  const isCounted = inputTokens !== undefined || reported.outputTokens !== 0;
  const outputTokens = isCounted ? reported.outputTokens : undefined;
  const { usage } = state;
  const thought = outputTokenDetails.reasoningTokens ?? 0;
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

const NO_WORDS = 'The tool failed.';

/** Why a model's tool call was not run; `error` is the AI SDK's. */
function describeRefusal(tool: string, error: unknown): string {
  if (NoSuchToolError.isInstance(error)) return `There is no tool called “${tool}” here.`;
  if (!InvalidToolInputError.isInstance(error)) return `The call of “${tool}” could not be read.`;
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ToolInputError) return `The input for “${tool}” does not fit: ${cause.message}.`;
  }
  return `The input for “${tool}” is not valid JSON.`;
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
