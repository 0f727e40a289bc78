/** Setup instructions of tool servers: the settings of other apps, or a line for the terminal. */
import { readMcpCommand, type SnippetServer } from './mcp-command.ts';

/** Longer text isn't setup instructions. */
const MAX_CHARACTERS = 20_000;
/** Keys under which apps list their servers; `mcp` may hold another of these. */
const WRAPPERS = ['mcp', 'mcpServers', 'servers', 'context_servers'];

/**
 * The servers in `{ "mcpServers": { name: { command, args, env } | { url, headers } } }` and other apps' variants of it, in a
 * part of it, or of one server; comments and trailing commas are fine. Else the server in a line that
 * {@link readMcpCommand} understands. Empty: it is none of these.
 */
export function readMcpSnippet(text: string): SnippetServer[] {
  if (text.length > MAX_CHARACTERS) return [];
  const json = parse(text) ?? parse(jsonWithin(text));
  if (json === null) {
    const server = readMcpCommand(text);
    return server === null ? [] : [server];
  }
  const wrapped = unwrap(json);
  const alone = Array.isArray(wrapped) ? null : toServer('', wrapped);
  if (alone !== null) return [alone];
  return Object.entries(wrapped).flatMap(([key, value]) => {
    const fields = fieldsOf(value);
    const server = fields && toServer(Array.isArray(wrapped) ? '' : key, fields);
    return server === null ? [] : [server];
  });
}

function unwrap(fields: Record<string, unknown>): Record<string, unknown> | unknown[] {
  for (const key of WRAPPERS) {
    const value = fields[key];
    if (Array.isArray(value)) return value as unknown[];
    const inner = fieldsOf(value);
    if (inner !== null) return unwrap(inner);
  }
  return fields;
}

/** The argument of a command such as `code --add-mcp '{…}'`. */
const jsonWithin = (text: string): string => /--add-mcp\s+['"]?(\{.*\})/s.exec(text)?.[1] ?? '';

const COMMENTS = /("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
const SPARE_COMMAS = /("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g;

function parse(text: string): Record<string, unknown> | null {
  const trimmed = text.replace(COMMENTS, '$1').replace(SPARE_COMMAS, '$1').trim().replace(/,$/, '');
  if (trimmed === '') return null;
  for (const candidate of [trimmed, `{${trimmed}}`]) {
    try {
      const fields = fieldsOf(JSON.parse(candidate));
      if (fields !== null) return fields;
    } catch {
      // Not this one.
    }
  }
  return null;
}

function toServer(name: string, fields: Record<string, unknown>): SnippetServer | null {
  const { args, headers } = fields;
  const env = fields['env'] ?? fields['environment'];
  // Some have the program and its arguments in one list, some in an object of its own.
  const inner = fieldsOf(fields['command']);
  if (inner !== null) return toServer(name, { ...inner, command: inner['path'] });
  const [command, ...more] = [fields['command']].flat();
  const url = fields['url'] ?? fields['serverUrl'] ?? fields['httpUrl'];
  const own = typeof fields['name'] === 'string' ? fields['name'] : name;
  const base = { name: own, command: '', args: [], url: '' };
  if (typeof command === 'string') {
    const allArgs = [...more, ...(Array.isArray(args) ? (args as unknown[]) : [])].filter(
      (arg) => typeof arg === 'string',
    );
    return { ...base, transport: 'stdio', command, args: allArgs, secrets: secretsOf(env) };
  }
  return typeof url === 'string' ? { ...base, transport: 'http', url, secrets: secretsOf(headers) } : null;
}

const secretsOf = (value: unknown): SnippetServer['secrets'] =>
  Object.entries(fieldsOf(value) ?? {}).flatMap(([name, text]) =>
    ['string', 'number', 'boolean'].includes(typeof text) ? [{ name, value: valueOf(String(text)) }] : [],
  );

/** Values that another app would ask for or look up have to be entered here. */
const valueOf = (text: string): string => text.replace(/\$\{(?:input|env):[^{}]*\}/g, '').trim();

const fieldsOf = (value: unknown): Record<string, unknown> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
