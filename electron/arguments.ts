/** The app's command-line arguments. Chromium's own switches are among them and are ignored. */
import { parseArgs } from 'node:util';

/** What a start, or a second one, asks for. */
export interface Arguments {
  /** Null: the platform's usual place. */
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
 * Reads a process's arguments: `--port N`, `--data-dir DIR` (also with `=`), `--hidden`, `--self-check`
 * (a table, or JSON with `--json`), `serve`, which is the same as `--hidden`, and a link. Throws an Error in words if
 * one of these is invalid; everything else (the program, the app's folder, Chromium's switches) is ignored.
 */
export function readArguments(argv: readonly string[]): Arguments {
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
    link: positionals.findLast((argument) => /^parley:/i.test(argument)) ?? null,
    selfCheck: checksItself ? (json ? 'json' : 'table') : null,
  };
}

/**
 * The arguments of a command of `parley`, such as `ask`, to run instead of the app; null: start the app.
 * A command is the app's first own argument.
 */
export const commandOf = (argv: readonly string[]): readonly string[] | null =>
  /^[a-z]+$/.test(argv[0] ?? '') && argv[0] !== 'serve' ? argv : null;
