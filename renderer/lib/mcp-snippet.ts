/** The snippets with which makers of tool servers say how theirs is set up in other apps. */

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

const WRAPPERS = ['mcpServers', 'servers', 'context_servers'];

/**
 * The servers of `{ "mcpServers": { name: { command, args, env } | { url, headers } } }`, of the part of it that is often shown
 * alone, or of one server. Empty: it is none of these.
 */
export function readMcpSnippet(text: string): SnippetServer[] {
  const json = parse(text);
  if (json === null) return [];
  const wrapped = WRAPPERS.map((key) => fieldsOf(json[key])).find((fields) => fields !== null) ?? json;
  const alone = toServer('', wrapped);
  if (alone !== null) return [alone];
  return Object.entries(wrapped).flatMap(([name, value]) => {
    const fields = fieldsOf(value);
    const server = fields && toServer(name, fields);
    return server === null ? [] : [server];
  });
}

function parse(text: string): Record<string, unknown> | null {
  const trimmed = text.trim().replace(/,$/, '');
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
  const { command, args, env, headers } = fields;
  const url = fields['url'] ?? fields['serverUrl'] ?? fields['httpUrl'];
  const own = typeof fields['name'] === 'string' ? fields['name'] : name;
  const base = { name: own, command: '', args: [], url: '' };
  if (typeof command === 'string') {
    const told = Array.isArray(args) ? args.filter((arg) => typeof arg === 'string') : [];
    return { ...base, transport: 'stdio', command, args: told, secrets: secretsOf(env) };
  }
  return typeof url === 'string' ? { ...base, transport: 'http', url, secrets: secretsOf(headers) } : null;
}

const secretsOf = (value: unknown): SnippetServer['secrets'] =>
  Object.entries(fieldsOf(value) ?? {}).flatMap(([name, text]) =>
    ['string', 'number', 'boolean'].includes(typeof text) ? [{ name, value: String(text) }] : [],
  );

const fieldsOf = (value: unknown): Record<string, unknown> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
