/**
 * Chooses the tools that a connected model is offered. The model reads their descriptions before each reply, so a small
 * context gets few; and providers limit their number. Only this module decides which tools are dropped, for requests as
 * well as for the window and the API.
 */
import { isAlwaysThere } from './catalog.ts';

/** A tool with the estimated tokens of its description. */
export interface WeighedTool {
  name: string;
  tokens: number;
}

/** The tools that a model gets, in the order given, and those without room. */
export interface ChosenTools<T> {
  offered: T[];
  leftOut: T[];
}

/** OpenAI's limit per request, and that of most servers with its format. */
export const MAX_OFFERED_TOOLS = 128;

/** Up to this many tokens, a context is small. */
const SMALL_CONTEXT = 32_000;
/** Instructions and tools together get this share of a small context, and of a larger one. */
const SMALL_SHARE = 0.1;
const LARGE_SHARE = 0.25;
/** Tools alone get this share, however long the instructions are. */
const LEAST_SHARE = 0.05;
/** In a very small context, tools get at least this, so that there is room for one or two. */
const LEAST_TOKENS = 512;
const VERY_SMALL_SHARE = 0.125;

/** Tools for what no model can do by itself; they come before all others. */
const FIRST = ['calculate', 'current_time'];
/** A tool that isn't in the catalogue. */
export const ASK_AGENT = 'ask_agent';

/** How many tokens tools may take in a context of `limit` tokens, beside these instructions. */
export function toolRoom(limit: number, instructions: number): number {
  const share =
    limit > SMALL_CONTEXT
      ? limit * LARGE_SHARE
      : Math.max(limit * SMALL_SHARE, Math.min(LEAST_TOKENS, limit * VERY_SMALL_SHARE));
  return Math.floor(Math.max(limit * LEAST_SHARE, share - instructions));
}

/**
 * Chooses tools of at most this many tokens. First come those that every model needs, then those that a person
 * connected or allowed, then the others; if there are too many, built-in ones are dropped.
 */
export function fitTools<T extends WeighedTool>(tools: readonly T[], tokens: number): ChosenTools<T> {
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

const isOwn = ({ name }: WeighedTool): boolean => isAlwaysThere(name) || name === ASK_AGENT;

function rankOf(tool: WeighedTool): number {
  if (FIRST.includes(tool.name)) return 0;
  return isOwn(tool) ? 2 : 1;
}
