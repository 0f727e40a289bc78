/** What a reply took, in words, as far as it is known. */
import type { Message } from '../../shared/api/message.ts';
import { describeDuration } from '../lib/durations.ts';
import { words } from '../lib/words/index.ts';

/** Shorter thoughts get no number of seconds. */
const A_MOMENT_MS = 1_000;
/** What took less time took none that anybody noticed. */
const AT_ONCE_MS = 100;

/** What of a reply its figures come from. */
type Figured = Pick<Message, 'usage' | 'timing'>;

/**
 * The figure to show first: tokens in and out, or else how long it took; and which model answered where that isn't the one that was
 * asked. Empty: nothing is known that is worth telling.
 */
export function gistOf({ usage = {}, timing }: Figured): string {
  const { inputTokens, outputTokens, model } = usage;
  const figure =
    inputTokens !== undefined && outputTokens !== undefined
      ? words.figures.tokens(inputTokens.toLocaleString(), outputTokens.toLocaleString())
      : inputTokens !== undefined
        ? words.figures.tokensIn(inputTokens.toLocaleString())
        : outputTokens !== undefined
          ? words.figures.tokensOut(outputTokens.toLocaleString())
          : took(timing?.totalMs);
  return [figure, model && words.figures.answeredBy(model)].filter(Boolean).join(' · ');
}

/** All figures that are known and worth telling, with their names. */
export function figuresOf({ usage = {}, timing = {} }: Figured): { name: string; value: string }[] {
  const names = words.figures;
  return [
    { name: names.read, value: usage.inputTokens?.toLocaleString() },
    { name: names.wrote, value: usage.outputTokens?.toLocaleString() },
    {
      name: names.pace,
      value: timing.tokensPerSecond && names.perSecond(shortNumber(timing.tokensPerSecond)),
    },
    { name: names.firstWord, value: took(timing.firstWordMs) },
    { name: names.thought, value: took(timing.thoughtMs) },
    { name: names.total, value: took(timing.totalMs) },
    { name: names.model, value: usage.model },
  ].flatMap(({ name, value }) => (value ? [{ name, value }] : []));
}

/** For how long a model thought; undefined: that isn't known. */
export function describeThought(tookMs: number | undefined): string {
  if (tookMs === undefined) return words.message.reasoning;
  if (tookMs < A_MOMENT_MS) return words.message.reasoningBrief;
  return words.message.reasoningTook(describeDuration(Math.round(tookMs / 1_000) * 1_000));
}

const took = (ms = 0): string => (ms < AT_ONCE_MS ? '' : describeDuration(ms));

/** One decimal where that says something. */
const shortNumber = (value: number): string =>
  value.toLocaleString(undefined, { maximumFractionDigits: value < 10 ? 1 : 0 });
