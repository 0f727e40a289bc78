/**
 * Receives the events of the workspace and of the open chat. A tab holds an event stream; if
 * it can't get one (other tabs hold the few that browsers allow, or something blocks it), and while the page
 * is hidden, it polls the same endpoint. Either way the same events come, from where the last request ended.
 */
import type { WorkspaceEvent } from '../../shared/api/event.ts';
import type { FollowOptions } from '../api/events.ts';
import { ApiProblem } from '../api/problem.ts';
import { retryDelay } from '../lib/poller.ts';
import { takeStreamSlot } from './tab-locks.ts';

/** After this many failures in a row, a refusal, or without a free slot, a stream is tried only now and then. */
const MAX_FAILURES = 3;
const RARE_RETRY_MS = 10_000;
/** A stream that lasted this long, in milliseconds, was a good one. */
const STEADY_MS = 5_000;
/** How long a page may be hidden before it gives its stream up, in milliseconds. */
const LEFT_AFTER_MS = 10_000;
/** Polling intervals without a stream, in milliseconds: while a chat is being worked on or not, and the same for a hidden page. */
const BUSY_POLL_MS = 500;
const IDLE_POLL_MS = 2_000;
const HIDDEN_BUSY_POLL_MS = 3_000;
const HIDDEN_POLL_MS = 20_000;

/** What {@link createWorkspaceStream} needs. */
export interface WorkspaceStreamPorts {
  /** Follows the events until the stream ends, or polls once; rejects as the API does. */
  follow(options: FollowOptions): Promise<void>;
  onEvent(event: WorkspaceEvent): void;
  /** Whether a chat is being worked on, so that events are likely soon. */
  isBusy(): boolean;
}

/** The events of a tab's workspace. */
export type WorkspaceStream = ReturnType<typeof createWorkspaceStream>;

/** Creates a stream that receives nothing before `follow`. */
export function createWorkspaceStream(ports: WorkspaceStreamPorts) {
  let chatId: string | null = null;
  let cursor = '';
  let state: 'opening' | 'live' | 'polling' = 'polling';
  let isLeft = document.hidden;
  let failures = 0;
  let failedPolls = 0;
  /** When to try a stream again. */
  let streamAt = 0;
  /** The current run; replacing it, or setting null, ends what an earlier run still does. */
  let run: AbortController | null = null;
  /** Runs one after the other, so that a run has released its slot before the next one asks for one. */
  let last: Promise<void> = Promise.resolve();

  const isWanted = (current: AbortController): boolean => current === run;
  const isTimeForStream = (): boolean => !isLeft && performance.now() >= streamAt;
  /** Tabs that lost the service together should not reconnect together. */
  const jittered = (ms: number): number => ms * (0.75 + Math.random() / 2);

  async function keepHearing(current: AbortController): Promise<void> {
    while (isWanted(current)) {
      if (isTimeForStream()) await holdStream(current);
      if (!isWanted(current) || isTimeForStream()) continue;
      const wait = await poll(current);
      const untilStream = isLeft ? Infinity : streamAt - performance.now();
      await pause(Math.max(0, Math.min(wait, untilStream)), current.signal);
    }
  }

  /** Holds a stream as long as it lasts; then sets when to try again. */
  async function holdStream(current: AbortController): Promise<void> {
    state = 'opening';
    const release = await takeStreamSlot();
    let isHopeless = release === null;
    let begunAt = Infinity;
    try {
      if (release !== null && isWanted(current)) {
        await hear(current, false, () => {
          state = 'live';
          begunAt = Math.min(begunAt, performance.now());
        });
      }
    } catch (problem) {
      isHopeless = problem instanceof ApiProblem;
    }
    release?.();
    if (!isWanted(current)) return;
    state = 'polling';
    const now = performance.now();
    // One that was steady is tried again at once: most likely the service was just restarted.
    failures = now - begunAt >= STEADY_MS ? 0 : failures + 1;
    if (isHopeless || failures > MAX_FAILURES) streamAt = now + jittered(RARE_RETRY_MS);
    else streamAt = failures === 0 ? now : now + jittered(retryDelay(failures));
  }

  /** Polls once; returns how long to wait then. */
  async function poll(current: AbortController): Promise<number> {
    try {
      await hear(current, true, () => undefined);
    } catch {
      failedPolls += 1;
      const wait = jittered(retryDelay(failedPolls));
      streamAt = Math.max(streamAt, performance.now() + wait);
      return wait;
    }
    // The service is back: a stream may work again.
    if (failedPolls > 0) streamAt = failures = failedPolls = 0;
    if (isLeft) return ports.isBusy() ? HIDDEN_BUSY_POLL_MS : HIDDEN_POLL_MS;
    return ports.isBusy() ? BUSY_POLL_MS : IDLE_POLL_MS;
  }

  /** Ends at once when the run is aborted, even if the browser doesn't end the request: the next run waits for this one. */
  function hear(current: AbortController, isOnce: boolean, onHeard: () => void): Promise<void> {
    const following = ports.follow({
      chatId,
      cursor,
      isOnce,
      signal: current.signal,
      onEvent(event, newCursor) {
        if (!isWanted(current)) return;
        onHeard();
        cursor = newCursor;
        ports.onEvent(event);
      },
    });
    return Promise.race([following, aborted(current.signal)]);
  }

  function begin(): void {
    stop();
    const current = new AbortController();
    run = current;
    last = last.then(() => keepHearing(current));
  }

  function stop(): void {
    run?.abort();
    run = null;
    state = 'polling';
  }

  function check(): void {
    if (run === null || state !== 'polling') return;
    streamAt = failures = 0;
    begin();
  }

  let leaving: ReturnType<typeof setTimeout> | undefined;
  const noteVisibility = (): void => {
    clearTimeout(leaving);
    if (document.hidden) {
      leaving = setTimeout(() => {
        isLeft = true;
        if (run !== null) begin();
      }, LEFT_AFTER_MS);
    } else {
      isLeft = false;
      check();
    }
  };
  document.addEventListener('visibilitychange', noteVisibility);

  return {
    /** Starts, or starts over with another open chat that isn't loaded yet; null: none is open. */
    follow(id: string | null): void {
      chatId = id;
      // The loaded list stays; the chat's state is dropped.
      cursor = cursor.split('/')[0] ?? '';
      streamAt = failures = 0;
      begin();
    },
    /** Receives nothing until `follow`. */
    stop,
    /** Polls now, unless a stream is connected. */
    check,
    /** Stops for good. */
    close(): void {
      clearTimeout(leaving);
      document.removeEventListener('visibilitychange', noteVisibility);
      stop();
    },
  };
}

/** Resolves after that time, or as soon as it is aborted. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  Promise.race([new Promise<void>((resolve) => setTimeout(resolve, ms)), aborted(signal)]);

/** Resolves as soon as it is aborted. */
const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
