/** How results of the data tools are told. */
import { convertTableTool } from '../../../../tools/data-convert.ts';
import { checkJsonTool, formatJsonTool, getJsonValueTool } from '../../../../tools/data-json.ts';
import { queryTableTool } from '../../../../tools/data-query.ts';
import { tableStatisticsTool } from '../../../../tools/data-statistics.ts';
import { codeBlock, escapeMarkdown, inlineCode, markdownTable } from '../../../../tools/text-markdown.ts';
import type { Request } from '../../skill.ts';
import { capitalised, number, telling, tellsEach, type OutputOf } from '../../wording/telling.ts';
import { tellQuery } from './query-tells.ts';
import { FIGURES } from './query-words.ts';

type Input = Record<string, unknown>;

/** Columns told in a table of figures. */
const MAX_TOLD_COLUMNS = 30;

function tellChecked(output: OutputOf<typeof checkJsonTool>): string {
  if (output.valid) {
    const { kind = 'value', entries } = output;
    if (entries === undefined) return `Yes, this is valid JSON: ${kind === 'null' ? 'null' : `a ${kind}`}.`;
    const noun = kind === 'object' ? ['entry', 'entries'] : ['item', 'items'];
    return `Yes, this is valid JSON: ${kind === 'object' ? 'an object' : 'a list'} with ${number(entries)} ${noun[entries === 1 ? 0 : 1] ?? ''}.`;
  }
  const { problem = '', line = 1, column = 1, before = '', after = '' } = output;
  const place = `**line ${number(line)}, column ${number(column)}**`;
  const excerpt =
    before + after === ''
      ? ''
      : `\n\n${codeBlock(`${before}${after}\n${' '.repeat(Array.from(before).length)}^`)}`;
  return `No, this is not valid JSON. At ${place}: ${escapeMarkdown(problem)}${excerpt}`;
}

function tellValue(output: OutputOf<typeof getJsonValueTool>, input: Input): string {
  const path = inlineCode(String(input['path']));
  if (!output.found) {
    const missing = output.missing ?? '';
    return missing === input['path']
      ? `There is no ${path} in it.`
      : `There is no ${path} in it: ${inlineCode(missing)} is not there.`;
  }
  const { text = '', kind = '' } = output;
  if (text === '') return `${path} is an empty text.`;
  const isShort = text.length <= 80 && !text.includes('\n');
  return isShort
    ? `${path} is ${inlineCode(text)}.`
    : `${path}:\n\n${codeBlock(text, kind === 'text' ? '' : 'json')}`;
}

function tellTable(
  { text, rows, shownRows, unevenRows }: OutputOf<typeof convertTableTool>,
  input: Input,
  request: Request,
): string {
  const to = input['to'];
  const asksMarkdown = /\bmarkdown\b/i.test(request.text.slice(0, 200));
  const body =
    to === 'markdown'
      ? asksMarkdown
        ? codeBlock(text, 'markdown')
        : text
      : codeBlock(text, to === 'json' ? 'json' : 'csv');
  const notes: string[] = [];
  if (shownRows < rows)
    notes.push(
      `These are the first ${number(shownRows)} of ${number(rows)} rows; ask for CSV or JSON to get all.`,
    );
  if (unevenRows > 0) {
    notes.push(
      `${number(unevenRows)} ${unevenRows === 1 ? 'row has' : 'rows have'} more or fewer cells than there are columns: filled up or cut.`,
    );
  }
  return [body, ...notes].join('\n\n');
}

type Statistics = OutputOf<typeof tableStatisticsTool>;
type ColumnFigures = Statistics['columns'][number];
type Figure = (typeof FIGURES)[number][0];

const ALL: readonly Figure[] = FIGURES.map(([name]) => name);

/** The figures that words ask for. */
const figuresIn = (words: string): Figure[] =>
  FIGURES.flatMap(([name, pattern]) => (new RegExp(`\\b(?:${pattern})\\b`, 'i').test(words) ? [name] : []));

function tellStatistics(output: Statistics, input: Input, request: Request): string {
  const asked = figuresIn(request.text.slice(0, 300));
  const columns = output.columns.filter(({ numbers }) => numbers > 0);
  const [only] = typeof input['column'] === 'string' ? output.columns : columns;
  if (only === undefined) return `No column of the table holds numbers; it has ${number(output.rows)} rows.`;
  if (typeof input['column'] === 'string' || columns.length === 1) return tellColumn(only, asked);
  const figures = asked.length > 0 ? asked : ALL;
  const table = markdownTable(
    ['Column', ...figures.map((figure) => capitalised(figure))],
    columns
      .slice(0, MAX_TOLD_COLUMNS)
      .map((one) => [one.name, ...figures.map((figure) => number(one[figure] ?? 0))]),
    [false, ...figures.map(() => true)],
  );
  const rest = columns.length - MAX_TOLD_COLUMNS;
  const more = rest > 0 ? `\n\n${number(rest)} more columns are left out.` : '';
  return [table + more, ...columns.flatMap((one) => skippedNote(one, true))].join('\n\n');
}

function tellColumn(column: ColumnFigures, asked: readonly Figure[]): string {
  const name = escapeMarkdown(column.name);
  if (column.numbers === 0) return `The column ${name} holds no numbers.`;
  const skipped = skippedNote(column, false);
  const [figure] = asked;
  if (asked.length === 1 && figure !== undefined) {
    return [`The ${figure} of ${name} is **${number(column[figure] ?? 0)}**.`, ...skipped].join(' ');
  }
  const figures = asked.length > 0 ? asked : ALL;
  const lines = figures.map((one) => `- ${capitalised(one)}: **${number(column[one] ?? 0)}**`);
  return [`${name} (${number(column.numbers)} numbers):\n\n${lines.join('\n')}`, ...skipped].join('\n\n');
}

function skippedNote(column: ColumnFigures, isNamed: boolean): string[] {
  const skipped = column.filled - column.numbers;
  if (skipped === 0) return [];
  const where = isNamed ? ` in ${escapeMarkdown(column.name)}` : '';
  return [
    `${number(skipped)} ${skipped === 1 ? 'cell' : 'cells'}${where} without a number ${skipped === 1 ? 'is' : 'are'} left out.`,
  ];
}

/** Tells the result of a data tool as Markdown. */
export const tellData = tellsEach(
  telling(checkJsonTool, tellChecked),
  telling(formatJsonTool, ({ text }) => codeBlock(text, 'json')),
  telling(getJsonValueTool, tellValue),
  telling(convertTableTool, tellTable),
  telling(tableStatisticsTool, tellStatistics),
  telling(queryTableTool, tellQuery),
);
