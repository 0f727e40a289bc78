/** What is asked about tables. */
import { ORDINAL_WORDS } from '../../../../tools/number-words.ts';
import { findColumn } from '../../../../tools/data-columns.ts';
import type { TableFormat } from '../../../../tools/data-convert.ts';
import { looksTabular } from '../../../../tools/data-table.ts';
import type { Wish } from '../../skill.ts';
import { TableWords } from './table-words.ts';
import { namesNothingElse, shapeOf, type DataAsk } from './material.ts';

/** The figures of a column, by what they are called. */
export const FIGURES = {
  sum: /\b(?:sum|sums|total|totals|add(?:ed)?(?: \S+){0,3} up|add up|altogether)\b/i,
  average: /\b(?:average|averages|mean|avg)\b/i,
  median: /\bmedian\b/i,
  minimum: /\b(?:min|minimum|lowest|smallest|cheapest|least)\b/i,
  maximum: /\b(?:max|maximum|highest|largest|biggest|most expensive)\b/i,
} as const;

const ALL_FIGURES = /\b(?:statistics|stats|describe|figures|analy[sz]e)\b/i;
/** Asks for the number of rows. */
export const ROWS =
  /\b(?:how many|number of|count(?: the| all)?)\s(?:\S+\s)?(?:rows|records|entries|lines|items|elements|objects|data points)\b|\brow count\b/i;

const FORM = '(?<form>(?:markdown |md |html |nice |proper |text )?table|csv|tsv|json|markdown)';
const INTO_FORM = new RegExp(`\\b(?:as|to|into|in|2|→|->)\\s(?:an?\\s|the\\s)?${FORM}\\b`, 'i');
const MAKE_FORM = new RegExp(
  `\\b(?:make|create|build|generate|show|render|draw|give|print|display|format|put|get|need)\\b(?:\\s(?:me|a|an|the|it|this|that|them|these|as|nice|out|of|from)){0,6}\\s${FORM}\\b`,
  'i',
);
const TABULATE = /\btabulate\b|^(?:show|display|view|render|read|parse|format|prettif\w*)\b/i;
const SORT = /\b(?:sort|order|rank|arrange)(?:ed|ing)?\b/i;
const DESCENDING =
  /\b(?:desc(?:ending)?|decreasing|revers\w*|(?:highest|largest|biggest|most expensive|newest|latest|greatest)(?: \S+)? first|(?:high|highest|largest|z) ?(?:to|-) ?(?:low|lowest|smallest|a))\b/i;
const ASCENDING =
  /\b(?:asc(?:ending)?|increasing|(?:lowest|smallest|cheapest|oldest)(?: \S+)? first|(?:low|lowest|smallest|a) ?(?:to|-) ?(?:high|highest|largest|z))\b/i;

/** Recognises "make a table from this csv", "sort it by price", "what's the sum of the amount column", "how many rows". */
export function recogniseTable(ask: DataAsk): Wish | null {
  const { words, data } = ask;
  if (words === '' || !(looksTabular(data) || (ask.kind === 'json' && ROWS.test(words)))) return null;
  const form = formIn(words);
  if (SORT.test(words) || (isSortFollowUp(ask) && form === null)) return sortIntent(ask, form);
  const figures = figuresIntent(ask);
  if (figures !== null) return figures;
  if (form !== null) return convertIntent(ask, form);
  const isPlain = ask.previous === null && ask.kind === 'table' && TABULATE.test(words);
  return isPlain && words.length < 60 ? convertIntent(ask, 'markdown') : null;
}

function formIn(words: string): TableFormat | null {
  const name = (INTO_FORM.exec(words) ?? MAKE_FORM.exec(words))?.groups?.['form']?.toLowerCase();
  if (name === undefined) return null;
  return name === 'csv' || name === 'tsv' || name === 'json' ? name : 'markdown';
}

function convertIntent({ data, isGuess, previous, words }: DataAsk, to: TableFormat): Wish | null {
  if (words.length > 120) return null;
  return { tool: 'convert_table', input: { text: data, to, ...sortOf(previous?.input) }, isGuess };
}

