/** Pieces of Markdown and wording that skills share. */
import type { OutputOf, Tool } from '../../../tools/tool.ts';
import type { Request, Skill } from '../skill.ts';

export type { OutputOf };

type Format<Output> = (output: Output, input: Record<string, unknown>, request: Request) => string;

/** A formatter for one tool’s results. A result that was truncated may lack a field. */
export const formatting = <Own extends { name: string; run: Tool<never>['run'] }>(
  { name }: Own,
  tell: Format<OutputOf<Own>>,
): [tool: string, tell: Format<unknown>] => [
  name,
  (output, ...about) => {
    try {
      return tell(output as OutputOf<Own>, ...about);
    } catch {
      return 'I couldn’t read the result of that.';
    }
  },
];

/** One formatter for several tools’ results. */
export function formatEach(...tellings: readonly [tool: string, tell: Format<unknown>][]): Skill['format'] {
  const byTool = new Map(tellings);
  return (tool, input, output, request) => byTool.get(tool)?.(output, input, request) ?? '';
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** An ISO time as a person says it in their zone: "19 November 2026, 10:05". */
export function formatTime(iso: string, timeZone: string): string {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone });
  formats.set(timeZone, format);
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : format.format(date).replace(' at ', ', ');
}

/** Text as a Markdown quotation, at most `maxCharacters` of it. */
export function quoteBlock(text: string, maxCharacters = 1_000): string {
  return clip(text.trim(), maxCharacters)
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}

/** Text on one line, in quotation marks, at most `maxCharacters` of it. */
export function quoteLine(text: string, maxCharacters = 120): string {
  return `“${clip(text.replace(/\s+/g, ' ').trim(), maxCharacters)}”`;
}

/** The start of a text, cut at a word where one ends near, with an ellipsis. */
export function clip(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const start = text.slice(0, maxCharacters);
  const space = start.lastIndexOf(' ');
  const cut = space > maxCharacters * 0.7 ? start.slice(0, space) : start;
  return `${cut.replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** A number with thousands separators: "1,234.5". */
export function number(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: 10 });
}

const ENUMERATION = new Intl.ListFormat('en-GB');

/** Those that aren't empty. */
export const present = (...texts: readonly string[]): string[] => texts.filter((text) => text !== '');

/** "1 hour, 2 minutes and 3 seconds"; what is empty is left out. */
export const listed = (parts: readonly string[]): string => ENUMERATION.format(present(...parts));

/** With its first letter in upper case. */
export const capitalised = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
