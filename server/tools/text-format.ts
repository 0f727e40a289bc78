import { wrapAnsi } from 'fast-wrap-ansi';
import { Type } from 'typebox';
import { choice } from '../../shared/api/common.ts';
import { attempt } from '../../shared/attempt.ts';
import { parseExactly } from '../lib/exact-json.ts';
import { defineTool, ToolError } from './tool.ts';
import { graphemesOf, linesOf } from './text-units.ts';

/** Column a text is wrapped at when none is given. */
const USUAL_WIDTH = 80;

type Layout = (text: string, width: number) => string;

const mapped = (items: string[], change: (item: string, index: number) => string): string =>
  items.map(change).join('\n');

const LAYOUTS = {
  bullet_list: (text) => mapped(listItemsOf(text), (item) => `- ${item}`),
  numbered_list: (text) => mapped(listItemsOf(text), (item, index) => `${index + 1}. ${item}`),
  comma_list: (text) => listItemsOf(text).join(', '),
  lines: (text) => listItemsOf(text).join('\n'),
  collapse_spaces: (text) => mapped(linesOf(text.trim()), withSingleSpaces),
  trim_lines: (text) => mapped(linesOf(text), (line) => line.trim()),
  remove_blank_lines: (text) =>
    linesOf(text)
      .filter((line) => line.trim() !== '')
      .join('\n'),
  join_lines: (text) => withSingleSpaces(linesOf(text).join(' ')),
  wrap: (text, width) => mapped(linesOf(text), (line) => wrapAnsi(withSingleSpaces(line), width)),
} satisfies Record<string, Layout>;
/** The layouts a text can be given. */
export type TextLayout = keyof typeof LAYOUTS;

/** Gives a text another layout; the words stay. */
export const formatTextTool = defineTool({
  name: 'format_text',
  description:
    'Changes the layout of a text and keeps its words: items or lines to a bullet list, a numbered list, a comma list or plain lines ' +
    '(one item each); collapse_spaces (single spaces), trim_lines, remove_blank_lines, join_lines (one line), wrap (at `width`).',
  input: Type.Object({
    text: Type.String({ description: 'The text, its items one per line or separated by commas.' }),
    layout: choice(Object.keys(LAYOUTS) as TextLayout[]),
    width: Type.Optional(
      Type.Integer({
        minimum: 10,
        maximum: 1000,
        description: `Longest line for wrap. Default ${USUAL_WIDTH}.`,
      }),
    ),
  }),
  run: ({ text, layout, width = USUAL_WIDTH }) => ({ text: LAYOUTS[layout](text, width) }),
});

/** The items of a JSON list, as they are written; null: it is none. */
export const jsonItemsOf = (text: string): string[] | null =>
  attempt(() => {
    const value = /^\s*\[/.test(text) ? parseExactly(text) : null;
    return Array.isArray(value)
      ? value.map((item: unknown) => (typeof item === 'string' ? item : JSON.stringify(item)))
      : null;
  });

/** A list without the brackets around all of it. */
export const withoutBrackets = (text: string): string =>
  /^\s*(?:\[([^[\]]*)\]|\(([^()]*)\))\s*$/.exec(text)?.slice(1).join('') ?? text;

/** Takes `text` apart into items: of a JSON list, its lines, or the parts between semicolons or commas of a single line. Bullets and numbers in front are dropped. */
export function listItemsOf(text: string): string[] {
  const listed = jsonItemsOf(text);
  if (listed !== null) return listed;
  const lines = linesOf(withoutBrackets(text)).filter((line) => line.trim() !== '');
  const [only = ''] = lines;
  const parts = lines.length > 1 ? lines.map(withoutBullet) : partsOfLine(withoutBullet(only));
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

function partsOfLine(line: string): string[] {
  if (line.includes(';')) return line.split(';');
  // A comma between digits belongs to a number ("1,500") when others are followed by a space.
  const parts = /,\s/.test(line) ? line.split(/,(?=\s|$)/) : line.split(',');
  const last = parts.pop() ?? '';
  return parts.length === 0 ? [last] : [...parts, ...partsAtAnd(last.trim())];
}

/** The end of a list in words: "and eggs" is one item, "bread and eggs" are two. Longer wordings stay whole. */
function partsAtAnd(last: string): string[] {
  const ending = last.replace(/^(?:and|or)\s(?=\S)/i, '');
  const two = /^(\S{1,40}(?: \S{1,40})?) (?:and|or) (\S{1,40}(?: \S{1,40})?)$/i.exec(ending);
  return two === null ? [ending] : [two[1] ?? '', two[2] ?? ''];
}

function withoutBullet(line: string): string {
  return line.replace(/^[ \t]*(?:[-*+•‣–](?=[ \t])|\d{1,9}[.)](?=[ \t]))[ \t]*/, '');
}

function withSingleSpaces(line: string): string {
  return line.trim().split(/\s+/).join(' ');
}

/** Turns a text round. */
export const reverseTextTool = defineTool({
  name: 'reverse_text',
  description:
    'Reverses a text: by characters ("abc" to "cba"), by words, by lines, or by the items of a comma list.',
  input: Type.Object({
    text: Type.String(),
    unit: Type.Optional(choice(['characters', 'words', 'lines', 'items'], 'Default characters.')),
  }),
  run({ text, unit = 'characters' }) {
    if (unit === 'lines') return { text: linesOf(text).reverse().join('\n') };
    if (unit === 'items') return { text: listItemsOf(text).reverse().join(', ') };
    if (unit === 'words') return { text: text.trim().split(/\s+/).reverse().join(' ') };
    return { text: graphemesOf(text).reverse().join('') };
  },
});

/** Longest text a replacement may make, in UTF-16 units. */
const MAX_REPLACED_LENGTH = 1_000_000;

/** Replaces one piece of text by another. */
export const replaceTextTool = defineTool({
  name: 'replace_text',
  description:
    'Replaces every occurrence of a word or phrase in a text, taken literally (no patterns). Without a replacement it is removed.',
  input: Type.Object({
    text: Type.String({ description: 'The text to change.' }),
    find: Type.String({ description: 'What to replace.' }),
    replacement: Type.Optional(Type.String({ description: 'What to put in its place.' })),
    ignoreCase: Type.Optional(Type.Boolean({ description: 'Find it in any case. Default false.' })),
  }),
  run({ text, find, replacement = '', ignoreCase = false }) {
    if (find === '') throw new ToolError('Say what to replace: the text to find is empty.');
    const parts = text.split(ignoreCase ? new RegExp(RegExp.escape(find), 'iu') : find);
    if (text.length + (parts.length - 1) * replacement.length > MAX_REPLACED_LENGTH) {
      throw new ToolError('That replacement would make the text too long.');
    }
    return { text: parts.join(replacement), replaced: parts.length - 1 };
  },
});