/** The order the table had when it was told last. */
function sortOf(input: Record<string, unknown> | undefined): { sortBy?: string; descending?: boolean } {
  const sortBy = input?.['sortBy'];
  if (typeof sortBy !== 'string') return {};
  return input?.['descending'] === true ? { sortBy, descending: true } : { sortBy };
}

/** "Descending", "by name", "and by price". */
function isSortFollowUp({ words, previous }: DataAsk): boolean {
  if (previous?.tool !== 'convert_table' || words.length > 60) return false;
  return (
    /^(?:(?:and|now|but|then) )?by /i.test(words) ||
    (sortOf(previous.input).sortBy !== undefined && (DESCENDING.test(words) || ASCENDING.test(words)))
  );
}

function sortIntent(ask: DataAsk, form: TableFormat | null): Wish | null {
  const { words, data, isGuess, previous } = ask;
  const { columns } = shapeOf(data);
  const named =
    columnAfter(words, columns) ?? columnIn(words.replace(/\b(?:first|last)\b(?! column)/gi, ' '), columns);
  const earlier = sortOf(previous?.input).sortBy;
  // A list in lines is the text skill's, and so is a table nobody calls one or names a column of.
  const isTable =
    /\b(?:table|csv|tsv|rows?|data|json|records?)\b/i.test(words) || previous?.tool === 'convert_table';
  const sortBy = named ?? earlier ?? (isTable ? columns[0] : undefined);
  if (sortBy === undefined) return null;
  const to =
    form ?? (/\bcsv\b/i.test(words) ? 'csv' : /\bjson\b/i.test(words) ? 'json' : formOf(previous?.input));
  const descending = DESCENDING.test(words) ? { descending: true } : {};
  return {
    tool: 'convert_table',
    input: { text: data, to, sortBy, ...descending },
    isGuess: named === null && (isGuess || previous !== null),
  };
}

function formOf(input: Record<string, unknown> | undefined): TableFormat {
  const to = input?.['to'];
  return to === 'csv' || to === 'tsv' || to === 'json' ? to : 'markdown';
}

