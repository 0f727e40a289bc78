/**
 * Measures how a reply is made. It stands where the model's stream is read, since what comes crosses to the main thread in
 * bundles. What can't be told from what came is left out, not guessed.
 */
import type { LanguageModelUsage } from 'ai';
import type { Timing } from '../../../shared/api/message.ts';

/** Thoughts that came in less time came at once: how long they took isn't known. */
const MIN_THOUGHT_MS = 100;
/** A pace can be told only from so many pieces over so long a time. */
const MIN_PIECES = 10;
const MIN_WRITING_MS = 500;

/** What a piece belongs to; `call`: a tool call that the model writes. */
type Kind = 'thought' | 'text' | 'call';

/** The clock of one reply. */
export interface ReplyClock {
  /** All that has been measured; another object whenever that has changed, undefined: nothing. */
  readonly timing: Timing | undefined;
  /** The model is asked now. */
  start(): void;
  /** A piece has come; an empty one is a beginning or an end. */
  hear(kind: Kind, piece?: string): void;
  /** A round of the model has come to its end, with what it took. */
  endRound(usage: Pick<LanguageModelUsage, 'outputTokens' | 'outputTokenDetails'>): void;
  /** Whether a person is being asked, which stops the clock. */
  setWaiting(isWaiting: boolean): void;
  /** The reply is done. Nothing is measured of one whose model was never asked. */
  end(): void;
}

/** How many pieces came, and how long that took. */
interface Writing {
  pieces: number;
  ms: number;
}

const nothing = (): Writing => ({ pieces: 0, ms: 0 });

/** A clock that doesn't run yet; `now` is in milliseconds and never goes back. */
export function createReplyClock(now: () => number = () => performance.now()): ReplyClock {
  let timing: Timing | undefined;
  let startedAt: number | null = null;
  let waitsSince: number | null = null;
  let waitedMs = 0;
  let thoughtMs = 0;
  let last: { isThought: boolean; at: number } | null = null;
  /** All that came in this round, and that without thoughts. */
  let all = nothing();
  let answer = nothing();
  /** Of the rounds that could be measured. */
  let tokens = 0;
  let tokensMs = 0;

  const measured = (added: Timing): void => {
    timing = { ...timing, ...added };
  };
  const elapsed = (): number => {
    const at = waitsSince ?? now();
    return Math.round(at - (startedAt ?? at) - waitedMs);
  };

  function addThought(ms: number, isOver: boolean): void {
    thoughtMs += ms;
    if (isOver && thoughtMs >= MIN_THOUGHT_MS) measured({ thoughtMs: Math.round(thoughtMs) });
  }

  return {
    get timing() {
      return timing;
    },
    start() {
      startedAt ??= now();
    },
    hear(kind, piece = '') {
      const at = now();
      const isThought = kind === 'thought';
      const ms = last === null ? 0 : at - last.at;
      const pieces = piece === '' ? 0 : 1;
      const wasThought = last?.isThought === true;
      if (wasThought) addThought(ms, !isThought);
      all = { pieces: all.pieces + pieces, ms: all.ms + ms };
      if (!isThought) answer = { pieces: answer.pieces + pieces, ms: answer.ms + (wasThought ? 0 : ms) };
      last = { isThought, at };
      if (kind === 'text' && timing?.firstWordMs === undefined && piece.trim() !== '')
        measured({ firstWordMs: elapsed() });
    },
    endRound({ outputTokens = 0, outputTokenDetails: { reasoningTokens = 0 } }) {
      if (last?.isThought === true) addThought(now() - last.at, true);
      // Thoughts may come as a summary, or not at all: where it is told which tokens they were, neither is counted.
      const { pieces, ms } = reasoningTokens > 0 ? answer : all;
      const came = outputTokens - reasoningTokens;
      if (Number.isSafeInteger(came) && came > 0 && pieces >= MIN_PIECES && ms >= MIN_WRITING_MS) {
        tokens += came;
        tokensMs += ms;
      }
      all = nothing();
      answer = nothing();
      last = null;
    },
    setWaiting(isWaiting) {
      if (isWaiting) waitsSince ??= now();
      else if (waitsSince !== null) {
        waitedMs += now() - waitsSince;
        waitsSince = null;
      }
    },
    end() {
      if (startedAt === null) return;
      const tokensPerSecond = Math.round((tokens * 10_000) / tokensMs) / 10;
      measured({ totalMs: elapsed(), ...(tokensMs > 0 && { tokensPerSecond }) });
    },
  };
}
