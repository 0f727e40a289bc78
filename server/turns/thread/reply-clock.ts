/**
 * Measures the timing of a reply. It runs where the model's stream is read, since updates reach the main thread in
 * bundles. What can't be measured is left out, not guessed.
 */
import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import type { Timing } from '../../../shared/api/message.ts';

/** Reasoning that arrives within less time came in one go, so its duration is unknown. */
const MIN_THOUGHT_MS = 100;
/** The least number of pieces, and the shortest time, from which to measure a pace. */
const MIN_PIECES = 10;
const MIN_WRITING_MS = 500;

/** What a piece belongs to; `call`: a tool call that the model writes. */
type Kind = 'thought' | 'text' | 'call';

/** How many pieces came, and how long that took. */
interface Writing {
  pieces: number;
  ms: number;
}

const nothing = (): Writing => ({ pieces: 0, ms: 0 });

/** A clock that doesn't run yet; `now` is in milliseconds and never goes back. */
export function createReplyClock(now: () => number = () => performance.now()) {
  let timing: Timing | undefined;
  let startedAt: number | null = null;
  let waitsSince: number | null = null;
  let waitedMs = 0;
  let thoughtMs = 0;
  let last: { isThought: boolean; at: number } | null = null;
  /** Everything in this round, and the same without reasoning. */
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
    /** Everything measured so far; a new object after each change; undefined: nothing yet. */
    get timing(): Timing | undefined {
      return timing;
    },
    /** The model is being asked now. */
    start(): void {
      startedAt ??= now();
    },
    /** A piece arrived; an empty one marks a start or an end. */
    notePiece(kind: Kind, piece = ''): void {
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
    /** A round of the model has ended, with this usage. */
    endRound({ total = 0, reasoning = 0 }: LanguageModelV4Usage['outputTokens']): void {
      if (last?.isThought === true) addThought(now() - last.at, true);
      // Reasoning may arrive as a summary, or not at all: if its tokens are reported, neither they nor its pieces count.
      const { pieces, ms } = reasoning > 0 ? answer : all;
      const came = total - reasoning;
      if (Number.isSafeInteger(came) && came > 0 && pieces >= MIN_PIECES && ms >= MIN_WRITING_MS) {
        tokens += came;
        tokensMs += ms;
      }
      all = nothing();
      answer = nothing();
      last = null;
    },
    /** Whether a person is being asked, which stops the clock. */
    setWaiting(isWaiting: boolean): void {
      if (isWaiting) waitsSince ??= now();
      else if (waitsSince !== null) {
        waitedMs += now() - waitsSince;
        waitsSince = null;
      }
    },
    /** The reply is done. If the model was never asked, nothing is measured. */
    end(): void {
      if (startedAt === null) return;
      const tokensPerSecond = Math.round((tokens * 10_000) / tokensMs) / 10;
      measured({ totalMs: elapsed(), ...(tokensMs > 0 && { tokensPerSecond }) });
    },
  };
}
