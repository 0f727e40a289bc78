/** What the assistant says of files themselves, with no tool: what they are, their text, and how two lists differ. */
import { count } from '../../../shared/numbers.ts';
import { attempt } from '../../../shared/attempt.ts';
import { looksTabular, readTable } from '../../tools/data-table.ts';
import type { AttachedFile } from './reading/attached.ts';
import { number, present } from './wording/formatting.ts';

const MAX_SHOWN_CHARACTERS = 20_000;
const MAX_LISTED = 50;

const WANTS_TEXT =
  /^(?:please )?(?:(?:show|give|tell|get|read|extract|print|display|copy|write out)\b.*\b(?:text|contents?|words|says?|file|files|pdf|docx?|document|documents|it|this|them)|read|what(?:['’]?s| is| does| do)\b.*\b(?:say|says|in (?:it|this|there|them|the|these)|contents?|inside|written|text))\b[^\n]{0,60}$/i;
const COMPARES =
  /\bcompare\b|\bdiff(?:erence|erences|er|ers)?\b|\bin common\b|^(?:what|which)\b.*\bin both\b|\b(?:only|not) in (?:the )?(?:first|second|one|either)\b|\bmissing (?:from|in)\b/i;

/** The answer to a message about these files, if it needs no tool; null: it is for the skills. */
export function answerFiles(words: string, files: readonly AttachedFile[]): string | null {
  const readable = files.filter(({ text }) => text !== null);
  const ask = words.trim().replace(/(?<![.?!\s])[.?!\s]+$/, '');
  if (readable.length === 0) return null;
  if (ask === '') return readable.map(describe).join('\n\n') + NEXT;
  const [one, other] = readable;
  if (one !== undefined && other !== undefined && readable.length === 2 && COMPARES.test(ask))
    return compare(one, other);
  if (ask.length < 120 && WANTS_TEXT.test(ask)) return readable.map(show).join('\n\n');
  return null;
}

const NEXT =
  '\n\nI can count, sort, search, summarise and convert it, or answer questions about its columns. What would you like to know?';

/** What can't be read, and why, in sentences; empty: nothing is amiss. */
export function formatUnread(files: readonly AttachedFile[]): string {
  const pictures = files.filter(({ isPicture }) => isPicture).map(({ name }) => `“${name}”`);
  const others = files.flatMap(({ name, isPicture, text, isCut, reason }) => {
    if (isPicture) return [];
    if (text === null) return [`I could not read “${name}”: it ${reason ?? 'holds no text'}.`];
    return isCut
      ? [`Of “${name}” I have read only the first ${number(text.length)} characters, so this is about those.`]
      : [];
  });
  return present(
    pictures.length > 0 &&
      `I can’t look at pictures (${pictures.join(', ')}). A connected model that can will: choose one for this chat, or connect one in the settings, under Models.`,
    ...others,
  ).join('\n\n');
}

function describe({ name, text }: AttachedFile): string {
  const whole = text ?? '';
  const table = looksTabular(whole) ? attempt(() => readTable(whole)) : null;
  if (table !== null)
    return `**${name}** is a table of ${count(table.rows.length, 'row')} with ${count(table.columns.length, 'column')}: ${table.columns.join(', ')}.`;
  const words = whole.match(/\S+/g)?.length ?? 0;
  return `**${name}** holds ${count(words, 'word')} in ${count(linesOf(whole).length, 'line')}.`;
}

function show({ name, text }: AttachedFile): string {
  const whole = text ?? '';
  return present(
    `**${name}**`,
    whole.slice(0, MAX_SHOWN_CHARACTERS).toWellFormed().trim(),
    whole.length > MAX_SHOWN_CHARACTERS &&
      `These are the first ${number(MAX_SHOWN_CHARACTERS)} of ${number(whole.length)} characters.`,
  ).join('\n\n');
}

const linesOf = (text: string): string[] => text.split('\n').flatMap((line) => line.trim() || []);

function compare(one: AttachedFile, other: AttachedFile): string {
  const [first, second] = [new Set(linesOf(one.text ?? '')), new Set(linesOf(other.text ?? ''))];
  const [onlyFirst, onlySecond] = [first.difference(second), second.difference(first)];
  const both = first.intersection(second);
  if (onlyFirst.size + onlySecond.size === 0)
    return `“${one.name}” and “${other.name}” hold the same ${count(both.size, 'line')}.`;
  return [
    list(`Only in ${one.name}`, onlyFirst),
    list(`Only in ${other.name}`, onlySecond),
    list('In both', both),
  ].join('\n\n');
}

function list(title: string, lines: ReadonlySet<string>): string {
  const shown = [...lines].slice(0, MAX_LISTED).map((line) => `- ${line}`);
  const rest = lines.size - shown.length;
  const more = rest > 0 && `… and ${number(rest)} more.`;
  return present(`**${title}** (${number(lines.size)})`, shown.join('\n'), more).join('\n\n');
}
