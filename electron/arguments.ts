/** The app's command-line arguments. Chromium's own switches are among them and are ignored. */
import { parseArgs } from 'node:util';
import { words } from './words.ts';

/** What a start, or a second one, asks for. */
export interface Arguments {
  /** Null: the platform's usual folder. */
  dataDir: string | null;
  /** Null: the port from the settings, or the default. */
  port: number | null;
  /** Starts without showing the window. */
  hidden: boolean;
  /** A `parley://` address to follow; null: none. */
  link: string | null;
  /** Checks Parley's parts, prints the results as a table or as JSON, and exits; null: an ordinary start. */
  selfCheck: 'table' | 'json' | null;
}

/**
 * A second process passes its arguments on to the running one. Chromium allows 32 KiB for them and the working folder. If they are
 * longer, it believes that the running process hangs, and kills it.
 */
const MAX_BYTES = 24 * 1024;
/** Stands for a link that is longer, so that the window can say so. */
export const TOO_LONG_LINK = 'parley://too-long';

/** Whether there is a link among the arguments that is too long to be passed on. */
export const hasLongLink = (argv: readonly string[]): boolean =>
  Buffer.byteLength(linkIn(argv) ?? '') > MAX_BYTES;

/**
 * Reads a process's arguments: `--port N`, `--data-dir DIR` (also with `=`), `--hidden`, `--self-check`
 * (a table, or JSON with `--json`), `serve`, which is the same as `--hidden`, and a link. Throws an Error in words if
 * one of these is invalid; everything else (the program, the app's folder, Chromium's switches) is ignored.
 */
export function readArguments(argv: readonly string[]): Arguments {
  if (Buffer.byteLength(argv.join(' ')) > MAX_BYTES) throw new Error(words.linkTooLong);
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: {
      port: { type: 'string' },
      'data-dir': { type: 'string' },
      hidden: { type: 'boolean' },
      'self-check': { type: 'boolean' },
      json: { type: 'boolean' },
    },
    strict: false,
    allowPositionals: true,
  });
  const { port, 'data-dir': dataDir, hidden, 'self-check': checksItself, json } = values;
  if (port !== undefined && !(/^\d{1,5}$/.test(String(port)) && Number(port) <= 65_535))
    throw new Error(`--port takes a number from 0 to 65535, not "${port === true ? '' : port}".`);
  // A value that is missing is `true`.
  if (dataDir === '' || typeof dataDir === 'boolean')
    throw new Error('--data-dir takes the path of a folder.');
  return {
    dataDir: dataDir ?? null,
    port: port === undefined ? null : Number(port),
    hidden: hidden === true || positionals.includes('serve'),
    link: linkIn(positionals),
    selfCheck: checksItself ? (json ? 'json' : 'table') : null,
  };
}

/** Whether another process's arguments ask for a start without a window. Electron changes their order, so none is known to be a value. */
export const asksToHide = (argv: readonly string[]): boolean =>
  argv.includes('--hidden') || argv.includes('serve');

/** The last link among them; null: none. */
export const linkIn = (argv: readonly string[]): string | null =>
  argv.findLast((argument) => /^parley:/i.test(argument)) ?? null;

/** Options that may stand before a command, and those of them that take a value. */
const OWN = /^(?:-h|-v|--(?:help|version|json|(?:data-dir|port|url|key|workspace)(?:=.*)?))$/s;
const WITH_VALUE = /^--(?:data-dir|port|url|key|workspace)$/;
/** Whether the argument there is the value of the one before. */
export const isValue = (argv: readonly string[], at: number): boolean => WITH_VALUE.test(argv[at - 1] ?? '');
const PRINTING = /^(?:--help|--version|-h|-v)$/;

/**
 * The arguments of what runs in the terminal instead of the app; null: start the app. That is a command of `parley`, such as
 * `ask`, an option that only prints, or without a display `serve`. Other switches before the command are left out: they are
 * Chromium's, and on some systems an AppImage puts `--no-sandbox` there by itself.
 */
export function commandOf(argv: readonly string[], hasDisplay: boolean): readonly string[] | null {
  const found = argv.findIndex((argument, at) => !argument.startsWith('-') && !isValue(argv, at));
  const start = found === -1 ? argv.length : found;
  const before = argv.slice(0, start).filter((argument, at) => OWN.test(argument) || isValue(argv, at));
  const [word, ...after] = argv.slice(start);
  // People who need it put it at the end of a command.
  const end = after.includes('--') ? after.indexOf('--') : after.length;
  const rest = after.filter((argument, at) => argument !== '--no-sandbox' || at > end);
  const isPrinting = [...before, ...rest].some((argument) => PRINTING.test(argument));
  if (word === undefined) return isPrinting ? before : null;
  if (!/^[a-z]+$/.test(word) || (word === 'serve' && hasDisplay && !isPrinting)) return null;
  return [...before, word, ...rest];
}
