/** Keeps a stream open as well as it can be had: reconnects, waits, gives it up and takes it up again. */
import type { ConversationEvent } from '../../shared/events.ts';
import { ApiProblem } from '../api/problem.ts';

/** First and longest wait before it is tried again, in milliseconds; it doubles in between. */
const FIRST_RETRY_MS = 400;
const LONGEST_RETRY_MS = 4_000;
/** After so many failures in a row, a refusal or without a free slot there is something in the way: it is tried now and then. */
const MAX_FAILURES = 3;
const RARE_RETRY_MS = 10_000;
/** A stream that lasted so long was a good one. */
const STEADY_MS = 5_000;

/** What {@link createStreamKeeper} needs. */
export interface StreamKeeperPorts {
  /** Follows the events after `cursor` until the stream ends; rejects as the API does. */
  follow(options: {
    cursor: string;
    signal: AbortSignal;
    onEvent: (event: ConversationEvent, cursor: string) => void;
  }): Promise<void>;
  /** A place among the few streams that browsers allow; null: there is none. */
  takeSlot(): Promise<(() => void) | null>;
  onEvent(event: ConversationEvent): void;
  /** There is no stream now, for whatever reason: look in another way. */
  onDown(): void;
  /** From 0 up to 1, at random: tabs that lost the service together should not come back together. */
  random?: () => number;
}

/** Keeps one stream open. */
export interface StreamKeeper {
  /** The stream is there and has told how things stand. */
  readonly isLive: boolean;
  /** Wants the stream from now on. */
  start(): void;
  /** Gives it up until `start`, and its slot with it. */
  stop(): void;
  /** Tries again now, if it is wanted and not live; with `anew` a live one is replaced, since it may be dead. */
  retry(anew?: boolean): void;
}

/** A keeper that wants nothing yet. */
export function createStreamKeeper(ports: StreamKeeperPorts): StreamKeeper {
  const { random = Math.random } = ports;
  let cursor = '';
  let isLive = false;
  let failures = 0;
  /** Of the run that is wanted; another one, or null, ends what an earlier run still does. */
  let run: AbortController | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** One after the other, so that an attempt has given its slot back before the next one asks for one. */
  let last: Promise<void> = Promise.resolve();

  async function attempt(current: AbortController): Promise<void> {
    const release = await ports.takeSlot();
    let isHopeless = release === null;
    if (release !== null) {
      try {
        if (isWanted(current)) await follow(current);
      } catch (problem) {
        isHopeless = problem instanceof ApiProblem;
      }
      release();
    }
    if (!isWanted(current)) return;
    isLive = false;
    if (isHopeless || failures >= MAX_FAILURES) wait(RARE_RETRY_MS);
    else wait(failures === 0 ? 0 : Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures - 1)));
    ports.onDown();
  }

  async function follow(current: AbortController): Promise<void> {
    let begunAt = Infinity;
    try {
      await ports.follow({
        cursor,
        signal: current.signal,
        onEvent(event, newCursor) {
          if (!isWanted(current)) return;
          begunAt = Math.min(begunAt, performance.now());
          cursor = newCursor;
          isLive = true;
          ports.onEvent(event);
        },
      });
    } finally {
      // One that was there for a while is tried again at once: most likely the service was just restarted.
      failures = performance.now() - begunAt >= STEADY_MS ? 0 : failures + 1;
    }
  }

  const isWanted = (current: AbortController): boolean => current === run;

  function wait(ms: number): void {
    timer = setTimeout(begin, ms * (0.75 + random() / 2));
  }

  function begin(): void {
    end();
    const current = new AbortController();
    run = current;
    last = last.then(() => (isWanted(current) ? attempt(current) : undefined));
  }

  function end(): void {
    clearTimeout(timer);
    run?.abort();
    run = null;
    isLive = false;
  }

  return {
    get isLive() {
      return isLive;
    },
    start() {
      if (run !== null) return;
      failures = 0;
      begin();
    },
    stop: end,
    retry(anew = false) {
      if (run === null || (isLive && !anew)) return;
      failures = 0;
      begin();
    },
  };
}
