import { factsOf, type Provider } from '../../shared/providers.ts';

/** How long a connected model is waited for, and how often it is asked again. Times in milliseconds. */
export interface Patience {
  /** From when it should have read a request to the first piece of its answer. */
  firstTokenMs: number;
  /** How long a server may take to read so many tokens. */
  readingMs: (provider: Provider, tokens: number) => number;
  /** From one piece of an answer to the next. */
  idleMs: number;
  /** Requests in all for one answer. */
  tries: number;
  /** No further request begins later than so long after the first. */
  retryMs: number;
  /** Before the second request; twice as long before each after it. A server may ask for more. */
  pauseMs: number;
}

/**
 * What holds unless a test says otherwise.
 * The first token: a server at home loads a model of tens of gigabytes before it says a word; two minutes cover that, and
 * leave more than half of the five minutes that a turn may go without progress. What it has to read comes on top.
 * Silence within an answer: the slowest models we know of write a word every few seconds; a minute of nothing is a server
 * that has gone. Tries: what passes at all has mostly passed after a second or two; asking a busy server more often makes
 * it busier, and after a minute a person would rather hear of it.
 */
export const PATIENCE: Patience = {
  firstTokenMs: 120_000,
  readingMs,
  idleMs: 60_000,
  tries: 3,
  retryMs: 60_000,
  pauseMs: 1_000,
};

/** Tokens a second that the slowest servers read that anybody uses: a computer without a graphics card, a provider in a rush. */
const OWN_READING_SPEED = 30;
const SERVICE_READING_SPEED = 1_000;

/** How long reading so many tokens takes at most, in milliseconds. */
export function readingMs(provider: Provider, tokens: number): number {
  const speed = factsOf(provider).isService ? SERVICE_READING_SPEED : OWN_READING_SPEED;
  return Math.round((tokens / speed) * 1_000);
}
