/** A reply's figures in words, as far as they are known. */
import type { Message } from '../../shared/api/message.ts';
import { words } from '../lib/words/index.ts';

/** Shorter thoughts get no number of seconds. */
const A_MOMENT_MS = 1_000;
/** Shorter times aren't shown. */
const AT_ONCE_MS = 100;

/** The parts of a reply with figures. */
type Figured = Pick<Message, 'usage' | 'timing'>;

/**
 * The figure to show first: tokens in and out, or else the time; and the model that answered if it isn't the one that was
 * asked, and what its server refuses. Empty: there is nothing to show.
 */
export function gistOf({ usage = {}, timing }: Figured): string {
  const { inputTokens, outputTokens, model, leftOut } = usage;
  const figure =
    inputTokens !== undefined && outputTokens !== undefined
      ? words.figures.tokens(inputTokens, outputTokens)
      : inputTokens !== undefined
        ? words.figures.tokensIn(inputTokens)
        : outputTokens !== undefined
          ? words.figures.tokensOut(outputTokens)
          : took(timing?.totalMs);
  return [
    figure,
    model && words.figures.answeredBy(model),
    leftOut && words.figures.without(leftOut.join(', ')),
  ]
    .filter(Boolean)
    .join(' · ');
}

/** All figures worth showing, with their names. */
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
    { name: names.leftOut, value: usage.leftOut?.join(', ') },
  ].flatMap(({ name, value }) => (value ? [{ name, value }] : []));
}

/** How long a model thought; undefined: unknown. */
export function describeThought(tookMs: number | undefined): string {
  if (tookMs === undefined) return words.message.reasoning;
  if (tookMs < A_MOMENT_MS) return words.message.reasoningBrief;
  return words.message.reasoningTook(describeDuration(Math.round(tookMs / 1_000) * 1_000));
}

const took = (ms = 0): string => (ms < AT_ONCE_MS ? '' : describeDuration(ms));

/** One decimal where that is informative. */
const shortNumber = (value: number): string =>
  value.toLocaleString(undefined, { maximumFractionDigits: value < 10 ? 1 : 0 });

/** How long something took, as short as is still clear: "3.4 s", "12 s", "2 min 5 s", "1 h 3 min". */
function describeDuration(ms: number): string {
  const tenths = Math.round(ms / 100);
  if (tenths < 100) return words.durations.seconds((tenths / 10).toLocaleString());
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return words.durations.seconds(seconds.toLocaleString());
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return words.durations.minutes(minutes.toLocaleString(), String(seconds % 60));
  return words.durations.hours(Math.floor(minutes / 60).toLocaleString(), String(minutes % 60));
}
