import { Type } from 'typebox';
import { choice } from '../../shared/api/common.ts';
import { defineTool } from './tool.ts';

/** Words that stay small inside a title. */
const SMALL_WORDS = new Set(
  'a an and as at but by for from in into nor of on or over per the to up via vs with'.split(' '),
);

const CHANGES = {
  upper: (text: string) => text.toUpperCase(),
  lower: (text: string) => text.toLowerCase(),
  title: byLine(titleCase),
  sentence: sentenceCase,
  camel: byLine((line) => {
    const [first = '', ...others] = partsOf(line);
    return [first.toLowerCase(), ...others.map(capitalised)].join('');
  }),
  pascal: byLine((line) => partsOf(line).map(capitalised).join('')),
  snake: byLine((line) => partsOf(line).join('_').toLowerCase()),
  kebab: byLine((line) => partsOf(line).join('-').toLowerCase()),
  constant: byLine((line) => partsOf(line).join('_').toUpperCase()),
  slug: byLine((line) => partsOf(withoutAccents(line)).join('-').toLowerCase()),
};
/** The ways letters can be written. */
export type CaseStyle = keyof typeof CHANGES;

/** Changes the case of a text, or makes an identifier of each of its lines. */
export const changeCaseTool = defineTool({
  name: 'change_case',
  description:
    'Changes the letter case of a text: upper, lower, title ("The Lord of the Rings") or sentence; or makes each line an ' +
    'identifier: camel, pascal, snake, kebab, constant, or slug (kebab without accents, for web addresses).',
  input: Type.Object({
    text: Type.String({ description: 'The text to change.' }),
    style: choice(Object.keys(CHANGES) as CaseStyle[]),
  }),
  run: ({ text, style }) => ({ text: CHANGES[style](text) }),
});

function byLine(change: (line: string) => string): (text: string) => string {
  return (text) => text.split('\n').map(change).join('\n');
}

function titleCase(line: string): string {
  const words = line.toLowerCase().split(/(\s+)/);
  const isWord = (word: string): boolean => word.trim() !== '';
  const first = words.findIndex(isWord);
  const last = words.findLastIndex(isWord);
  return words
    .map((word, index) =>
      index !== first && index !== last && SMALL_WORDS.has(word) ? word : capitalisedInside(word),
    )
    .join('');
}

/** Capitalises the first letter and the one after each hyphen: "well-known" is "Well-Known". */
function capitalisedInside(word: string): string {
  return word.replace(
    /(^[^\p{L}\p{N}]*|-)(\p{L})/gu,
    (_, before: string, letter: string) => before + letter.toUpperCase(),
  );
}

function sentenceCase(text: string): string {
  return text
    .toLowerCase()
    .replace(
      /(^|[.!?…]["'”’)\]]?\s|\n[ \t\r]{0,20}\n)([^\p{L}\p{N}]{0,8})(\p{L})/gu,
      (_, end: string, between: string, letter: string) => end + between + letter.toUpperCase(),
    )
    .replace(/\bi\b(?!\.\w)/g, 'I');
}

/** The words of an identifier or a phrase: "parseHTMLText" and "parse html-text" are both three. */
function partsOf(line: string): string[] {
  return line
    .replace(/['’]/g, '')
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((part) => part !== '');
}

function capitalised(word: string): string {
  const [first = ''] = word;
  return first.toUpperCase() + word.slice(first.length).toLowerCase();
}

function withoutAccents(text: string): string {
  return text
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '');
}
