/** What is asked about tables. */
import { findColumn } from '../../../../tools/data-columns.ts';
import type { TableFormat } from '../../../../tools/data-convert.ts';
import { looksTabular } from '../../../../tools/data-table.ts';
import type { Wish } from '../../skill.ts';
import { TableWords } from './table-words.ts';
import { shapeOf, type DataAsk } from './material.ts';
import { FIGURES } from './query-words.ts';
import { ASCENDING, DESCENDING } from '../../reading/order-words.ts';

/** The figures of a column, by what they are called. */
const CALLED = FIGURES.map(([name, words]) => [name, new RegExp(`\\b(?:${words})\\b`, 'i')] as const);

/** The figures that words ask for. */
export const figuresIn = (words: string): (typeof FIGURES)[number][0][] =>
  CALLED.flatMap(([name, pattern]) => (pattern.test(words) ? [name] : []));

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
const IS_DESCENDING = new RegExp(`\\b(?:${DESCENDING}|revers\\w*)\\b`, 'i');
const IS_ASCENDING = new RegExp(`\\b${ASCENDING}\\b`, 'i');

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
    (sortOf(previous.input).sortBy !== undefined && (IS_DESCENDING.test(words) || IS_ASCENDING.test(words)))
  );
}

function sortIntent(ask: DataAsk, form: TableFormat | null): Wish | null {
  const { words, data, isGuess, previous } = ask;
  const named = columnIn(words.replace(/\b(?:first|last)\b(?! column)/gi, ' '), data);
  const earlier = sortOf(previous?.input).sortBy;
  // A list in lines is the text skill's, and so is a table nobody calls one or names a column of.
  const isTable =
    /\b(?:table|csv|tsv|rows?|data|json|records?)\b/i.test(words) || previous?.tool === 'convert_table';
  const sortBy = named ?? earlier ?? (isTable ? shapeOf(data).columns[0] : undefined);
  if (sortBy === undefined) return null;
  const to =
    form ?? (/\bcsv\b/i.test(words) ? 'csv' : /\bjson\b/i.test(words) ? 'json' : formOf(previous?.input));
  const descending = IS_DESCENDING.test(words) ? { descending: true } : {};
  return {
    tool: 'convert_table',
    input: { text: data, to, sortBy, ...descending },
    isGuess: named === undefined && (isGuess || previous !== null),
  };
}

function formOf(input: Record<string, unknown> | undefined): TableFormat {
  const to = input?.['to'];
  return to === 'csv' || to === 'tsv' || to === 'json' ? to : 'markdown';
}

function figuresIntent(ask: DataAsk): Wish | null {
  const { words, data, isGuess, previous } = ask;
  if (words.length > 160) return null;
  const asksFigure = figuresIn(words).length > 0 || ALL_FIGURES.test(words);
  const asksRows = ROWS.test(words);
  const before = previous?.tool === 'table_statistics' ? previous.input['column'] : undefined;
  const isFollowUp =
    previous?.tool === 'table_statistics' &&
    /^(?:(?:and|what about|how about|now|then|or)\b|(?:of|for|in)\b)/i.test(words);
  if (!(asksFigure || asksRows || isFollowUp) || shapeOf(data).columns.length === 0) return null;
  const left = unusedIn(ask);
  const unused = previous === null && left !== null ? { unused: left } : {};
  if (asksRows && !asksFigure) {
    const isLines = /\b(?:lines|items|elements|entries)\b/i.test(words);
    return isLines && ask.kind === 'table'
      ? null
      : { tool: 'table_statistics', input: { text: data }, isGuess, ...unused };
  }
  // "And the average?" after "sum of price" means the same column.
  const isSame = asksFigure && words.length < 40 && !/\bcolumns\b/i.test(words);
  const column = columnIn(words, data) ?? (isSame ? before : undefined);
  if (column !== undefined) return { tool: 'table_statistics', input: { text: data, column }, ...unused };
  const names = /\b(?:columns?|each|every|all|rows|table|csv|data|values|numbers|json)\b/i.test(words);
  // "Which is the cheapest?" asks for a row.
  const isVague = left !== null || /\b(?:which|who)\b/i.test(words) || (previous === null && isGuess);
  if (!asksFigure || (!names && isVague)) return null;
  return { tool: 'table_statistics', input: { text: data }, isGuess: isGuess || !names, ...unused };
}

/** Words of a figure's question besides its column and the words that say nothing. */
const FIGURE_WORDS = new RegExp(
  `\\b(?:${FIGURES.map(([, words]) => words).join('|')}|calculate|compute|adding|up|together|summary|statistics|stats|describe|figures|analy[sz]e|expensive|how|many|number|count|objects|elements|points?|overall|whole|entire|work|out|numbers?|me|please|[a-z]) ?\\b`,
  'gi',
);

/** What limits the figure that is asked for: "pears" of "the total price of the pears"; null: nothing. */
function unusedIn({ words, data }: DataAsk): string | null {
  // Groups are the query's, as far as it reads them.
  const group = /\b(?:by|per|for (?:each|every))\s+(?!columns?\b).+/i.exec(words)?.[0];
  if (group !== undefined) return group;
  const { columns, cells } = shapeOf(data);
  const asked = new TableWords(words, columns, cells);
  asked.takeAll(asked.column);
  asked.left = asked.left.replace(FIGURE_WORDS, ' ');
  return asked.unused(words);
}

/** The column that the words name or count out, best after "by"; one that is only like a column's name, after "by" or before "column". */
function columnIn(words: string, data: string): string | undefined {
  const { columns } = shapeOf(data);
  const asked = new TableWords(words, columns, []);
  const found = asked.take(`by (?<column>${asked.column})`) ?? asked.take(`(?<column>${asked.column})`);
  if (found !== null) return asked.nameOf(found['column']);
  const { after, before } =
    /\bby (?:the )?(?<after>[^,]{1,80}?)(?: column)?(?:,? (?:in|from|and|as) .*|[\s?.!:]*)$|(?<before>\S+) column\b/i.exec(
      words,
    )?.groups ?? {};
  const like = findColumn(columns, after ?? before ?? '');
  return like === null ? undefined : columns[like];
}
