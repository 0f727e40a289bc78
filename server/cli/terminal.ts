/** Printing: for people if the stream is a terminal, otherwise for programs. */
import { styleText } from 'node:util';
import { EXIT } from './exit-codes.ts';

/** Formats of `styleText`, one or several. */
export type Format = Parameters<typeof styleText>[0];

/** The widest that running text is set, in columns: longer lines are hard to read. */
const MOST_COLUMNS = 100;
const USUAL_COLUMNS = 80;
const UNBROKEN_COLUMNS = 1_000_000;

/** Whether people read standard output: then Markdown is rendered, and lists are cut to the terminal's width. */
export const isForPeople = (): boolean =>
  process.stdout.isTTY || !['', '0', 'false', undefined].includes(process.env['FORCE_COLOR']);

/** Whether a question can be put: somebody types, and sees what is asked. */
export const canAsk = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

/** The terminal's width; 80 where there is none. */
export const terminalColumns = (): number => process.stdout.columns || USUAL_COLUMNS;

/** How wide running text is to be: the last column stays free, since some terminals break a line there. Programs get it unbroken. */
export const proseColumns = (): number =>
  isForPeople() ? Math.min(terminalColumns() - 1, MOST_COLUMNS) : UNBROKEN_COLUMNS;

/** The text in a format, where standard output takes colours (`NO_COLOR` and `FORCE_COLOR` decide as well). */
export const styled = (format: Format, text: string): string => styleText(format, text);

/** Whether Markdown’s own marks are needed to see its formats: people do, where there are no colours. */
export const needsMarks = (): boolean => isForPeople() && styled('red', 'x') === 'x';

const CONTROLS = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** Text of models, tools and people without what a terminal would take for a command, or turn around. */
export const withoutControls = (text: string): string => text.replace(/\r\n?/g, '\n').replace(CONTROLS, '');

/** Prints a line. */
export const say = (line = ''): void => void process.stdout.write(`${line}\n`);

/** Tells the person something that is not the command's result. */
export const note = (line: string): void => void process.stderr.write(`${line}\n`);

/** As {@link note}, less loud. */
export const hint = (line: string): void =>
  note(styleText('dim', withoutControls(line), { stream: process.stderr }));

const escaped = (control: string): string => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Prints a value as JSON: one line for programs, indented for people. What a terminal would obey is escaped. */
export const sayJson = (value: unknown): void =>
  say(JSON.stringify(value, null, process.stdout.isTTY ? 2 : undefined).replace(CONTROLS, escaped));

/** Ends the process when its output can't be written: quietly if whoever reads it has gone, as `head` does, else with the reason. */
export function leaveWithReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => {
      if (code === 'EPIPE') process.exit(process.exitCode ?? EXIT.done);
      if (stream === process.stdout) note(`The output can't be written: ${code}.`);
      process.exit(EXIT.failed);
    });
  }
}

/** A time as people here read it: `2026-11-23 12:45`. */
export const localTime = (iso: string): string =>
  // Sweden writes it in this order.
  new Date(iso).toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: 'short' });

const STEP = 1024;
const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** A size in words: `12.5 MiB`. */
export function sizeOf(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(STEP)));
  const value = bytes / STEP ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[power] ?? ''}`;
}
