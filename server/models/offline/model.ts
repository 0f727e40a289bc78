import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { StopReason } from '../../../shared/api/message.ts';
import { usageOf, type StreamingModel } from '../model.ts';
import { createAssistant } from './assistant.ts';
import type { Move } from './skill.ts';

/** As a stop reason of replies has it. */
export const UNANSWERED = 'unanswered' satisfies StopReason;

/** The offline assistant as a language model: rules over the prompt and the offered tools. One for each turn, with its `now` and `timeZone`. */
export function createOfflineModel(context: { now: Date; timeZone: string }): StreamingModel {
  const nextMove = createAssistant(context);
  return {
    async doStream({ prompt, tools = [], toolChoice, abortSignal }) {
      abortSignal?.throwIfAborted();
      const move = nextMove(prompt, toolChoice?.type === 'none' ? [] : tools);
      return { stream: partsOf(move, prompt.length) };
    },
  };
}

async function* partsOf(move: Move, at: number): AsyncGenerator<LanguageModelV4StreamPart> {
  yield* contentOf(move, at);
  yield finishOf(move);
}

function contentOf(move: Move, at: number): LanguageModelV4StreamPart[] {
  if (move.type === 'calls')
    return move.calls.map(({ tool, input }, index) => ({
      type: 'tool-call',
      toolCallId: `offline-${at}-${index}`,
      toolName: tool,
      input: JSON.stringify(input),
    }));
  const id = 'answer';
  return [
    { type: 'text-start', id },
    ...chunksOf(move.text).map((delta): LanguageModelV4StreamPart => ({ type: 'text-delta', id, delta })),
    { type: 'text-end', id },
  ];
}

function finishOf(move: Move): LanguageModelV4StreamPart {
  const isCalls = move.type === 'calls';
  return {
    type: 'finish',
    finishReason: {
      unified: isCalls ? 'tool-calls' : 'stop',
      raw: !isCalls && move.isUnanswered ? UNANSWERED : undefined,
    },
    // There are no tokens here.
    usage: usageOf(),
  };
}

const MIN_CHUNK_CHARACTERS = 120;
const MAX_CHUNKS = 20;

/** A text in phrases, which end after a space; in longer ones where it is long, since each costs more than making the text does. */
function chunksOf(text: string): string[] {
  const size = Math.max(MIN_CHUNK_CHARACTERS, Math.ceil(text.length / MAX_CHUNKS));
  return text.match(new RegExp(`.{1,${size}}\\S{0,200}\\s?`, 'gsu')) ?? [];
}
