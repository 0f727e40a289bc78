/** What the text tools are asked to do, in the phrasings that are common; the rest is for their forms. */
import { readColumn } from '../../../../tools/data-columns.ts';
import { looksTabular } from '../../../../tools/data-table.ts';
import { jsonItemsOf, listItemsOf, withoutBrackets } from '../../../../tools/text-format.ts';
import { MAX_SUMMARY_SENTENCES } from '../../../../tools/text-summary.ts';
import { isList, isPhrase, isWord, withoutQuotes, type Order } from '../../reading/orders.ts';
import { anyPattern, AS_TEXT, COUNT, countIn, nameFor, type Words } from '../../reading/words.ts';

const UNIT = '(?:words?|characters?|chars|letters?|sentences?|lines?|paragraphs?)';
const UNITS = `${UNIT}(?:(?:,? and|,| or)(?: the)?(?: how many| number of)? ${UNIT})*`;
const CASES = {
  upper: '(?:all )?(?:upper[- ]?case|caps|capitals|capital letters)',
  lower: '(?:all )?(?:lower[- ]?case|small letters)',
  title: 'title[- ]?case|capitali[sz]e(?: (?:each|every|all) words?)?',
  sentence: 'sentence[- ]?case',
  camel: 'camel[- _]?case',
  snake: 'snake[- _]?case',
  kebab: 'kebab[- _]?case',
  slug: '(?:url[- ]?)?slug',
};
const LAYOUTS = {
  bullet_list: 'bullet(?:ed)?[- ]?(?:points?|list)|bullets',
  numbered_list:
    'numbered list|number (?:them|these|those|it|that|this|(?:(?:the|these|those|this|my) )(?:lines|items|list))(?! (?:words|letters|sentences|paragraphs|characters|rows))',
  comma_list:
    'comma[- ]separated(?: list)?|(?:join (?:(?:these|the|them) )?(?:lines )?|on (?:one|a single) line )(?:with|by) commas(?: between(?: them)?)?',
  collapse_spaces:
    '(?:remove|delete|trim|collapse|get rid of) (?:the |all )*(?:extra|double|multiple) (?:white ?)?spaces',
  remove_blank_lines: '(?:remove|delete) (?:the |all )?(?:blank|empty) lines',
};
const KINDS = {
  phone_numbers: '(?:tele)?phone ?numbers?',
  emails: 'e-?mails?(?: addresses)?',
  links: 'links?|urls?|web addresses',
  numbers: 'numbers',
  dates: 'dates',
};

const DESCENDING =
  '(?:in )?(?:descending|reversed)(?: order)?|in reverse(?: alphabetical)?(?: order)?|reverse (?:alphabetical )?order|(?:(?:from )?(?:highest|largest|biggest|longest|z) to (?:lowest|smallest|shortest|a)|(?:highest|largest|biggest|longest) first)';
const ASCENDING =
  '(?:in )?ascending(?: order)?|(?:from )?(?:lowest|smallest|shortest|a) to (?:highest|largest|biggest|longest|z)|(?:lowest|smallest|shortest) first';
const KEYS = {
  length: 'by (?:the |their )?(?:length|number of (?:letters|characters))',
  number: 'numeric(?:ally)?|(?:in )?numerical(?:ly)?(?: order)?|by (?:number|value|size)',
  last_name: 'by (?:the |their )?(?:last name|surname)s?',
  alphabet: '(?:in |into )?alphabetic(?:al)?(?:ly)?(?: order)?|by (?:alphabet|name)',
};

/** The items of a list are never these. */
const PARTS = 'letters|characters|sentences|paragraphs';

/** Takes the words for an order out; null: they name two. */
function orderIn(asked: Words): Record<string, unknown> | null {
  const by = Object.entries(KEYS).find(([, words]) => asked.take(words) !== null)?.[0];
  const descending = asked.take(DESCENDING) !== null;
  if (asked.take(ASCENDING) !== null && descending) return null;
  asked.take('people');
  return { ...(by && { by }), ...(descending && { descending }) };
}

/** The items of a list in a text: of JSON, its lines, the parts between commas, or its words where there are neither. */
export function itemsOf(source: string): string[] {
  const listed = jsonItemsOf(source);
  if (listed !== null) return listed;
  const text = withoutBrackets(source);
  const isOneLine = !text.trim().includes('\n');
  const isSpaced = isOneLine && !/[,;]\s/.test(text);
  const items = isSpaced ? text.trim().split(/[\s,;]+/) : listItemsOf(text);
  const plain = items.map((item) => withoutQuotes(item.trim()));
  const last = plain.at(-1) ?? '';
  // The full stop of "milk, eggs, bread." is the sentence's.
  return isOneLine && /[^.\d]\.$/.test(last) ? [...plain.slice(0, -1), last.slice(0, -1)] : plain;
}

