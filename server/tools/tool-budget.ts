/**
 * Which of its tools a connected model is offered. Their descriptions are read before each reply, so a model that reads little
 * gets few; and no request names more than the providers take. What gives way, and what stays, is decided here alone: for
 * the request, and for what the window and the API tell of it.
 */
import { findOwnTool } from './catalog.ts';

/** A tool, and about how many tokens its description takes. */
export interface WeighedTool {
  name: string;
  tokens: number;
}

/** Those that a model gets, in the order given, and those for which there was no room. */
export interface ChosenTools<T> {
  offered: T[];
  leftOut: T[];
}

/** OpenAI takes no more in one request, nor do most of those who speak its format. */
export const MAX_OFFERED_TOOLS = 128;

/** A context of so many tokens is a small one. */
const SMALL_CONTEXT = 32_000;
/** Instructions and tools together get this share of a small context, and of a larger one. */
const SMALL_SHARE = 0.1;
const LARGE_SHARE = 0.25;
/** Tools alone get this share, however long the instructions are. */
const LEAST_SHARE = 0.05;
/** A very small context gives more than its share, so that there is room for a tool or two at all. */
const LEAST_TOKENS = 512;
const VERY_SMALL_SHARE = 0.125;

/** What no model can do without them; they go before all others. */
const FIRST = ['calculate', 'current_time'];
/** A tool of the agent's that stands in no catalogue. */
export const ASK_AGENT = 'ask_agent';

/** How many tokens the tools of a model that reads `limit` tokens may take beside instructions of so many. */
export function toolRoom(limit: number, instructions: number): number {
  const share =
    limit > SMALL_CONTEXT
      ? limit * LARGE_SHARE
      : Math.max(limit * SMALL_SHARE, Math.min(LEAST_TOKENS, limit * VERY_SMALL_SHARE));
  return Math.floor(Math.max(limit * LEAST_SHARE, share - instructions));
}

/**
 * Chooses tools of at most so many tokens. First come those that no model does without, then those that a person connected
 * or allowed, then the others; of too many the built-in ones give way.
 */
export function chooseTools<T extends WeighedTool>(tools: readonly T[], tokens: number): ChosenTools<T> {
  let left = tokens;
  const fitting = tools
    .toSorted((one, other) => rankOf(one) - rankOf(other))
    .filter((tool) => {
      if (tool.tokens > left) return false;
      left -= tool.tokens;
      return true;
    });
  const chosen = new Set(
    fitting.toSorted((one, other) => Number(isOwn(one)) - Number(isOwn(other))).slice(0, MAX_OFFERED_TOOLS),
  );
  return {
    offered: tools.filter((tool) => chosen.has(tool)),
    leftOut: tools.filter((tool) => !chosen.has(tool)),
  };
}

const isOwn = ({ name }: WeighedTool): boolean => findOwnTool(name)?.runs === 'thread' || name === ASK_AGENT;

function rankOf(tool: WeighedTool): number {
  if (FIRST.includes(tool.name)) return 0;
  return isOwn(tool) ? 2 : 1;
}
