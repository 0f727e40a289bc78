/** A program and its arguments on one line. Nothing is expanded: no variables, no wildcards. */

/** A program and its arguments. */
export interface CommandLine {
  command: string;
  args: string[];
}

const QUOTES = ['"', "'"];
/** How a path on Windows begins, perhaps after `--option=` or the like. */
const WINDOWS_PATH = /(?:^|[=:,])(?:[A-Za-z]:[\\/]|\\\\|(?:\.\.?|~)\\)|%\\/;

/**
 * The parts of a line: separated by white space, grouped by single or double quotes. A backslash escapes a space or quote and
 * is literal otherwise. In a Windows path it is always literal, and so is an apostrophe; a quote that would stay open shows
 * such a path, too. Null: a quote isn't closed, or the line is empty.
 */
export const splitCommandLine = (line: string): CommandLine | null => split(line, true) ?? split(line, false);

function split(line: string, hasEscapes: boolean): CommandLine | null {
  const parts: string[] = [];
  let part: string | null = null;
  let quote: string | null = null;
  let hadQuote = false;
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charAt(at);
    const next = line.charAt(at + 1);
    // Within escaped quotes, such as those of JSON, backslashes go on escaping.
    const isPath =
      !hasEscapes ||
      (part?.includes('"') !== true &&
        (WINDOWS_PATH.test(`${part ?? ''}${character}`) ||
          (part?.includes('\\') === true && (next !== '"' || !/\S/.test(line.charAt(at + 2))))));
    const canEscape = character === '\\' && quote !== "'" && !isPath;
    if (canEscape && (next === '"' || (quote === null && /['\s]/.test(next)))) {
      part = `${part ?? ''}${next}`;
      at += 1;
    } else if (quote !== null) {
      if (character === quote) quote = null;
      else part = `${part ?? ''}${character}`;
    } else if (QUOTES.includes(character) && !(character === "'" && part !== null && isPath && !hadQuote)) {
      quote = character;
      hadQuote = true;
      part ??= '';
    } else if (/\s/.test(character)) {
      if (part !== null) parts.push(part);
      part = null;
      hadQuote = false;
    } else {
      part = `${part ?? ''}${character}`;
    }
  }
  if (quote !== null) return null;
  if (part !== null) parts.push(part);
  const [command, ...args] = parts;
  return command === undefined || command.trim() === '' ? null : { command, args };
}

/** A line that {@link splitCommandLine} splits into exactly this. */
export function joinCommandLine({ command, args }: CommandLine): string {
  return [command, ...args].map(quoted).join(' ');
}

function quoted(part: string): string {
  if (/^[^\s"'\\]+$/.test(part) || /^[^\s"']+[^\s"'\\]$/.test(part)) return part;
  return `'${part.replaceAll("'", `'"'"'`)}'`;
}
