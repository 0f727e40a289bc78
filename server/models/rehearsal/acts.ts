import type { TurnErrorCode } from '../../../shared/errors.ts';

/** One thing the model does. */
export type Act =
  | { act: 'write'; as: 'text' | 'reasoning'; text: string; tokensPerSecond: number }
  | { act: 'pause'; ms: number }
  | { act: 'call'; tool: string; input: Record<string, unknown> }
  | { act: 'fail'; code: TurnErrorCode; message: string }
  | { act: 'length' }
  | { act: 'cut' }
  | { act: 'stall' };

/** What one user message plays. */
export interface ScriptPart {
  /** Each round ends with its calls; the next begins when their results are there. At least one. */
  rounds: Act[][];
  /** Null: none reported. */
  usage: { inputTokens: number; outputTokens: number } | null;
}

/** A chat's position in its rehearsal. Plain data: it goes to the agents' thread with the turn. */
export interface RehearsalCue {
  /** Text of the chat's first user message, which may hold the script. */
  opening: string;
  /** How many user messages come before the one to answer. */
  turn: number;
}

const TOKEN = /(?<!\s)\s*\S{1,12}|\s+/gu;

/** A text in pieces about as large as a language model's tokens; joined they are the text. */
export function tokensOf(text: string): string[] {
  return text.match(TOKEN) ?? [];
}
