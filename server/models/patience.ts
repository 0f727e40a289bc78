import { factsOf, type Provider } from '../../shared/providers.ts';

/** How long to wait for a connected model, and how often to retry. Times in milliseconds. */
export interface Patience {
  /** From the time when it should have read the request to the first piece of its answer. */
  firstTokenMs: number;
  /** How long a server may take to read this many tokens. */
  readingMs: (provider: Provider, tokens: number) => number;
  /** From one piece of an answer to the next. */
  idleMs: number;
  /** Requests in all for one answer. */
  tries: number;
  /** How long after the first request another one may start. */
  retryMs: number;
  /** The pause before the second request, doubled before each further one. A server may ask for more. */
  pauseMs: number;
}

/**
 * The usual values; tests use others. The first token: a server at home loads a model of tens of gigabytes before it
 * says a word; two minutes cover that, and leave more than half of the five minutes that a turn may go without
 * progress. Reading time is added. Silence within an answer: the slowest models we know of write a word every few
 * seconds; after a silent minute, the server is gone. Tries: most temporary errors pass within a second or two; asking
 * a busy server more often makes it busier, and after a minute a person would rather see the error.
 */
export const PATIENCE: Patience = {
  firstTokenMs: 120_000,
  readingMs,
  idleMs: 60_000,
  tries: 3,
  retryMs: 60_000,
  pauseMs: 1_000,
};

/**
 * Tokens per second that the slowest servers in use can read: a computer without a graphics card, an overloaded
 * provider.
 */
const OWN_READING_SPEED = 30;
const SERVICE_READING_SPEED = 1_000;

/** The longest time for reading this many tokens, in milliseconds. */
export function readingMs(provider: Provider, tokens: number): number {
  const speed = factsOf(provider).isService ? SERVICE_READING_SPEED : OWN_READING_SPEED;
  return Math.round((tokens / speed) * 1_000);
}
