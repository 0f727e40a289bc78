/** What a person is asked before a tool call is made: one request for the window, the command line and programs. */
import type { Step, StepApproval } from './api/message.ts';
import { askingTitle } from './tool-title.ts';
import { clip, quoted, visible } from './visible.ts';

/** A step that waits for a person's answer. */
export interface AskingStep extends Pick<Step, 'tool' | 'input'> {
  approval: StepApproval;
}

/** One field of a call's input. */
export interface RequestField {
  /** Its name in one short line; in quotation marks unless it is a plain identifier. */
  name: string;
  text: string;
  /** How long the text is; null: it is a short line. */
  size: string | null;
}

/** A request, ready to be shown as plain text: nothing in it is hidden or acts. */
export interface ApprovalRequest {
  /** Who asks: the tool's title in quotation marks, or `A tool`. */
  asker: string;
  /** What it would do, in the service's words; empty: the input says it all. */
  summary: string;
  /** How many fields the input has: `41 fields`. */
  count: string;
  /** All of the input, short fields first. If there are very many, the last ones share an entry. */
  fields: RequestField[];
  /** The change to a file, line by line, which replaces the field `text`; null: there is none to show. */
  change: string[] | null;
}

/** Heading of the change. */
export const CHANGE_HEADING = 'Changes';

const SOME_TOOL = 'A tool';

/**
 * What a step asks: about its own call, or about one of an agent that it called. Texts of more than `longest` characters are cut in
 * the middle, which is noted.
 */
export function approvalRequest({ tool, input, approval }: AskingStep, longest = Infinity): ApprovalRequest {
  const { call = { tool, input }, summary = '', diff } = approval;
  const all = fieldsOf(call.input).filter(([name]) => diff === undefined || name !== 'text');
  return {
    asker: askerOf(call.tool),
    summary: visible(summary),
    count: all.length === 1 ? '1 field' : counted(all.length, 'fields'),
    fields: bounded(all)
      .map((entry) => toField(entry, longest))
      .toSorted((one, other) => Number(one.size !== null) - Number(other.size !== null)),
    change: diff === undefined ? null : changeLines(diff),
  };
}

/** Who asks: the tool, by its title if that says something. */
export function askerOf(tool: string): string {
  const title = askingTitle(tool);
  return title === null ? SOME_TOOL : quoted(title);
}

/** Heading of a request in the window, and of a notification. */
export const requestTitle = (asker: string): string => `${asker} needs your answer`;

/** Begins the lines of long texts in {@link requestText}, and no others: a text can't imitate the request around it. */
export const TEXT_MARK = '  │ ';
const marked = (lines: readonly string[]): string[] => lines.map((line) => TEXT_MARK + line);

/** The whole request as plain text; `longest` as for {@link approvalRequest}. */
export function requestText(step: AskingStep, longest = Infinity): string {
  const { asker, summary, count, fields, change } = approvalRequest(step, longest);
  const [first = '', ...others] = summary.split('\n');
  const lines = [
    first === '' ? asker : asker === SOME_TOOL ? first : `${asker}: ${first}`,
    ...marked(others),
  ];
  const shown = fields.filter(({ text }) => text !== summary);
  if (shown.length > 0) lines.push(`Input, ${count}:`);
  for (const { name, text, size } of shown) {
    if (size === null) lines.push(`  ${name}: ${text}`);
    else lines.push(`  ${name} (${size}):`, ...marked(text.split('\n')));
  }
  if (change !== null) lines.push(`${CHANGE_HEADING}:`, ...marked(change));
  return lines.join('\n');
}

/** Any value in full: text as it is, anything else as indented JSON. */
export const inFull = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value, null, 2);

type Entry = [name: string, value: unknown];

/** The fields of an input; what isn't an object is one. */
function fieldsOf(input: unknown): Entry[] {
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return Object.entries(input);
  return input === undefined || input === '' ? [] : [['value', input]];
}

const MAX_FIELDS = 200;

function bounded(all: Entry[]): Entry[] {
  const rest = all.slice(MAX_FIELDS);
  if (rest.length === 0) return all;
  return [...all.slice(0, MAX_FIELDS), [counted(rest.length, 'more fields'), Object.fromEntries(rest)]];
}

const SHORT_CHARACTERS = 120;

function toField([name, value]: Entry, longest: number): RequestField {
  const shown = /^[\w-]{1,64}$/.test(name) ? name : quoted(name);
  // A name that was cut is part of what is sent, so the text has all of it.
  const whole = shown.endsWith(')') ? { [name]: value } : value;
  const full = whole === '' ? '""' : inFull(whole);
  const part = clip(full, longest);
  const field = { name: shown, text: visible(part), size: null };
  const lines = full.split('\n').length;
  if (lines === 1 && part === full && field.text.length <= SHORT_CHARACTERS) return field;
  const size = [
    ...(lines === 1 ? [] : [counted(lines, 'lines')]),
    counted(full.length, 'characters'),
    ...(part === full ? [] : ['the middle is left out']),
  ];
  return { ...field, size: size.join(', ') };
}

const counted = (count: number, what: string): string => `${count.toLocaleString('en')} ${what}`;

/** The lines of a unified diff. A CR is part of a line's end if all lines end in CRLF; otherwise it is shown. */
function changeLines(diff: string): string[] {
  if (diff === '') return ['The text stays as it is.'];
  const lines = diff.split('\n');
  const ends = (line: string, index: number): boolean =>
    /^[ +-]/.test(line) && lines[index + 1]?.startsWith('\\') !== true;
  const isCrlf = lines.filter(ends).every((line) => line.endsWith('\r'));
  return lines.map((line, index) => visible(isCrlf && ends(line, index) ? line.slice(0, -1) : line));
}
