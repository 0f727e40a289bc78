/** Pieces of Markdown and wording that skills share. */
import { attempt } from '../../../../shared/attempt.ts';
import { DateTime } from 'luxon';
import { shorten } from '../../../lib/plain-text.ts';
import type { OutputOf, Tool } from '../../../tools/tool.ts';
import type { Request, OfflineSkill } from '../skill.ts';

export type { OutputOf };

type Format<Output> = (output: Output, input: Record<string, unknown>, request: Request) => string;

/** A formatter for one tool’s results. A result that was truncated may lack a field. */
export const formatting = <Own extends { name: string; run: Tool<never>['run'] }>(
  { name }: Own,
  format: Format<OutputOf<Own>>,
): [tool: string, format: Format<unknown>] => [
  name,
  (output, ...about) =>
    attempt(() => format(output as OutputOf<Own>, ...about)) ?? 'I couldn’t read the result of that.',
];

/** One formatter for several tools’ results. */
export function formatEach(
  ...formats: readonly [tool: string, format: Format<unknown>][]
): OfflineSkill['format'] {
  const byTool = new Map(formats);
  return (tool, input, output, request) => byTool.get(tool)?.(output, input, request) ?? '';
}

/** An ISO time as a person says it in their zone: "19 November 2026, 10:05". */
export function formatTime(iso: string, timeZone: string): string {
  const at = DateTime.fromISO(iso, { zone: timeZone, locale: 'en' });
  return at.isValid ? at.toFormat('d MMMM yyyy, HH:mm') : iso;
}

/** Text as a Markdown quotation, at most `maxCharacters` of it. */
export const quoteBlock = (text: string, maxCharacters = 1_000): string =>
  shorten(text.trim(), maxCharacters)
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');

/** Text on one line, in quotation marks, at most `maxCharacters` of it. */
export const quoteLine = (text: string, maxCharacters = 120): string =>
  `“${shorten(text.replace(/\s+/g, ' ').trim(), maxCharacters)}”`;

/** A number with thousands separators: "1,234.5". */
export const number = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 10 });

const ENUMERATION = new Intl.ListFormat('en-GB');

/** Those that are there and aren't empty. */
export const present = (...texts: readonly (string | false | null)[]): string[] =>
  texts.filter((text) => typeof text === 'string').filter((text) => text !== '');

/** "1 hour, 2 minutes and 3 seconds"; what is empty is left out. */
export const listed = (parts: readonly string[]): string => ENUMERATION.format(present(...parts));

/** With its first letter in upper case. */
export const capitalised = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