function figuresIntent(ask: DataAsk): Wish | null {
  const { words, data, isGuess, previous } = ask;
  if (words.length > 160) return null;
  const asksFigure = Object.values(FIGURES).some((pattern) => pattern.test(words)) || ALL_FIGURES.test(words);
  const asksRows = ROWS.test(words);
  const isFollowUp =
    previous?.tool === 'table_statistics' &&
    /^(?:(?:and|what about|how about|now|then|or)\b|(?:of|for|in)\b)/i.test(words);
  if (!asksFigure && !asksRows && !isFollowUp) return null;
  const { columns } = shapeOf(data);
  if (columns.length === 0) return null;
  const unused = previous === null ? unusedIn(ask) : null;
  const more = unused === null ? {} : { unused };
  if (asksRows && !asksFigure) {
    const isLines = /\b(?:lines|items|elements|entries)\b/i.test(words);
    return isLines && ask.kind === 'table'
      ? null
      : { tool: 'table_statistics', input: { text: data }, isGuess, ...more };
  }
  const column = columnIn(words, columns) ?? (asksFigure ? columnBefore(previous, words) : null);
  if (column !== null)
    return {
      tool: 'table_statistics',
      input: { text: data, column },
      ...more,
    };
  if (!asksFigure) return null;
  const names = /\b(?:columns?|each|every|all|rows|table|csv|data|values|numbers|json)\b/i.test(words);
  const about = words
    .replace(
      /\b(?:what(?:['’]?s| is| are)?|calculate|compute|find|get|show|tell|give|me|sums?|totals?|average|mean|avg|median|min|minimum|max|maximum|highest|lowest|statistics|stats|describe|analy[sz]e|add|up|column|columns|summary)\b|[?.!]/gi,
      ' ',
    )
    .trim();
  if (!names && !namesNothingElse(about)) return null;
  if (previous === null && ask.isGuess && !names) return null;
  return {
    tool: 'table_statistics',
    input: { text: data },
    isGuess: isGuess || !names,
    ...more,
  };
}

/** Words of a figure's question besides its column and the words that say nothing. */
const FIGURE_WORDS =
  /\b(?:calculate|compute|sums?|totals?|add(?:ed|ing)?|up|altogether|together|summary|statistics|stats|describe|figures|analy[sz]e|averages?|mean|avg|median|min(?:imum)?|max(?:imum)?|lowest|highest|smallest|largest|biggest|cheapest|most|least|expensive|how|many|number|count|objects|elements|points?|column (?:number )?\d+|[a-z]+th|first|second|third|last|overall|whole|entire|work|out|numbers?|me|please|[a-z]) ?\b/gi;

/** What limits the figure that is asked for: "pears" of "the total price of the pears"; null: nothing. */
function unusedIn({ words, data }: DataAsk): string | null {
  // Groups are the query's, as far as it reads them.
  const group = /\b(?:by|per|for (?:each|every))\s+(?!columns?\b).+/i.exec(words)?.[0];
  if (group !== undefined) return group;
  const { columns, cells } = shapeOf(data);
  const asked = new TableWords(words, columns, cells);
  while (asked.take(asked.column) !== null);
  asked.left = asked.left.replace(FIGURE_WORDS, ' ');
  return asked.unused(words);
}

/** "And the average?" after "sum of price" means the same column. */
function columnBefore(previous: DataAsk['previous'], words: string): string | null {
  const column = previous?.tool === 'table_statistics' ? previous.input['column'] : null;
  return typeof column === 'string' && words.length < 40 && !/\bcolumns\b/i.test(words) ? column : null;
}

/** The column named after "by". */
function columnAfter(words: string, columns: string[]): string | null {
  const named =
    /\bby (?:the )?(?<column>.{1,80}?)(?: column)?(?:,? (?:in )?(?:desc|asc|decreas|increas|revers|from|and|as|highest|largest|lowest|smallest|biggest|newest|oldest).*)?[\s?.!:]*$/i.exec(
      words,
    )?.groups?.['column'];
  if (named === undefined) return null;
  const index = findColumn(columns, named.replace(/^["“'‘]|["”'’]$/g, ''));
  return index === null ? columnIn(named, columns) : (columns[index] ?? null);
}

/** The column that the words name, or count out: "the amount column", "the second column", "column 3". The longest name wins. */
function columnIn(words: string, columns: string[]): string | null {
  const said = ` ${words
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
  let longest: string | null = null;
  for (const column of columns) {
    const name = column
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
    const forms = [
      name,
      `${name}s`,
      `${name}es`,
      name.replace(/y$/, 'ies'),
      ...(name.length > 3 ? [name.replace(/s$/, '')] : []),
    ];
    const isNamed = name !== '' && forms.some((form) => said.includes(` ${form} `));
    if (isNamed && column.length > (longest?.length ?? 0)) longest = column;
  }
  return longest ?? columnCounted(said, columns) ?? columnQuoted(said, columns);
}

function columnCounted(said: string, columns: string[]): string | null {
  const match =
    / (?:(?<ordinal>[a-z]+|\d{1,3}(?:st|nd|rd|th)) column|column (?:number )?(?<number>\d{1,3}|[a-z])) /.exec(
      said,
    );
  const { ordinal, number } = match?.groups ?? {};
  if (ordinal === 'last') return columns.at(-1) ?? null;
  if (number !== undefined && /^[a-z]$/.test(number)) return columns[number.charCodeAt(0) - 97] ?? null;
  const digits = /^\d+/.exec(ordinal ?? number ?? '')?.[0];
  const position = digits === undefined ? ORDINAL_WORDS.indexOf(ordinal ?? '') : Number(digits) - 1;
  return columns[position] ?? null;
}

/** "The sum of unit price column" where the table says "Price": a looser likeness, only next to the word "column". */
function columnQuoted(said: string, columns: string[]): string | null {
  const named = / (?:the |of |in )?(?<name>\S+) column /.exec(said)?.groups?.['name'];
  const index = named === undefined ? null : findColumn(columns, named);
  return index === null ? null : (columns[index] ?? null);
}
