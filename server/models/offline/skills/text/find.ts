/** Orders that name something to look for in a text: replacing it, taking it out, counting it. */
import type { Request, Wish } from '../../skill.ts';
import { previousText } from '../../reading/history.ts';
import { findQuotations } from '../../reading/marks.ts';
import { apart, isWord } from '../../reading/orders.ts';
import { saysNothing } from '../../reading/words.ts';

/** Stands for a quotation. */
const MARK = '\uE000';
const KIND = '(?:(?:all|every|each|the) )*(?:(?:occurrences of|word|letter|phrase|character)s? )?';
const FIND = `(?<find>\\S+(?: \\S+){0,3}?)`;
const REST = '(?: (?:in|from|of|within|throughout)(?: (?<rest>.+))?)?$';
const PATTERNS = [
  [
    'replace_text',
    `^(?:replace|(?:change|swap)(?=.* in\\b)) ${KIND}${FIND} (?:with|by|to|for) (?<to>\\S+(?: \\S+){0,3}?)${REST}`,
  ],
  [
    'replace_text',
    `^in (?<rest>${MARK}),? (?:replace|change) ${KIND}${FIND} (?:with|by|to) (?<to>\\S+(?: \\S+){0,3}?)$`,
  ],
  [
    'replace_text',
    `^(?:remove|delete) (?:(?:all|every|the) )*(?:(?:word|letter|phrase) )?(?<find>${MARK}|(?<=(?:word|letter|phrase) )\\S+)${REST}`,
  ],
  [
    'count_text',
    `^(?:how many times|how often) (?:does|do|is) ${KIND}${FIND} (?:appear|occur|come up|used|mentioned|there)${REST}`,
  ],
  [
    'count_text',
    `^(?:count|how many)(?: of)? ${KIND}(?<find>${MARK}|[a-z])(?:['’]?s)?(?: (?:are|is) there)?(?: are| is)?${REST}`,
  ],
].map(([tool = '', source = '']) => [tool, new RegExp(source, 'is')] as const);

const NAMED: Readonly<Record<string, string>> = {
  comma: ',', semicolon: ';', colon: ':', space: ' ', tab: '\t', dash: '-', hyphen: '-', underscore: '_', dot: '.', period: '.', newline: '\n', nothing: '',
}; // prettier-ignore

/** What says more than what to put in the place of something. */
const LIMITS = /\s(?:ignoring|only|but|except|at|where|if|once|twice)\b/i;

/** Recognises "replace foo with bar in: …", 'remove "foo" from …', "how often does x occur in …". */
export function readFind(request: Request): Wish | null {
  const { words, material } = apart(request, false);
  const quoted: string[] = [];
  let marked = '';
  let done = 0;
  for (const { start, end, content } of findQuotations(words)) {
    marked += words.slice(done, start) + MARK;
    quoted.push(content);
    done = end;
  }
  marked = (marked + words.slice(done)).replace(/[\s?.!:]+$/, '').replace(/ in$/, '');
  if (marked.length > 400) return null;
  for (const [tool, pattern] of PATTERNS) {
    const groups = pattern.exec(marked)?.groups;
    if (groups === undefined) continue;
    // Quotations stand in the order in which they are named, but for the text that is named first.
    const isFirst = marked.startsWith('in ');
    const own = isFirst ? (quoted.shift() ?? '') : '';
    const said = (part = ''): string | null =>
      part === MARK
        ? (quoted.shift() ?? '')
        : part.includes(MARK)
          ? null
          : (NAMED[part.toLowerCase().replace(/s$/, '')] ?? part);
    const find = said(groups['find']);
    const replacement = groups['to'] === undefined ? '' : said(groups['to']);
    const rest = groups['rest'] ?? '';
    const text = isFirst ? own : textOf(rest, quoted, material, request, find ?? '');
    if (text === null) continue;
    const isWhole = tool === 'count_text' && /\bword\b/i.test(words) && (find ?? '').length > 1;
    const input = {
      text,
      find,
      ...(tool === 'replace_text' ? { replacement } : isWhole && { wholeWords: true }),
    };
    const isHeld = text.toLowerCase().includes((find ?? '').toLowerCase());
    // "The second cat", "dog ignoring case" are more than a text to look for, and to put in its place.
    const isMore = (!isHeld && /\s/.test(find ?? '')) || LIMITS.test(groups['to'] ?? '');
    const unused = !find || replacement === null || isMore ? marked.replaceAll(MARK, '“…”') : null;
    if (unused === null && tool === 'replace_text' && !isHeld && rest === '' && material === null) continue;
    const ignoreCase = tool === 'replace_text' && !text.includes(find ?? '') ? { ignoreCase: true } : {};
    return { tool, input: { ...input, ...ignoreCase }, ...(unused !== null && { unused }) };
  }
  return null;
}

/** What is looked through: a quotation, what stands apart, bare words that hold it, or what was said before. */
function textOf(
  rest: string,
  quoted: readonly string[],
  material: string | null,
  { history }: Request,
  find: string,
): string | null {
  if (rest === MARK || (rest.endsWith(MARK) && saysNothing(rest.slice(0, -1)))) return quoted.at(-1) ?? null;
  if (rest.includes(MARK)) return null;
  if (saysNothing(rest)) return material ?? previousText(history);
  return material === null && (isWord(rest) || rest.includes(find)) ? rest : null;
}
