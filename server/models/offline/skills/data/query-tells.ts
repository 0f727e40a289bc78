/** How questions about the rows of a table are answered: with what was understood, so that a wrong reading shows. */
import type { Static } from 'typebox';
import type { CellTest, queryTableTool } from '../../../../tools/data-query.ts';
import { escapeMarkdown, markdownTable } from '../../../../tools/text-markdown.ts';
import { capitalised, number } from '../../wording/telling.ts';
import { count } from '../../reading/phrases.ts';

type Output = Static<typeof queryTableTool.output>;
type Input = Static<typeof queryTableTool.input>;

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

/** Tells the result of `query_table` as Markdown. */
export function tellQuery(output: Output, given: Record<string, unknown>): string {
  const input = given as Input;
  const where = conditions(input);
  const { figure, fitting, all, rows, found } = output;
  const skipped =
    output.notNumbers > 0
      ? ` ${count(output.notNumbers, 'cell')} without a number ${output.notNumbers === 1 ? 'is' : 'are'} left out.`
      : '';
  if (figure !== undefined) {
    const what =
      input.figure === 'count'
        ? ''
        : `The ${input.figure ?? ''} of ${escapeMarkdown(input.of ?? '')}${where} is `;
    if (what === '' && where === '') return `**${number(figure)}** ${figure === 1 ? 'row' : 'rows'}.`;
    if (what === '') return `**${number(figure)}** of ${count(all, 'row')}${where}.`;
    return `${what}**${number(figure)}**${fitting < all ? ` (${number(fitting)} of ${count(all, 'row')})` : ''}.${skipped}`;
  }
  if (rows.length === 0) return `No row fits${where}.`;
  const isFigures = output.columns.map((_, at) =>
    rows.every((row) => /^[-+]?\p{Sc}?[\d.,\s]+%?$/u.test(row[at] ?? '')),
  );
  const table = markdownTable(output.columns, rows, isFigures);
  const shown =
    rows.length < found
      ? `${number(rows.length)} of ${count(found, input.groupBy === undefined ? 'row' : 'group')}`
      : '';
  const order = (input.sortBy ?? [])
    .map(
      ({ column, descending }) => `${escapeMarkdown(column)}${descending === true ? ', largest first' : ''}`,
    )
    .join(', then ');
  const notes = [shown, where.trim(), order === '' ? '' : `sorted by ${order}`].filter((note) => note !== '');
  const end = notes.length === 0 ? '' : `\n\n*${capitalised(notes.join('; '))}.*`;
  return `${table}${end}${skipped === '' ? '' : `\n\n${skipped.trim()}`}`;
}

/** " where city is Rome or Oslo and price is above 2"; empty without conditions. */
function conditions({ where = [] }: Input): string {
  const told = where.map(
    ({ column, is, values }) =>
      `${escapeMarkdown(column)} ${TEST_WORDS[is]} ${values.map(escapeMarkdown).join(' or ')}`,
  );
  return told.length === 0 ? '' : ` where ${told.join(' and ')}`;
}
