import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { unlessAborted } from '../../lib/unless-aborted.ts';
import { ModelError } from '../model-error.ts';
import { usageOf } from '../model.ts';
import { tokensOf, type Act, type ScriptPart } from './acts.ts';

/** A run of text or reasoning that is being written. */
interface OpenPart {
  as: 'text' | 'reasoning';
  id: string;
}

const endOf = (open: OpenPart | null): LanguageModelV4StreamPart[] =>
  open === null ? [] : [{ type: `${open.as}-end`, id: open.id }];

/** Tokens that are due within this time are written as one. */
const TICK_MS = 20;
/** Without pauses, this many tokens are written at once; others on the thread run in between. */
const TOKENS_AT_ONCE = 1_000;

/** More than any turn lasts: a timer takes no more. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

const CUT_WORDS = 'The rehearsal broke off here, as its script says.';

/** Plays acts as a model's stream. Where the script fails or breaks off, an error part holds a {@link ModelError}. Throws the signal's reason. */
export async function* play(
  acts: readonly Act[],
  usage: ScriptPart['usage'],
  signal: AbortSignal,
): AsyncGenerator<LanguageModelV4StreamPart> {
  let finish: LanguageModelV4FinishReason['unified'] = 'stop';
  /** The kind of words being written, and the id of their part; null: none. */
  let open = null as OpenPart | null;
  let parts = 0;

  yield { type: 'stream-start', warnings: [] };
  for (const act of acts) {
    switch (act.act) {
      case 'write':
        if (open?.as !== act.as) {
          yield* endOf(open);
          open = { as: act.as, id: `${act.as}-${parts++}` };
          yield { type: `${act.as}-start`, id: open.id };
        }
        for await (const delta of paced(act.text, act.tokensPerSecond, signal)) {
          yield { type: `${act.as}-delta`, id: open.id, delta };
        }
        break;
      case 'pause':
        await sleep(act.ms, signal);
        break;
      case 'call':
        yield* endOf(open);
        open = null;
        yield {
          type: 'tool-call',
          toolCallId: `rehearsal-${parts++}`,
          toolName: act.tool,
          input: JSON.stringify(act.input),
        };
        finish = 'tool-calls';
        break;
      case 'length':
        finish = 'length';
        break;
      case 'fail':
        yield { type: 'error', error: new ModelError(act.code, act.message) };
        finish = 'error';
        break;
      case 'cut':
        // Sent as a part: a stream that throws loses parts that nobody has read yet. Nothing follows it.
        yield { type: 'error', error: new ModelError('model_unreachable', CUT_WORDS) };
        return;
      case 'stall':
        await sleep(LONGEST_TIMER_MS, signal);
        break;
    }
  }
  yield* endOf(open);
  const finishReason = { unified: finish, raw: undefined };
  yield { type: 'finish', finishReason, usage: usageOf(usage?.inputTokens, usage?.outputTokens) };
}

/** Writes a text at its speed. How it is split doesn't depend on the clock. */
async function* paced(text: string, tokensPerSecond: number, signal: AbortSignal): AsyncGenerator<string> {
  const tokens = tokensOf(text);
  const atOnce =
    tokensPerSecond === Infinity
      ? TOKENS_AT_ONCE
      : Math.max(1, Math.round((tokensPerSecond * TICK_MS) / 1000));
  const start = performance.now();
  for (let next = 0; next < tokens.length; next += atOnce) {
    // Measured from the start, so that a late thread catches up.
    const dueMs = start + (next * 1000) / tokensPerSecond;
    await sleep(Math.max(0, dueMs - performance.now()), signal);
    yield tokens.slice(next, next + atOnce).join('');
  }
}

/** Resolves after this many milliseconds; rejects with the signal's reason as soon as that fires. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, ms, undefined);
  return unlessAborted(signal, promise).finally(() => clearTimeout(timer));
}
