import { TEXT_TOOLS } from '../../../../tools/index.ts';
import { previousText } from '../../reading/history.ts';
import { findQuotations } from '../../reading/marks.ts';
import { apart, readOrders } from '../../reading/orders.ts';
import type { Request, OfflineSkill, ToolRequest } from '../../skill.ts';
import { ORDERS } from './orders.ts';
import { formatText } from './format.ts';

/** Works on the text a message holds. */
export const textSkill: OfflineSkill = {
  needs: 'my text tools',
  summary: 'work on text: count, summarise, sort, tidy, change case, pull out addresses and links',
  examples: `
    how many words are in "the quick brown fox"? | sort 3, 1, 2 descending |
    remove duplicates from: pear, apple, pear | title case "the lord of the rings" |
    extract all emails from: ana@example.com and bo@example.org |
    turn this into a bullet list: milk, bread, eggs | replace cat with dog in: the cat sat
  `,
  tools: TEXT_TOOLS.map(({ name }) => name),
  parse(request) {
    const last = request.history.at(-1)?.steps.at(-1)?.tool ?? '';
    // "The other way round" after another tool's answer doesn't ask for its letters backwards.
    const isOther = /\bother way\b/i.test(request.text) && request.material === null;
    if (isOther && !TEXT_TOOLS.some(({ name }) => name === last)) return null;
    return readFind(request) ?? readOrders(ORDERS, request);
  },
  format: formatText,
};

/** Each quotation stands as one letter of its own, from this one on. */
const FIRST_MARK = 0xe000;
const WHERE = '(?:(?: (?:in|from))?(?: (?:this|that|it|the text))?| (?:in|from) (?<text>\\S+))';
const PATTERNS = [
  ['replace_text', `replace (?:(?:all|every|each|the word) )*(?<find>\\S+) (?:with|by) (?<to>\\S+?)${WHERE}`],
  [
    'count_text',
    `(?:how many times|how often) does (?:the (?:letter|(?<word>word)) )?(?<find>\\S+) (?:appear|occur)${WHERE}`,
  ],
  ['count_text', `(?:how many|count the) (?<find>[a-z\uE000])(?:['’]?s)?(?: are)?(?: there)?${WHERE}`],
].map(([tool = '', source = '']) => [tool, new RegExp(`^${source}$`, 'i')] as const);

const NAMED: Readonly<Record<string, string>> = {
  comma: ',', commas: ',', semicolon: ';', semicolons: ';', space: ' ', spaces: ' ', dash: '-', dashes: '-', nothing: '',
}; // oxfmt-ignore

/** "Replace foo with bar in: …", "how often does foo occur in …"; null: another order, one that says more, or a word without foo in it. */
function readFind(request: Request): ToolRequest | null {
  const { words, material } = apart(request, false);
  if (words.length > 400) return null;
  const quoted = findQuotations(words);
  const marked = quoted
    .reduceRight(
      (text, { start, end }, at) =>
        text.slice(0, start) + String.fromCharCode(FIRST_MARK + at) + text.slice(end),
      words,
    )
    .replace(/(?<![\s?.!:])[\s?.!:]+$/, '');
  const valueOf = (part: string): string =>
    quoted[part.charCodeAt(0) - FIRST_MARK]?.content ?? NAMED[part.toLowerCase()] ?? part;
  for (const [tool, pattern] of PATTERNS) {
    const { find, to, word, text: where } = pattern.exec(marked)?.groups ?? {};
    if (find === undefined) continue;
    const own = where !== undefined && material === null ? valueOf(where) : null;
    const text = where === undefined ? (material ?? previousText(request.history)) : own;
    if (text === null || valueOf(find) === '') return null;
    const input = { text, find: valueOf(find) };
    if (tool === 'count_text') return { tool, input: { ...input, ...(word && { wholeWords: true }) } };
    const isCased = text.includes(input.find);
    if (own !== null && !isCased) return null;
    return {
      tool,
      input: { ...input, replacement: valueOf(to ?? ''), ...(!isCased && { ignoreCase: true }) },
    };
  }
  return null;
}
