/** What "that" means: the result of an exchange before, or what it was about. */
import { fieldsOf, textOf, type Fields } from '../../../lib/fields.ts';
import { plainText } from '../../../lib/plain-text.ts';
import { countTextTool } from '../../../tools/text-count.ts';
import { longestQuotation, takeFences } from './marks.ts';
import type { EarlierExchange } from '../skill.ts';

/** A finished call of a tool in the earlier conversation. */
export type PreviousCall = { tool: string; input: Record<string, unknown>; output: Record<string, unknown> };

/** How many exchanges back a tool result is searched for. */
const MAX_BACK = 3;
const MIN_PASTED_CHARACTERS = 200;

/** The text "that" stands for, or null when the conversation has none. */
export function previousText(history: readonly EarlierExchange[]): string | null {
  const last = history.at(-1);
  // The result of an earlier request of the same message isn't known yet.
  const isOpen = last?.steps.some(({ status, output }) => status === 'done' && output === undefined);
  if (last === undefined || isOpen) return null;
  if (last.steps.length === 0) {
    const question = last.question.trim();
    const pasted = materialOf(question) ?? (question.length >= MIN_PASTED_CHARACTERS ? question : null);
    if (pasted !== null) return pasted;
  }
  for (const exchange of history.slice(-MAX_BACK).reverse()) {
    const text = callsOf(exchange).map(producedBy).at(-1) ?? null;
    if (text !== null) return isTable(text) ? null : text;
  }
  // A short sentence around a result is no text of its own, and of the result alone this isn't known.
  const isResult = last.steps.length > 0 || last.answer.includes('**');
  return isResult && last.answer.length < MIN_PASTED_CHARACTERS ? null : shownText(last.answer);
}

/** Our own words for what couldn't be done. */
const REFUSAL = /I’m the offline assistant|so I did nothing rather than|^I’d need /;

/** An answer without the marks of Markdown; null: it is a table, or says what couldn't be done. */
function shownText(answer: string): string | null {
  if (isTable(answer) || REFUSAL.test(answer)) return null;
  const lines = answer.includes('```') ? answer : answer.split('\n').map(plainText).join('\n');
  return lines.trim() || null;
}

/** A table in an answer is not a text to reverse or count in. */
const isTable = (text: string): boolean => text.trimStart().startsWith('| ');

/** The last call of one of `tools`, at most `lookBack` exchanges ago; null: there is none, or another tool gave a result since. */
export function previousCall(
  history: readonly EarlierExchange[],
  tools: readonly string[],
  lookBack = 1,
): PreviousCall | null {
  const calls = history.slice(-lookBack).map(callsOf);
  // A count leaves its text as it was.
  const last = calls.findLast((each) =>
    each.some(({ tool }) => tool !== countTextTool.name || tools.includes(tool)),
  );
  return last?.findLast(({ tool }) => tools.includes(tool)) ?? null;
}

/** The output of a call as text, or its items as lines; for a call that only counts, the text it counted. */
const producedBy = (call: PreviousCall): string | null =>
  textIn(call.output) ?? (call.tool === countTextTool.name ? textIn(call.input) : null);

/** The text that fields hold, or items as lines. */
export const textIn = ({ items, text, hash, result }: Fields): string | null =>
  Array.isArray(items) && items.length > 0 && items.every((item) => typeof item === 'string')
    ? items.join('\n')
    : (textOf(text) ?? textOf(hash) ?? textOf(result));

const callsOf = (exchange: EarlierExchange): PreviousCall[] =>
  exchange.steps
    .filter(({ status }) => status !== 'failed')
    .map(({ tool, input, output }) => ({ tool, input: fieldsOf(input), output: fieldsOf(output) }));

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
  return longestQuotation(text);
}
