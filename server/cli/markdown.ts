/** Markdown as lines for a terminal, or as plain text for programs. */
import { marked, type Token, type Tokens } from 'marked';
import { extendMarkdownRules, numbersOf, ownRules } from '../../shared/markdown-rules.ts';
import { inlineText } from './markdown-inline.ts';
import { tableLines } from './markdown-table.ts';
import { isForPeople, needsMarks, styled } from './terminal.ts';
import { widthOf, wrap } from './text-width.ts';

extendMarkdownRules();
marked.use(ownRules);

/** The least width of text, however deeply nested in lists. */
const LEAST_COLUMNS = 20;
/** The longest rule. */
const RULE_COLUMNS = 100;

/** Markdown as its blocks, in order; the texts of their `raw` are the whole, without control characters. */
export const blocksOf = (text: string): Token[] => marked.lexer(text);

/** The lines of a whole text. */
export const renderMarkdown = (text: string, columns: number): string[] =>
  renderBlocks(blocksOf(text), columns);

/** The lines of blocks, with an empty one between them. */
export function renderBlocks(blocks: readonly Token[], columns: number): string[] {
  return blocks
    .map((block) => renderBlock(block as Tokens.Generic, Math.max(columns, LEAST_COLUMNS)))
    .filter((lines) => lines.length > 0)
    .flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]));
}

function renderBlock(block: Tokens.Generic, columns: number): string[] {
  switch (block.type) {
    case 'space':
    case 'def':
      return [];
    case 'heading': {
      const { depth } = block as Tokens.Heading;
      const mark = needsMarks() ? `${'#'.repeat(depth)} ` : '';
      const formats = depth === 1 ? (['bold', 'underline'] as const) : (['bold'] as const);
      return wrap(mark + inlineText(block.tokens, formats), columns);
    }
    case 'code':
      return (block as Tokens.Code).text
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => `${isForPeople() ? '    ' : ''}${line === '' ? '' : styled('cyan', line)}`.trimEnd());
    case 'blockquote':
      return renderBlocks(block.tokens ?? [], columns - 2).map((line) => `${styled('dim', '│')} ${line}`);
    case 'list':
      return listLines(block as Tokens.List, columns);
    case 'table':
      return tableLines(block as Tokens.Table, columns);
    case 'hr':
      return [styled('dim', '─'.repeat(Math.min(columns, RULE_COLUMNS)))];
    case 'html':
      return block.raw.trimEnd().split('\n');
    default:
      return wrap(inlineText(block.tokens ?? [block]), columns);
  }
}

function listLines(list: Tokens.List, columns: number): string[] {
  const { items, ordered, loose } = list;
  const numbers = ordered ? numbersOf(list) : [];
  const markOf = (index: number): string => (ordered ? `${numbers[index]}.` : '•');
  const indent = Math.max(...items.map((_item, index) => widthOf(markOf(index)))) + 1;
  return items.flatMap((item, index) => {
    const mark = item.task ? (item.checked === true ? '☑' : '☐') : markOf(index);
    const blocks = item.tokens.filter(({ type }) => type !== 'checkbox');
    const inside = itemLines(blocks, columns - indent, item.loose);
    const lines = inside.map((line, row) => {
      return `${(row === 0 ? mark : '').padEnd(indent)}${line}`.trimEnd();
    });
    if (lines.length === 0) lines.push(mark);
    return loose && index > 0 ? ['', ...lines] : lines;
  });
}

/** In a tight list there is no empty line between an item's text and the list below it. */
const itemLines = (blocks: readonly Token[], columns: number, isLoose: boolean): string[] =>
  isLoose ? renderBlocks(blocks, columns) : blocks.flatMap((block) => renderBlocks([block], columns));
