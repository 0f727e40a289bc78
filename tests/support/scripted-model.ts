import { setTimeout as delay } from 'node:timers/promises';
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';

/** One thing the scripted model does. */
export type Act =
  | { say: string }
  /** Calls a tool; `raw` is sent instead of the input's JSON. */
  | { call: string; input?: unknown; raw?: string; id?: string }
  | { waitMs: number }
  /** An error part in the stream. */
  | { error: string }
  /** The call itself throws. */
  | { throw: string }
  /** The call itself never answers, whatever the signal says. */
  | { silent: true }
  /** The stream never ends, whatever the signal says. */
  | { stall: true }
  | { finish: LanguageModelV4FinishReason['unified'] };

/** The model's actions in each round of a turn; the last round repeats when there are more. */
export type Script = Act[][];

/** The user message that makes the scripted model do this. */
export function scriptOf(...rounds: Script): string {
  return JSON.stringify(rounds);
}

/** A model that does what the last user message, a {@link Script} as JSON, tells it. */
export function createScriptedModel(onCall?: (options: LanguageModelV4CallOptions) => void): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'test',
    modelId: 'scripted',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('not used')),
    doStream: (options) => {
      onCall?.(options);
      const acts = currentRound(options);
      const failure = acts.find((act) => 'throw' in act);
      if (failure) throw new Error(failure.throw);
      if (acts.some((act) => 'silent' in act)) return new Promise(() => undefined);
      return Promise.resolve({ stream: ReadableStream.from(play(acts)) });
    },
  };
}

function currentRound({ prompt }: LanguageModelV4CallOptions): Act[] {
  const asked = prompt.findLastIndex((message) => message.role === 'user');
  const question = prompt[asked];
  const text =
    question?.role === 'user' ? question.content.find((part) => part.type === 'text')?.text : undefined;
  const script = JSON.parse(text ?? '[]') as Script;
  const round = prompt.slice(asked).filter((message) => message.role === 'tool').length;
  return script[Math.min(round, script.length - 1)] ?? [];
}

async function* play(acts: Act[]): AsyncGenerator<LanguageModelV4StreamPart> {
  let texts = 0;
  let calls = 0;
  let finish: LanguageModelV4FinishReason['unified'] = 'stop';
  yield { type: 'stream-start', warnings: [] };
  for (const act of acts) {
    if ('say' in act) {
      const id = `text-${texts++}`;
      yield { type: 'text-start', id };
      yield { type: 'text-delta', id, delta: act.say };
      yield { type: 'text-end', id };
    } else if ('call' in act) {
      const input = act.raw ?? JSON.stringify(act.input ?? {});
      finish = 'tool-calls';
      yield { type: 'tool-call', toolCallId: act.id ?? `call-${calls++}`, toolName: act.call, input };
    } else if ('waitMs' in act) {
      await delay(act.waitMs);
    } else if ('error' in act) {
      yield { type: 'error', error: new Error(act.error) };
    } else if ('stall' in act) {
      await new Promise(() => undefined);
    } else if ('finish' in act) {
      finish = act.finish;
    }
  }
  yield {
    type: 'finish',
    usage: {
      inputTokens: { total: 3, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: 2, text: undefined, reasoning: undefined },
    },
    finishReason: { unified: finish, raw: undefined },
  };
}
