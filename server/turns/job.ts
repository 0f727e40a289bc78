import type { TakenTurn } from './chat-rows.ts';
import type { Written } from './final-reply.ts';
import type { RunningTurn, TurnEnd } from './running-turn.ts';

/** A chat that stands in the queue or is being worked on. */
export interface Job {
  readonly chatId: string;
  /** Its place in the queue; null while it is being worked on. */
  ticket: number | null;
  /** Something came up while it was being worked on. */
  isWantedAgain: boolean;
  /** The turn was stopped before the agent began. */
  isStopped: boolean;
  taken: TakenTurn | null;
  turn: RunningTurn | null;
  /** Ends what goes before the agent's beginning (looking up its model, making room); null while there is none. */
  endLookUp: (() => void) | null;
  /** Ends the work after a reply; null while there is none. */
  endFollowUp: (() => void) | null;
  /** How the turn ended, until that is on disk. */
  end: TurnEnd | null;
  /** An earlier process left the chat, and that couldn't be written down yet. */
  isUnrecovered: boolean;
  /** It shared a thread that was lost: its turn is to be done alone. */
  isAlone: boolean;
  /** Its rows can't be worked with, which its reply is to say. */
  isGivenUp: boolean;
}

/** A job for a chat that isn't in the queue yet. */
export const createJob = (chatId: string, isUnrecovered: boolean): Job => ({
  chatId,
  ticket: null,
  isWantedAgain: false,
  isStopped: false,
  taken: null,
  turn: null,
  endLookUp: null,
  endFollowUp: null,
  end: null,
  isUnrecovered,
  isAlone: false,
  isGivenUp: false,
});

/** What a stopped turn has written by now, wherever it stands. */
export function writtenBy({ taken, turn, end }: Job): (Written & { replyId: string }) | null {
  if (taken === null) return null;
  if (turn !== null) return { replyId: taken.replyId, ...turn.reply.growth };
  if (end?.how !== 'reply') return null;
  const { content, steps, reasoning = null, timing = null } = end.final;
  return { replyId: taken.replyId, content, steps, reasoning, timing };
}
