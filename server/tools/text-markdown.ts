/** Puts text of unknown content into Markdown so that it reads as the text it is: no markup, no HTML. */
import { fenceFor } from '../../shared/file-block.ts';

/** Escapes what Markdown or HTML would take for markup in running text; line breaks become spaces. */
export function escapeMarkdown(text: string): string {
  return text
    .split(/(?<!\s)\s*[\r\n]\s*/)
    .join(' ')
    .replace(/[\\`*[<|]|~(?=~)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#?\w{1,32};)/gu, '\\$&')
    .replace(/^(\s{0,8})(>|[-+](?=\s|$)|#{1,6}(?=\s|$))/, '$1\\$2')
    .replace(/^(\s{0,8}\d{1,9})([.)])(?=\s|$)/, '$1\\$2');
}

/** A code block around `text`; its fence is longer than any run of backticks inside. */
export function codeBlock(text: string, language = ''): string {
  const fence = fenceFor(text);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** `text` as code within a line; line breaks become spaces. */
export function inlineCode(text: string): string {
  const line = text.split(/[\r\n]+/).join(' ');
  const longest = (line.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
  const fence = '`'.repeat(longest + 1);
  const space = line.startsWith('`') || line.endsWith('`') || line.trim() === '' ? ' ' : '';
  return `${fence}${space}${line}${space}${fence}`;
}

/** A Markdown table; cells are escaped, columns named in `rightAligned` (by position) are set right. */
export function markdownTable(
  columns: string[],
  rows: string[][],
  rightAligned: readonly boolean[] = [],
): string {
  const line = (cells: string[]): string => `| ${cells.map(escapeMarkdown).join(' | ')} |`;
  const rule = `| ${columns.map((_, index) => (rightAligned[index] === true ? '---:' : '---')).join(' | ')} |`;
  return [line(columns), rule, ...rows.map(line)].join('\n');
}
