/** How results of the data tools are told; a question about rows with what was understood, so that a wrong reading shows. */
import type { Static } from 'typebox';
import { convertTableTool } from '../../../../tools/data-convert.ts';
import { checkJsonTool, formatJsonTool, getJsonValueTool } from '../../../../tools/data-json.ts';
import { queryTableTool, type CellTest } from '../../../../tools/data-query.ts';
import { tableStatisticsTool } from '../../../../tools/data-statistics.ts';
import { codeBlock, escapeMarkdown, inlineCode, markdownTable } from '../../../../tools/text-markdown.ts';
import { count } from '../../reading/phrases.ts';
import { capitalised, number, telling, tellsEach, type OutputOf } from '../../wording/telling.ts';

type Input = Record<string, unknown>;

function tellChecked(output: OutputOf<typeof checkJsonTool>): string {
  if (output.valid) {
    const { kind = 'value', entries } = output;
    if (entries === undefined) return `Yes, this is valid JSON: ${kind === 'null' ? 'null' : `a ${kind}`}.`;
    const [what, one, many] =
      kind === 'object' ? ['an object', 'entry', 'entries'] : ['a list', 'item', 'items'];
    return `Yes, this is valid JSON: ${what} with ${number(entries)} ${entries === 1 ? one : many}.`;
  }
  const { problem = '', line = 1, column = 1, before = '', after = '' } = output;
  const place = `**line ${number(line)}, column ${number(column)}**`;
  const pointer = `${before}${after}\n${' '.repeat(Array.from(before).length)}^`;
  const excerpt = before + after === '' ? '' : `\n\n${codeBlock(pointer)}`;
  return `No, this is not valid JSON. At ${place}: ${escapeMarkdown(problem)}${excerpt}`;
}

function tellValue(output: OutputOf<typeof getJsonValueTool>, input: Input): string {
  const path = inlineCode(String(input['path']));
  const { found, missing, text = '', kind } = output;
  if (!found)
    return missing === undefined || missing === input['path']
      ? `There is no ${path} in it.`
      : `There is no ${path} in it: ${inlineCode(missing)} is not there.`;
  if (text === '') return `${path} is an empty text.`;
  const isShort = text.length <= 80 && !text.includes('\n');
  if (isShort) return `${path} is ${inlineCode(text)}.`;
  return `${path}:\n\n${codeBlock(text, kind === 'text' ? '' : 'json')}`;
}

function tellTable(
  { text, rows, shownRows, unevenRows }: OutputOf<typeof convertTableTool>,
  { to }: Input,
  ask: string,
): string {
  const isShown = to === 'markdown' && !/\bmarkdown\b/i.test(ask.slice(0, 200));
  const notes = [
    ...(shownRows < rows
      ? [`These are the first ${number(shownRows)} of ${number(rows)} rows; ask for CSV or JSON to get all.`]
      : []),
    ...(unevenRows > 0
      ? [
          `${number(unevenRows)} ${unevenRows === 1 ? 'row has' : 'rows have'} more or fewer cells than there are columns: filled up or cut.`,
        ]
      : []),
  ];
  return [isShown ? text : codeBlock(text, String(to)), ...notes].join('\n\n');
}

const FIGURES = ['sum', 'average', 'median', 'minimum', 'maximum'] as const;
/** Columns told in a table of figures. */
const MAX_TOLD_COLUMNS = 30;

function tellStatistics({ columns, rows }: OutputOf<typeof tableStatisticsTool>): string {
  const told = columns.filter(({ numbers }) => numbers > 0);
  if (told.length === 0) return `No column of the table holds numbers; it has ${number(rows)} rows.`;
  const rest = told.length - MAX_TOLD_COLUMNS;
  const table = markdownTable(
    ['Column', 'Numbers', ...FIGURES.map(capitalised)],
    told
      .slice(0, MAX_TOLD_COLUMNS)
      .map((one) => [one.name, number(one.numbers), ...FIGURES.map((figure) => number(one[figure] ?? 0))]),
    [false, true, ...FIGURES.map(() => true)],
  );
  const notes = told.flatMap(({ name, filled, numbers }) =>
    filled > numbers ? [leftOut(filled - numbers, ` in ${escapeMarkdown(name)}`)] : [],
  );
  return [table, ...(rest > 0 ? [`${number(rest)} more columns are left out.`] : []), ...notes].join('\n\n');
}

const leftOut = (cells: number, where = ''): string =>
  `${count(cells, 'cell')}${where} without a number ${cells === 1 ? 'is' : 'are'} left out.`;

const TEST_WORDS: Readonly<Record<CellTest, string>> = {
  equals: 'is',
  not: 'is not',
  contains: 'contains',
  starts: 'starts with',
  ends: 'ends with',
  above: 'is above',
  below: 'is below',
  at_least: 'is at least',
  at_most: 'is at most',
};

function tellQuery(output: OutputOf<typeof queryTableTool>, given: Input): string {
  const input = given as Static<typeof queryTableTool.input>;
  const tests = (input.where ?? []).map(
    ({ column, is, values }) =>
      `${escapeMarkdown(column)} ${TEST_WORDS[is]} ${values.map(escapeMarkdown).join(' or ')}`,
  );
  const where = tests.length === 0 ? '' : ` where ${tests.join(' and ')}`;
  const { figure, fitting, all, rows, found, notNumbers, columns } = output;
  const skipped = notNumbers > 0 ? leftOut(notNumbers) : '';
  if (figure !== undefined && input.figure === 'count') {
    const noun = figure === 1 ? 'row' : 'rows';
    return `**${number(figure)}** ${where === '' ? noun : `of ${count(all, 'row')}${where}`}.`;
  }
  if (figure !== undefined) {
    const some = fitting < all ? ` (${number(fitting)} of ${count(all, 'row')})` : '';
    return `The ${input.figure ?? ''} of ${escapeMarkdown(input.of ?? '')}${where} is **${number(figure)}**${some}. ${skipped}`.trim();
  }
  if (rows.length === 0) return `No row fits${where}.`;
  const isFigures = columns.map((_, at) =>
    rows.every((row) => /^[-+]?\p{Sc}?[\d.,\s]+%?$/u.test(row[at] ?? '')),
  );
  const order = (input.sortBy ?? [])
    .map(({ column, descending }) => `${escapeMarkdown(column)}${descending ? ', largest first' : ''}`)
    .join(', then ');
  const unit = input.groupBy === undefined ? 'row' : 'group';
  const notes = [
    rows.length < found ? `${number(rows.length)} of ${count(found, unit)}` : '',
    where.trim(),
    order === '' ? '' : `sorted by ${order}`,
  ].filter((note) => note !== '');
  const end = notes.length === 0 ? [] : [`*${capitalised(notes.join('; '))}.*`];
  return [markdownTable(columns, rows, isFigures), ...end, ...(skipped === '' ? [] : [skipped])].join('\n\n');
}

/** Tells the result of a data tool as Markdown. */
export const tellData = tellsEach(
  telling(checkJsonTool, tellChecked),
  telling(formatJsonTool, ({ text }) => codeBlock(text, 'json')),
  telling(getJsonValueTool, tellValue),
  telling(convertTableTool, (output, input, { text }) => tellTable(output, input, text)),
  telling(tableStatisticsTool, tellStatistics),
  telling(queryTableTool, tellQuery),
);
