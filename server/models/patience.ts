import { factsOf, type Provider } from '../../shared/providers.ts';
import type { ModelFault } from './model-fault.ts';

/**
 * How long to wait for a connected model, and how often to retry, in milliseconds; tests use other values. The first token: a server at
 * home loads a model of tens of gigabytes before it says a word. Five minutes cover that, and a person can allow a connection more;
 * reading time is added. Silence within an answer: the slowest models we know of write a word every few seconds; after a silent minute,
 * the server is gone. Tries: most temporary errors pass within a second or two; asking a busy server more often makes it busier, and
 * after a minute a person would rather see the error. A server that says how long it needs is waited for, up to a limit that leaves out
 * limits of a day.
 */
export const PATIENCE = {
  /** From the time when it should have read the request, or from the last sign of life, to the first piece of its answer. */
  firstTokenMs: 300_000,
  /** How long a server may take to read this many tokens. */
  readingMs,
  /** From one piece of an answer, or another sign of life, to the next. */
  idleMs: 60_000,
  /** Requests in all for one answer, unless the server says when to ask again. */
  tries: 3,
  /** How long after the first request another one may start. */
  retryMs: 60_000,
  /** The pause before the second request, doubled before each further one. A server may ask for more. */
  pauseMs: 1_000,
  /** The longest pause that isn't asked for. */
  longestOwnPauseMs: 5_000,
  /** The longest pause that a server may ask for. */
  longestPauseMs: 600_000,
  /** The end of all waiting, whatever signs of life there are. */
  longestMs: 3_600_000,
  /** The chat says what is waited for after this long. */
  noticeMs: 10_000,
};
export type Patience = typeof PATIENCE;

/** Tokens per second that the slowest servers read: a computer without a graphics card, an overloaded provider. */
const OWN_READING_SPEED = 30;
const SERVICE_READING_SPEED = 1_000;

/** The longest time for reading this many tokens, in milliseconds. */
function readingMs(provider: Provider, tokens: number): number {
  const speed = factsOf(provider).isService ? SERVICE_READING_SPEED : OWN_READING_SPEED;
  return Math.round((tokens / speed) * 1_000);
}

/** The pause before the next request, in milliseconds; null: there is none. */
export function pauseAfter(
  { kind, canPass, waitMs }: ModelFault,
  patience: Patience,
  { tries, elapsedMs }: { tries: number; elapsedMs: number },
): number | null {
  if (!canPass) return null;
  const ownMs = patience.pauseMs * 2 ** (tries - 1);
  const pauseMs = Math.max(waitMs ?? 0, Math.min(ownMs, patience.longestOwnPauseMs));
  if (kind === 'loading') return elapsedMs + pauseMs > patience.longestMs ? null : pauseMs;
  const isInTime = elapsedMs + pauseMs <= patience.retryMs;
  // A server that says how long it needs is asked again then, and as long as there is time.
  if (waitMs !== null)
    return pauseMs <= patience.longestPauseMs && (isInTime || tries < patience.tries) ? pauseMs : null;
  return isInTime && tries < patience.tries ? pauseMs : null;
}
