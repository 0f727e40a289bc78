/** The app's command-line arguments. Chromium's own switches are among them and are ignored. */

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
  const found: Arguments = { dataDir: null, port: null, hidden: false, link: null, selfCheck: null };
  for (let index = 0; index < argv.length; index += 1) {
    const argument = argv[index] ?? '';
    const [name = '', ...rest] = argument.split('=');
    const value = (): string => {
      if (rest.length > 0) return rest.join('=');
      index += 1;
      return argv[index] ?? '';
    };
    if (name === '--hidden') found.hidden = true;
    else if (argument === 'serve') found.hidden = true;
    else if (name === '--self-check') found.selfCheck = argv.includes('--json') ? 'json' : 'table';
    else if (name === '--port') found.port = toPort(value());
    else if (name === '--data-dir') found.dataDir = toFolder(value());
    else if (isLink(argument)) found.link = argument;
  }
  return found;
}

/**
 * The arguments of a command of `parley`, such as `ask`, to run instead of the app; null: start the app.
 * A command is the app's first own argument.
 */
export const commandOf = (argv: readonly string[]): readonly string[] | null =>
  /^[a-z]+$/.test(argv[0] ?? '') && argv[0] !== 'serve' ? argv : null;

const isLink = (argument: string): boolean => /^parley:/i.test(argument);

function toPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new Error(`--port takes a number from 0 to 65535, not "${text}".`);
}

function toFolder(text: string): string {
  if (text === '') throw new Error('--data-dir takes the path of a folder.');
  return text;
}
