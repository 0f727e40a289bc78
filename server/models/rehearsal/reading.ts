import type { Act, Part } from './acts.ts';

/** What is wrong with a script, in words that name the line. */
export class ScriptError extends Error {
  override name = 'ScriptError';
}

/** A script while it is read. */
export interface Reading {
  parts: Part[];
  part: Part;
  /** Lines of text that have not become an act yet. */
  lines: string[];
  tokensPerSecond: number;
  /** Line of the `::think` that is open, or null. */
  thinkLine: number | null;
  /** The line that ended the part before its end, as it is written there, or null. */
  ended: string | null;
  line: number;
}

const MAX_CALLS_AT_ONCE = 20;
const ENDS_PART = new Set<Act['act']>(['fail', 'length', 'cut', 'stall']);

/** Throws a {@link ScriptError} about that line. */
export function refuse({ line }: { line: number }, why: string): never {
  throw new ScriptError(`Line ${line} of the script: ${why}`);
}

/** Adds an act; one that follows calls begins the next round. */
export function add(reading: Reading, act: Act): void {
  const { rounds } = reading.part;
  let round = rounds.at(-1) ?? [];
  if (round.at(-1)?.act === 'call' && act.act !== 'call') rounds.push((round = []));
  if (act.act === 'call' && round.filter((one) => one.act === 'call').length >= MAX_CALLS_AT_ONCE) {
    refuse(reading, `at most ${MAX_CALLS_AT_ONCE} tools are called at once; put a line of text between.`);
  }
  round.push(act);
  if (ENDS_PART.has(act.act)) reading.ended = `::${act.act}`;
}
