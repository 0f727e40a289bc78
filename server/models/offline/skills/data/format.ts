/** Formats results of the data tools. Answers about rows repeat what was understood, so that a misreading shows. */
import { convertTableTool } from '../../../../tools/data-convert.ts';
import { checkJsonTool, formatJsonTool, getJsonValueTool } from '../../../../tools/data-json.ts';
import { queryTableTool, type CellTest, type TableQuery } from '../../../../tools/data-query.ts';
import { codeBlock, escapeMarkdown, inlineCode, markdownTable } from '../../../../tools/text-markdown.ts';
import { count } from '../../../../../shared/numbers.ts';
import { previousCall } from '../../reading/history.ts';
import type { Request } from '../../skill.ts';
import { carriedTable, originOf, tableShapeOf } from './material.ts';
import {
  capitalised,
  listed,
  number,
  present,
  quoteLine,
  formatting,
  formatEach,
  type OutputOf,
} from '../../wording/formatting.ts';

type Input = Record<string, unknown>;

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

/** "where city is Rome and price is above 2". */
function formatWhere(where: TableQuery['where'] = []): string {
  const conditions = where.map(
    ({ column, is, values }) =>
      `${escapeMarkdown(column)} ${TEST_WORDS[is]} ${values.map(escapeMarkdown).join(' or ')}`,
  );
  return conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
}

/** "price, largest first, then name". */
const formatOrder = (sortBy: TableQuery['sortBy'] = []): string =>
  sortBy
    .map(({ column, descending }) => `${escapeMarkdown(column)}${descending ? ', largest first' : ''}`)
    .join(', then ');

/** What the rows of a table are: "the 2 rows where city is Rome"; null: all of one that was pasted. */
function formatBasis(all: number, { text }: TableQuery, { history, material }: Request): string | null {
  const calls = originOf(text, history).map(({ input }) => input as TableQuery);
  if (calls[0]?.groupBy !== undefined)
    return `the ${count(all, 'group')} by ${escapeMarkdown(calls[0].groupBy)}`;
  const how = calls
    .reverse()
    .flatMap(({ where, first, sortBy }) => [
      formatWhere(where),
      first === undefined
        ? ''
        : `that ${all === 1 ? 'comes' : 'come'} first${sortBy ? ` by ${formatOrder(sortBy)}` : ''}`,
    ]);
  if (how.length > 0) return `the ${count(all, 'row')} ${present(...how).join(', ')}`;
  // After some rows, it has to be stated that it is about all of them again.
  const last = previousCall(
    history.filter(({ steps }) => steps.some(({ tool }) => tool === queryTableTool.name)),
    [queryTableTool.name],
  );
  const isBack = last !== null && (carriedTable(last) !== null || last.input['text'] !== text);
  return isBack && material === null ? `all ${count(all, 'row')}` : null;
}

