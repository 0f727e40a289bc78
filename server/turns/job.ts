import type { TakenTurn } from './chat-rows.ts';
import type { Written } from './final-reply.ts';
import type { LiveReply } from './live-replies.ts';
import type { TurnEnd } from './running-turn.ts';

/** A chat that stands in the queue or is being worked on. */
export interface Job {
  readonly chatId: string;
  /** Its place in the queue; null while it is being worked on. */
  ticket: number | null;
  /** Something came up while it was being worked on. */
  isWantedAgain: boolean;
  taken: TakenTurn | null;
  /** Ends the try at the turn, before or while an agent works on it; `stopped` or `released` is the reason. */
  ending: AbortController;
  /** What the agent at work writes; null: none is. */
  reply: LiveReply | null;
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
  taken: null,
  ending: new AbortController(),
  reply: null,
  endFollowUp: null,
  end: null,
  isUnrecovered,
  isAlone: false,
  isGivenUp: false,
});

/** What a stopped turn has written by now, wherever it stands. */
export function writtenBy({ taken, reply, end }: Job): (Written & { replyId: string }) | null {
  if (taken === null) return null;
  if (reply !== null) return { replyId: taken.replyId, ...reply.growth };
  return end?.how === 'reply' ? { replyId: taken.replyId, ...end.final } : null;
}
