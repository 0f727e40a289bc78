import type { Exchange, Request } from '../skill.ts';

/** What the assistant can say with no tool, from the conversation alone. */
export interface Talk {
  /** Short name, e.g. `help`. */
  name: string;
  /** What it has to say to a request, or null. Pure, quick, never throws. */
  answer(request: Request, chat: Chat): TalkAnswer | null;
}

export interface TalkAnswer {
  /** Markdown. */
  text: string;
  /** 0 to 1, on the scale of a skill's intent. */
  confidence: number;
}

/** The conversation, as far as talking about it needs. */
export interface Chat {
  /** Whether any tool is offered for this message (mode `agent`). */
  hasTools: boolean;
  /** The very first exchange, or the first that a tool worked on; null when there is none before this message. */
  first(worked: boolean): Exchange | null;
  /** What stands for the part of it that is not told any more; null: all of it is. */
  summary: string | null;
}