function formatQuery(output: OutputOf<typeof queryTableTool>, given: Input, request: Request): string {
  const input = given as TableQuery;
  const { figure, shown, fitting, all, rows, found, notNumbers, columns, tied, totals } = output;
  const where = formatWhere(input.where);
  const basis = formatBasis(all, input, request);
  const left = present(
    notNumbers > 0 &&
      `${count(notNumbers, 'cell')} without a number ${notNumbers === 1 ? 'is' : 'are'} left out.`,
    totals.length > 0 &&
      `Without the ${totals.length === 1 ? 'row' : 'rows'} ${listed(totals.map((name) => quoteLine(name, 40)))}.`,
  );
  if (figure !== undefined) {
    const fits = where === '' ? '' : `${number(fitting)} `;
    const some = where === '' && basis === null ? '' : ` (${fits}of ${basis ?? count(all, 'row')})`;
    const name = input.of === 'Value' ? `the ${count(fitting, 'value')}` : escapeMarkdown(input.of ?? '');
    const about = present(name, where).join(' ');
    const width = /\bcolumns\b/i.test(request.text)
      ? ` and **${number(tableShapeOf(input.text).columns.length)}** columns`
      : '';
    const formatted =
      input.figure === 'count'
        ? `**${number(figure)}** ${where === '' ? `${figure === 1 ? 'row' : 'rows'}${width}${some}` : `of ${basis ?? count(all, 'row')} ${where}`}.`
        : input.figure === 'unique'
          ? `**${number(figure)}** different values in ${about}${some}.`
          : `The ${input.figure ?? ''} of ${about} is **${shown ?? number(figure)}**${some}.`;
    return [formatted, ...left].join(' ');
  }
  const of = basis === null ? '' : `of ${basis}`;
  if (rows.length === 0) return `No row fits ${present(where, of && `(${of})`).join(' ')}.`;
  const isFigures = columns.map((_, at) =>
    rows.every((row) => /^[-+]?\p{Sc}?[\d.,\s]+%?$/u.test(row[at] ?? '')),
  );
  const order = formatOrder(input.sortBy);
  const unit = input.groupBy === undefined ? 'row' : 'group';
  const notes = present(
    rows.length < found && `${number(rows.length)} of ${count(found, unit)}`,
    tied > 0 && (tied + 1 === rows.length ? 'they tie' : `the last ${number(tied + 1)} tie`),
    where,
    of,
    order && `sorted by ${order}`,
  );
  const end = notes.length === 0 ? [] : [`*${capitalised(notes.join('; '))}.*`];
  return [markdownTable(columns, rows, isFigures), ...end, ...left].join('\n\n');
}

/** Formats the result of a data tool as Markdown. */
export const formatData = formatEach(
  formatting(checkJsonTool, ({ valid, kind = '', entries, ...mistake }) => {
    if (valid) {
      if (entries === undefined) return `Yes, this is valid JSON: ${kind === 'null' ? '' : 'a '}${kind}.`;
      const [what, entry] = kind === 'object' ? ['an object', 'key'] : ['a list', 'item'];
      return `Yes, this is valid JSON: ${what} with ${count(entries, entry)}.`;
    }
    const { problem = '', line = 1, column = 1, before = '', after = '' } = mistake;
    const pointer = `${before}${after}\n${' '.repeat(Array.from(before).length)}^`;
    const excerpt = before + after === '' ? '' : `\n\n${codeBlock(pointer)}`;
    return `No, this is not valid JSON. At **line ${number(line)}, column ${number(column)}**: ${escapeMarkdown(problem)}${excerpt}`;
  }),
  formatting(formatJsonTool, ({ text }) => codeBlock(text, 'json')),
  formatting(getJsonValueTool, ({ found, missing, text = '', kind }, input) => {
    const path = inlineCode(String(input['path']));
    const where =
      missing === undefined || missing === input['path'] ? '' : `: ${inlineCode(missing)} is missing`;
    if (!found) return `There is no ${path} in it${where}.`;
    if (text === '') return `${path} is an empty text.`;
    const isShort = text.length <= 80 && !text.includes('\n');
    return isShort
      ? `${path} is ${inlineCode(text)}.`
      : `${path}:\n\n${codeBlock(text, kind === 'text' ? '' : 'json')}`;
  }),
  formatting(convertTableTool, ({ text, rows, shownRows, unevenRows }, { to }, request) => {
    const isShown = to === 'markdown' && !/\bmarkdown\b/i.test(request.text.slice(0, 200));
    const notes = present(
      shownRows < rows &&
        `These are the first ${number(shownRows)} of ${number(rows)} rows; ask for CSV or JSON to get all.`,
      unevenRows > 0 &&
        `${count(unevenRows, 'row')} had more or fewer cells than there are columns: filled up or cut.`,
    );
    return [isShown ? text : codeBlock(text, String(to)), ...notes].join('\n\n');
  }),
  formatting(queryTableTool, formatQuery),
);
