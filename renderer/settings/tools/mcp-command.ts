/** Command lines from setup instructions: the start of a server in a terminal, or another app's own `mcp add`. */
import { splitCommandLine } from './command-line.ts';

/** A tool server as a snippet describes it. */
export interface SnippetServer {
  /** Empty: it has none. */
  name: string;
  transport: 'stdio' | 'http';
  command: string;
  args: string[];
  url: string;
  /** Environment variables or headers. */
  secrets: { name: string; value: string }[];
}

/** Programs that start others; any other is accepted only with its path. */
const STARTERS =
  /^(?:npx|npm|bunx|bun|pnpm|pnpx|yarn|uvx|uv|pipx|python3?|py|node|deno|docker|podman|go|cargo|java|ruby|php|dotnet)(?:\.exe|\.cmd)?$/i;
const VARIABLE = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s;
const ADDRESS = /^https?:\/\/[^\s"'<>]+$/i;

/**
 * The server that a line describes: `npx -y server`, perhaps with variables or a prompt before it, or continued over several
 * lines; an address; or `… mcp add name -- npx …` of another app. Null: it is none of these.
 */
export function readMcpCommand(text: string): SnippetServer | null {
  const line = splitCommandLine(
    text
      .trim()
      .replace(/^[$>]\s+/, '')
      .replace(/(?<!\s)\s*[\\^`]\r?\n\s*/g, ' '),
  );
  if (line === null) return null;
  const parts = [line.command, ...line.args];
  if (/\n/.test(text.trim()) && !/[\\^`]\r?\n/.test(text)) return null;
  const added = parts.findIndex((part, at) => part === 'add' && parts[at - 1] === 'mcp');
  return added === -1 ? fromParts('', parts, []) : fromAddition(parts.slice(added + 1));
}

function fromParts(
  name: string,
  parts: readonly string[],
  given: SnippetServer['secrets'],
): SnippetServer | null {
  const from = parts.findIndex((part) => !VARIABLE.test(part) && part !== 'env');
  const [command, ...args] = from === -1 ? [] : parts.slice(from);
  if (command === undefined) return null;
  if (ADDRESS.test(command) && args.length === 0) return toAddress(name, command, given);
  const secrets = [...given, ...parts.slice(0, from).flatMap((part) => variableIn(part))];
  const isProgram = name !== '' || STARTERS.test(command) || /[/\\]/.test(command);
  return isProgram ? { name, transport: 'stdio', command, args, url: '', secrets } : null;
}

/** Parses what follows `mcp add`: options, a name, and the program or the address. */
function fromAddition(parts: readonly string[]): SnippetServer | null {
  const secrets: SnippetServer['secrets'] = [];
  const rest: string[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at] ?? '';
    const next = parts[at + 1] ?? '';
    if (part === '--') {
      rest.push(...parts.slice(at + 1));
      break;
    }
    // Whatever follows the program are its arguments; an address has none.
    if ((rest[1] !== undefined && !ADDRESS.test(rest[1])) || !part.startsWith('-')) rest.push(part);
    else if (!part.includes('=')) {
      at += 1;
      if (/^(?:-e|--env)$/.test(part)) secrets.push(...variableIn(next));
      if (/^(?:-H|--header)$/.test(part)) secrets.push(...headerIn(next));
    }
  }
  const [name, ...program] = rest;
  return name === undefined ? null : fromParts(name, program, secrets);
}

const toAddress = (name: string, url: string, secrets: SnippetServer['secrets']): SnippetServer => ({
  name,
  transport: 'http',
  command: '',
  args: [],
  url,
  secrets,
});

function variableIn(part: string): SnippetServer['secrets'] {
  const [, name, value = ''] = VARIABLE.exec(part) ?? [];
  return name === undefined ? [] : [{ name, value }];
}

function headerIn(part: string): SnippetServer['secrets'] {
  const at = part.indexOf(':');
  return at < 1 ? [] : [{ name: part.slice(0, at).trim(), value: part.slice(at + 1).trim() }];
}
