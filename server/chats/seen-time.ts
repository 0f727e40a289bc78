/**
 * Time that Parley has seen pass. What is to be kept for some days must not go because the computer's clock was wrong for a
 * minute: a clock that leaps ahead looks just like a computer that was off, so neither is counted as time passed beyond a
 * limit that the caller names. What was seen is kept in the store as spans of the clock's own time, in rising order and
 * without overlap; a clock that was set back takes back what it had claimed.
 */
import { findSetting, updateSetting } from '../store/settings-repository.ts';
import { RESTORE_WINDOW_DAYS } from '../../shared/limits.ts';
import type { Reader, Writer } from '../store/types.ts';

/** The clock showed all times from the first to the second, in milliseconds. */
type Span = readonly [from: number, to: number];

/** Not among the settings that people see. */
const NAME = 'seenTime';
/** Two looks at the clock that are no further apart belong to one span: several times what passes between two of them. */
const SPAN_GAP_MS = 12 * 60 * 60_000;
/** Covers months, even when Parley runs for only a moment each day. */
const MAX_SPANS = 200;
const DAY_MS = 24 * 60 * 60 * 1000;
/** A long weekend that Parley isn't started in. Whoever is away for longer finds what was deleted before. */
const LONGEST_BREAK_MS = 4 * DAY_MS;

/** Notes that the clock shows `now`. To be called every few hours while Parley runs. */
export function noteSeen(writer: Writer, now: Date): void {
  const ms = now.getTime();
  const spans = spansUntil(writer, ms);
  const last = spans.at(-1);
  if (last !== undefined && ms - last[1] <= SPAN_GAP_MS) spans[spans.length - 1] = [last[0], ms];
  else spans.push([ms, ms]);
  updateSetting(writer, NAME, spans.slice(-MAX_SPANS));
}

/**
 * The time (ISO) since which at least `ms` milliseconds were seen to pass; with a clock that is right, and Parley running,
 * just `ms` before `now`. Times that Parley didn't run count as passed up to `gapMs` at a stretch, longer ones not at all.
 * The beginning of time when less was seen.
 */
export function seenAgo(reader: Reader, now: Date, ms: number, gapMs = SPAN_GAP_MS): string {
  let end = now.getTime();
  let left = ms;
  for (const [from, to] of spansUntil(reader, end).reverse()) {
    if (end - to > gapMs) end = to;
    if (end - left >= from) return new Date(end - left).toISOString();
    left -= end - from;
    end = from;
  }
  return new Date(0).toISOString();
}

/** What the clock shows (ISO), or the last time seen if that is later: a clock that was set back makes nothing look old. */
export function seenNow(reader: Reader, now: Date): string {
  const last = readSpans(reader).at(-1)?.[1] ?? 0;
  return new Date(Math.max(last, now.getTime())).toISOString();
}

/** What was deleted after this time (ISO) can be restored; what was deleted at it or before is to be removed for good. */
export const restorableSince = (reader: Reader, now: Date): string =>
  seenAgo(reader, now, RESTORE_WINDOW_DAYS * DAY_MS, LONGEST_BREAK_MS);

/** The time of deletion of what can never be restored: the purge finishes what a crash or a full disk interrupted. */
export const ERASED_AT = new Date(0).toISOString();

/** The spans as far as they don't lie ahead of the clock. */
const spansUntil = (reader: Reader, ms: number): Span[] =>
  readSpans(reader).flatMap(([from, to]) => (from > ms ? [] : [[from, Math.min(to, ms)] as const]));

function readSpans(reader: Reader): Span[] {
  const value = findSetting(reader, NAME);
  return Array.isArray(value) ? (value as Span[]) : [];
}
