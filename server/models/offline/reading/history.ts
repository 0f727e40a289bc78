/** What "that" means: the result of the last exchange, or what it was about. */
import type { Step } from '../../../../shared/api/message.ts';
import { fieldsOf } from '../../../lib/fields.ts';
import { hashTextTool } from '../../../tools/encoding-hash.ts';
import { decodeTextTool, encodeTextTool } from '../../../tools/encoding-text.ts';
import { countTextTool } from '../../../tools/text-count.ts';
import { DATA_TOOLS, TEXT_TOOLS } from '../../../tools/index.ts';
import type { Tool, ToolContext } from '../../../tools/tool.ts';
import { findQuotations, takeFences } from './marks.ts';
import type { Exchange } from '../skill.ts';

/** Something of the earlier conversation that can be worked on. */
export interface Previous {
  text: string;
  /** Something else may be meant. */
  isGuess: boolean;
}

/** A finished call of a tool in the earlier conversation. */
export interface PreviousCall {
  tool: string;
  input: Record<string, unknown>;
  output: Record<string, unknown>;
}

/** Exchanges looked back over for a result of a tool. */
const LOOK_BACK = 3;
const MIN_PASTED_CHARACTERS = 200;

/** The text "that" stands for, or null when the conversation has none. */
export function previousText(history: readonly Exchange[]): Previous | null {
  const last = history.at(-1);
  if (last === undefined) return null;
  for (const exchange of history.slice(-LOOK_BACK).reverse()) {
    const call = callsOf(exchange).at(-1);
    const text = call === undefined ? null : producedBy(call);
    if (text !== null) return { text, isGuess: exchange !== last };
    if (exchange === last && exchange.steps.length === 0) {
      const material = materialOf(exchange.question) ?? longText(exchange.question);
      if (material !== null) return { text: material, isGuess: true };
    }
  }
  const answer = last.answer.trim();
  return answer === '' ? null : { text: answer, isGuess: true };
}

/** The last call of one of `tools`, at most `lookBack` exchanges ago, or null. */
export function previousCall(
  history: readonly Exchange[],
  tools: readonly string[],
  lookBack = 1,
): PreviousCall | null {
  for (const exchange of history.slice(-lookBack).reverse()) {
    const call = callsOf(exchange).findLast(({ tool }) => tools.includes(tool));
    if (call !== undefined) return call;
  }
  return null;
}

/** The tool whose result was told last, or null. */
export function lastTool(history: readonly Exchange[]): string | null {
  return history.at(-1)?.steps.at(-1)?.tool ?? null;
}

/** What a tool was given: its text, or its items as lines; null when it was given neither. */
export function sourceOf({ input }: PreviousCall): string | null {
  return textIn(input, ['text']);
}

/** What a call brought forth: a text, or items as lines; for a call that only looked at its text, that text. */
function producedBy(call: PreviousCall): string | null {
  const isPlain = PLAIN_TOOLS.some(({ name }) => name === call.tool);
  return textIn(call.output, ['text', 'hash']) ?? (isPlain ? sourceOf(call) : null);
}

function textIn(record: Record<string, unknown>, names: string[]): string | null {
  const items = record['items'];
  if (Array.isArray(items) && items.length > 0 && items.every((item) => typeof item === 'string'))
    return items.join('\n');
  for (const name of names) {
    const value = record[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
}

function callsOf(exchange: Exchange): PreviousCall[] {
  return exchange.steps.flatMap((step: Step) => {
    const input = fieldsOf(step.input);
    if (step.status === 'failed') return [];
    const output = step.output === undefined ? foreseen(step.tool, input) : fieldsOf(step.output);
    return output === null ? [] : [{ tool: step.tool, input, output }];
  });
}

/**
 * What a call that is still to be made will bring, for "sort b, a and then reverse it" in one message: the tools below
 * depend on nothing but their input. Of others nothing is known.
 */
function foreseen(name: string, input: Record<string, unknown>): Record<string, unknown> | null {
  const tool = PLAIN_TOOLS.find((one) => one.name === name);
  if (tool === undefined) return {};
  try {
    return fieldsOf(tool.run(input, NO_CONTEXT));
  } catch {
    return null;
  }
}

const PLAIN_TOOLS: readonly Tool[] = [
  ...TEXT_TOOLS,
  ...DATA_TOOLS,
  encodeTextTool,
  decodeTextTool,
  hashTextTool,
];

/** Tools that make a new text or list out of one, so that the next step may work on it. */
export const TRANSFORMING_TOOLS: ReadonlySet<string> = new Set([
  ...TEXT_TOOLS.map(({ name }) => name).filter((name) => name !== countTextTool.name),
  encodeTextTool.name,
  decodeTextTool.name,
]);

/** None of the tools above asks for anything of its surroundings. */
const NO_CONTEXT = {} as ToolContext;

/** A message that did not ask and is long enough to be a text someone pasted. */
function longText(message: string): string | null {
  return message.trim().length >= MIN_PASTED_CHARACTERS ? message.trim() : null;
}

/** What a message holds besides its asking: a code block, the lines after the first, what follows a colon, a quotation. */
export function materialOf(message: string): string | null {
  const { code } = takeFences(message);
  if (code !== null) return code;
  const text = message.trim();
  const lineEnd = text.indexOf('\n');
  const [first = ''] = text.split('\n', 1);
  if (lineEnd !== -1) return first.trim().endsWith(':') ? text.slice(lineEnd).trim() : text;
  const colon = /^[^:]{1,120}:\s+(?=\S)/.exec(text.slice(0, 400));
  if (colon !== null) return text.slice(colon[0].length);
  const [longest] = findQuotations(text).sort((a, b) => b.content.length - a.content.length);
  return longest?.content ?? null;
}