/** Whether a text is JSON, or a table: rows with figures under a heading, which stays on top. Those have tools of their own. */
function isTable(text: string): boolean {
  const [heading = '', ...rows] = text.trim().split('\n');
  const isHeading = !/\d/.test(heading) && rows.every((row) => /\d/.test(row));
  return /^\s*(?:\{|\[\s*[{[])/.test(text) || (looksTabular(text) && isHeading);
}

/** "Fig, banana, kiwi by vowels": the last item says how to sort. */
const isQualified = (items: readonly string[]): boolean =>
  items.findIndex((item) => /\S by (?:\S+ ){0,2}\S+$/i.test(item)) === items.length - 1;

/** In the order in which they are tried: what names more comes first. */
export const ORDERS: readonly Order[] = [
  {
    tool: 'summarise_text',
    named: `summari[sz]e|tl;?dr|shorten|(?:short |brief )?summary|(?:key|main) points`,
    again: `(?<kept>in ${COUNT} sentences?)`,
    bare: (text) => /[.!?]\s+\S/.test(text),
    unless: `${COUNT} words?`,
    how(asked) {
      const size = asked.take(
        `(?:in|to|into)? ?(?<count>${COUNT}) (?:short )?(?:sentences?|bullets?|(?:bullet )?points?)`,
      );
      const sentences = countIn(size?.['count'], 3);
      if (sentences > MAX_SUMMARY_SENTENCES) asked.refuse(`${sentences} sentences`);
      return size === null ? {} : { sentences };
    },
  },
  {
    tool: 'count_text',
    named: `(?:count )?(?:how many|count|number of)(?: all)?(?: the)? ${UNITS}(?: long)?|(?:word|character|letter|line|sentence) count|count`,
    again: UNITS,
    bare: (text) => isWord(text) && text.length > 2,
    // "How many words have letters", "characters per word".
    unless: `(?:have|has|with|without|per)(?: an?| the)? ${UNIT}|(?:have|has|with|without) an?(?= in| *$)`,
    how(asked) {
      asked.take('(?:including|with|counting) (?:the )?spaces');
      return {};
    },
  },
  {
    tool: 'extract_from_text',
    named: `(?:extract|pull(?: out)?|get|find|list|give me|show me|what)(?: (?:all|any|the|of))* (?<kind>${anyPattern(KINDS)})(?: out)?`,
    again: `(?<kind>${anyPattern(KINDS)})`,
    bare: (text) => /@|https?:|www\./.test(text),
    unless: anyPattern(KINDS),
    how: (_asked, { kind }) => ({ kind: nameFor(KINDS, kind) }),
  },
  {
    tool: 'sort_list',
    named:
      'sort(?:ed)?|arrange|order(?= (?:by|alphabetically|from))|alphabeti[sz]e|(?<kept>(?:in|into) (?:alphabetical|numerical|ascending|descending|reverse) order)',
    again: `(?<kept>${DESCENDING}|${ASCENDING}|${anyPattern(KEYS)}|${AS_TEXT})`,
    bare: isList,
    unless: `${AS_TEXT}|${PARTS}`,
    how: orderIn,
    input(text, how) {
      const items = itemsOf(text);
      if (isTable(text) || isQualified(items)) return null;
      // "Sort by name" of a column with its heading.
      if (
        how['by'] !== undefined &&
        /^(?:(?:last )?name|surname|value|size|number|length)s?$/i.test(items[0] ?? '')
      )
        return null;
      const { kind, keys } = readColumn(items);
      const areNumbers = kind === 'number' && !keys.includes(null);
      // The tool never puts 10 before 9, which is what the alphabet would do.
      if (items.length < 2 || (areNumbers && how['by'] === 'alphabet')) return null;
      const isValued = kind !== 'text' && (how['by'] ?? 'number') === 'number';
      return { items, by: 'alphabet', ...how, ...(isValued && { by: 'value' }) };
    },
  },
  {
    tool: 'remove_duplicates',
    named: '(?:remove|delete|drop|without)(?: (?:the|any|all))* duplicates?|de-?dup(?:e|licate)|unique',
    bare: isList,
    unless: PARTS,
    input(text) {
      const items = itemsOf(text);
      return items.length < 2 ? null : { items };
    },
  },
  {
    tool: 'change_case',
    named: `(?<style>${anyPattern(CASES)})`,
    bare: isPhrase,
    how: (_asked, { style }) => ({ style: nameFor(CASES, style) }),
  },
  {
    tool: 'format_text',
    named: `(?<layout>${anyPattern(LAYOUTS)})`,
    how: (_asked, { layout }) => ({ layout: nameFor(LAYOUTS, layout) }),
  },
  {
    tool: 'reverse_text',
    named:
      'reverse(?: the (?:order )?of)?(?: (?:the|these))? (?<unit>words|lines|items|letters|list)(?: order)?|reverse|backwards?|(?:the )?other way (?:a)?round',
    bare: (text) => isWord(text) || isList(text),
    unless: 'sentences|paragraphs',
    how: (_asked, { unit }) => ({ unit }),
    input(text, { unit }) {
      if (isTable(text)) return null;
      if (unit === 'words' || unit === 'items' || unit === 'lines') return { text, unit };
      const isInBrackets =
        jsonItemsOf(text) !== null || (withoutBrackets(text) !== text && text.includes(','));
      if (unit !== 'letters' && isInBrackets) return { text, unit: 'items' };
      if (unit !== 'letters' && text.trim().includes('\n')) return { text, unit: 'lines' };
      return { text, unit: unit === 'list' || /[,;] /.test(text) ? 'items' : 'characters' };
    },
  },
];
