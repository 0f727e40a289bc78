/**
 * Time that Parley has seen pass. Things kept for some days must not be deleted because the clock was wrong for a minute. A
 * clock that jumps ahead looks just like a computer that was off, so a gap only counts up to a limit that the caller names.
 * The store keeps spans of the clock's time, ascending and without overlap; when the clock is set back, what lies ahead of it no
 * longer counts.
 */
import { findSetting, updateSetting } from '../store/settings-repository.ts';
import { RESTORE_WINDOW_DAYS } from '../../shared/limits.ts';
import type { Reader, Writer } from '../store/types.ts';

/** The clock showed all times from the first to the second, in milliseconds. */
type Span = readonly [from: number, to: number];

/** Not among the settings that people see. */
const NAME = 'seenTime';
/** Looks at the clock no further apart than this are one span: several times the usual distance. */
const SPAN_GAP_MS = 12 * 60 * 60_000;
/** Covers months, even when Parley runs for only a moment each day. */
const MAX_SPANS = 200;
const DAY_MS = 24 * 60 * 60 * 1000;
/** A long weekend without Parley. After a longer break, what was deleted before it is still there. */
const LONGEST_BREAK_MS = 4 * DAY_MS;

/** Notes that the clock shows `now`. Call it every few hours while Parley runs. */
export function noteSeen(writer: Writer, now: Date): void {
  const ms = now.getTime();
  const spans = spansUntil(writer, ms);
  const last = spans.at(-1);
  if (last !== undefined && ms - last[1] <= SPAN_GAP_MS) spans[spans.length - 1] = [last[0], ms];
  else spans.push([ms, ms]);
  updateSetting(writer, NAME, spans.slice(-MAX_SPANS));
}

/**
 * The time (ISO) since which at least `ms` milliseconds were seen to pass: just `ms` before `now` if the clock is right and
 * Parley was running. A gap of up to `gapMs` counts in full, a longer one not at all. 1970 if less was seen.
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

/** The clock's time (ISO), or the last time seen if that is later: setting the clock back makes nothing look old. */
export function seenNow(reader: Reader, now: Date): string {
  const last = readSpans(reader).at(-1)?.[1] ?? 0;
  return new Date(Math.max(last, now.getTime())).toISOString();
}

/** What was deleted after this time (ISO) can be restored; the rest is to be removed for good. */
export const restorableSince = (reader: Reader, now: Date): string =>
  seenAgo(reader, now, RESTORE_WINDOW_DAYS * DAY_MS, LONGEST_BREAK_MS);

/** The time of deletion of what can never be restored: the purge finishes what a crash or a full disk interrupted. */
export const ERASED_AT = new Date(0).toISOString();

/** The spans, without what lies ahead of the clock. */
const spansUntil = (reader: Reader, ms: number): Span[] =>
  readSpans(reader).flatMap(([from, to]) => (from > ms ? [] : [[from, Math.min(to, ms)] as const]));

function readSpans(reader: Reader): Span[] {
  const value = findSetting(reader, NAME);
  return Array.isArray(value) ? (value as Span[]) : [];
}
