import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
  SharedV4Warning,
} from '@ai-sdk/provider';
import type { StopReason } from '../../../shared/api/message.ts';
import { OFFLINE_MODEL_NAME } from '../../../shared/models.ts';
import { createAssistant, type Move } from './assistant.ts';

const STOP: LanguageModelV4FinishReason = { unified: 'stop', raw: undefined };
/** As a stop reason of replies has it. */
export const UNANSWERED = 'unanswered' satisfies StopReason;

const TOOL_CALLS: LanguageModelV4FinishReason = { unified: 'tool-calls', raw: undefined };

/** There are no tokens here, so nothing is claimed of them. */
const NO_USAGE: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

/** Each chunk costs the SDK more than making the whole text does, and all of them come within a millisecond. */
const MIN_CHUNK_CHARACTERS = 120;
const MAX_CHUNKS = 20;
/** A run of text with no space in it is cut after this many characters beyond the chunk. */
const MAX_OVERRUN_CHARACTERS = 200;

/**
 * The offline assistant as a language model: rules over the prompt and the offered tools, no network, no weights. It
 * calls tools in one round at most for each user message. Make one for each turn: `now` and `timeZone` are the turn's.
 */
export function createOfflineModel(context: { now: Date; timeZone: string }): LanguageModelV4 {
  const assistant = createAssistant(context);

  const move = ({ prompt, tools = [], toolChoice, abortSignal }: LanguageModelV4CallOptions): Move => {
    abortSignal?.throwIfAborted();
    const mayCall = toolChoice?.type !== 'none';
    return assistant.next(prompt, mayCall ? tools : []);
  };

  return {
    specificationVersion: 'v4',
    provider: 'parley',
    modelId: OFFLINE_MODEL_NAME,
    supportedUrls: {},
    async doGenerate(options) {
      const next = move(options);
      return {
        content: next.type === 'calls' ? toolCalls(next, options) : [{ type: 'text', text: next.text }],
        finishReason: finishReasonOf(next),
        usage: NO_USAGE,
        warnings: warningsFor(options),
      };
    },
    async doStream(options) {
      const next = move(options);
      const parts = next.type === 'calls' ? toolCalls(next, options) : textParts(next.text);
      const finishReason = finishReasonOf(next);
      return {
        stream: new ReadableStream<LanguageModelV4StreamPart>({
          start(controller) {
            controller.enqueue({ type: 'stream-start', warnings: warningsFor(options) });
            for (const part of parts) controller.enqueue(part);
            controller.enqueue({ type: 'finish', finishReason, usage: NO_USAGE });
            controller.close();
          },
        }),
      };
    },
  };
}

function finishReasonOf(move: Move): LanguageModelV4FinishReason {
  if (move.type === 'calls') return TOOL_CALLS;
  return move.isUnanswered ? { unified: 'stop', raw: UNANSWERED } : STOP;
}

function toolCalls(
  { calls }: Move & { type: 'calls' },
  { prompt }: LanguageModelV4CallOptions,
): (LanguageModelV4Content & { type: 'tool-call' })[] {
  return calls.map(({ tool, input }, index) => ({
    type: 'tool-call',
    toolCallId: `offline-${prompt.length}-${index}`,
    toolName: tool,
    input: JSON.stringify(input),
  }));
}

function textParts(text: string): LanguageModelV4StreamPart[] {
  const id = 'answer';
  return [
    { type: 'text-start', id },
    ...chunksOf(text).map((delta): LanguageModelV4StreamPart => ({ type: 'text-delta', id, delta })),
    { type: 'text-end', id },
  ];
}

/** Cuts a text after words, into phrases; into longer ones when the text is long, so that their number is bounded. */
export function chunksOf(text: string): string[] {
  const size = Math.max(MIN_CHUNK_CHARACTERS, Math.ceil(text.length / MAX_CHUNKS));
  const chunks: string[] = [];
  let start = 0;
  while (start < text.length) {
    let end = Math.min(start + size, text.length);
    const limit = Math.min(end + MAX_OVERRUN_CHARACTERS, text.length);
    while (end < limit && !/\s/.test(text.charAt(end - 1))) end += 1;
    if (end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end += 1;
    chunks.push(text.slice(start, end));
    start = end;
  }
  return chunks;
}

function warningsFor({ responseFormat }: LanguageModelV4CallOptions): SharedV4Warning[] {
  if (responseFormat?.type !== 'json') return [];
  return [
    { type: 'unsupported', feature: 'responseFormat', details: 'The offline assistant answers in Markdown.' },
  ];
}
