import { TURN_ERROR_CODES } from '../../../shared/errors.ts';
import { ASK_APPROVAL } from '../../tools/ask-approval.ts';
import { withThousands } from '../../../shared/numbers.ts';
import { attempt } from '../../../shared/attempt.ts';
import { isObject } from '../../lib/fields.ts';
import type { Act, ScriptPart } from './acts.ts';

/** What is wrong with a script, in words that name the line. */
export class ScriptError extends Error {
  override name = 'ScriptError';
}

/** A script while it is read. */
export interface ScriptReading {
  parts: ScriptPart[];
  part: ScriptPart;
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
export function addAct(reading: ScriptReading, act: Act): void {
  const { rounds } = reading.part;
  let round = rounds.at(-1) ?? [];
  if (round.at(-1)?.act === 'call' && act.act !== 'call') rounds.push((round = []));
  if (act.act === 'call' && round.filter((one) => one.act === 'call').length >= MAX_CALLS_AT_ONCE) {
    refuse(reading, `at most ${MAX_CALLS_AT_ONCE} tools are called at once; put a line of text between.`);
  }
  round.push(act);
  if (ENDS_PART.has(act.act)) reading.ended = `::${act.act}`;
}

const MAX_SPEED = 10_000;
const MAX_PAUSE_MS = 30_000;
/** Longest words to fail with, in characters. */
const MAX_WORDS = 1_000;
const MAX_TOKENS_REPORTED = 1_000_000_000;

/** What each directive does with the rest of its line. */
export const DIRECTIVES: Readonly<Record<string, (reading: ScriptReading, rest: string) => void>> = {
  speed(reading, rest) {
    const speed = rest === 'max' ? Infinity : wholeNumber(rest);
    if (speed === null || speed < 1 || (speed > MAX_SPEED && speed !== Infinity)) {
      const most = withThousands(MAX_SPEED);
      refuse(reading, `“::speed” takes a whole number from 1 to ${most} (tokens a second), or “max”.`);
    }
    reading.tokensPerSecond = speed;
  },
  pause(reading, rest) {
    const [, amount, unit] = /^(\d{1,6}(?:\.\d{1,3})?)(ms|s)$/.exec(rest) ?? [];
    const ms = Number(amount) * (unit === 's' ? 1000 : 1);
    if (!(ms <= MAX_PAUSE_MS)) {
      const most = MAX_PAUSE_MS / 1000;
      refuse(reading, `“::pause” takes a time like “2s” or “500ms”, of ${most} seconds at most.`);
    }
    addAct(reading, { act: 'pause', ms });
  },
  think(reading, rest) {
    refuseWords(reading, 'think', rest);
    if (reading.thinkLine !== null) refuse(reading, `“::think” of line ${reading.thinkLine} is still open.`);
    reading.thinkLine = reading.line;
  },
  end(reading, rest) {
    refuseWords(reading, 'end', rest);
    if (reading.thinkLine === null) refuse(reading, 'there is no “::think” that “::end” could end.');
    reading.thinkLine = null;
  },
  tool(reading, rest) {
    refuseThinking(reading, 'a tool can’t be called');
    const [, tool, json = '{}'] = /^([A-Za-z0-9_-]{1,64})(?:[ \t]+([^ \t].*))?$/.exec(rest) ?? [];
    if (tool === undefined) refuse(reading, '“::tool” takes the name of a tool and a JSON object.');
    const input = attempt(() => JSON.parse(json) as unknown);
    if (!isObject(input))
      refuse(reading, 'what follows the tool’s name must be a JSON object, on the same line.');
    addAct(reading, { act: 'call', tool, input });
  },
  usage(reading, rest) {
    const [, input = '', output = ''] = /^(\d+)[ \t]+(\d+)$/.exec(rest) ?? [];
    const inputTokens = wholeNumber(input);
    const outputTokens = wholeNumber(output);
    if (inputTokens === null || outputTokens === null) {
      refuse(reading, '“::usage” takes two whole numbers: input tokens and output tokens.');
    }
    reading.part.usage = { inputTokens, outputTokens };
  },
  fail(reading, rest) {
    const [, word = '', words = ''] = /^(\S*)(?:\s+(\S.*))?$/.exec(rest) ?? [];
    const code = TURN_ERROR_CODES.find((known) => known === word);
    const message = code === undefined ? rest : words;
    refuseLength(reading, message, '“::fail” takes the words to fail with');
    addAct(reading, { act: 'fail', code: code ?? 'model_failed', message });
  },
  length: ending('length'),
  cut: ending('cut'),
  stall: ending('stall'),
  approve(reading, rest) {
    refuseThinking(reading, 'approval can’t be asked for');
    refuseLength(reading, rest, '“::approve” takes the words to ask with');
    addAct(reading, { act: 'call', tool: ASK_APPROVAL, input: { for: rest } });
  },
};

function ending(act: 'length' | 'cut' | 'stall'): (reading: ScriptReading, rest: string) => void {
  return (reading, rest) => {
    refuseWords(reading, act, rest);
    addAct(reading, { act });
  };
}

function refuseWords(reading: ScriptReading, name: string, rest: string): void {
  if (rest !== '') refuse(reading, `“::${name}” stands alone on its line.`);
}

function refuseThinking(reading: ScriptReading, what: string): void {
  if (reading.thinkLine !== null) refuse(reading, `${what} inside “::think”; end that first.`);
}

function refuseLength(reading: ScriptReading, words: string, what: string): void {
  if (words === '' || words.length > MAX_WORDS)
    refuse(reading, `${what}, of ${withThousands(MAX_WORDS)} characters at most.`);
}

function wholeNumber(text: string): number | null {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : null;
  return number === null || number > MAX_TOKENS_REPORTED ? null : number;
}
