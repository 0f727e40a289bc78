import type { McpTest, McpTool } from '../../shared/api/mcp.ts';
import type { ListedTool, StoredMcpServer } from '../store/mcp-repository.ts';
import { McpFault, type ConnectionOpening } from './connection.ts';
import type { McpConnection } from './open-connection.ts';
import type { ValuesReading } from '../secrets/row-secrets.ts';

/** A test result, and the tools found, for the caller to store. */
export interface TestOutcome {
  test: McpTest;
  /** Null: the server could not be used. */
  tools: ListedTool[] | null;
}

/** A listed tool in the API: without its input schema, which can be long. */
export const toTool = ({ name, tool, description, isReadOnly }: ListedTool): McpTool => ({
  name,
  tool,
  description,
  isReadOnly,
});

/** Options of a test. */
export interface TestOptions extends Pick<
  ConnectionOpening,
  'openMs' | 'noticeMs' | 'findRoute' | 'auth' | 'signal' | 'log'
> {
  /** How long a program may take to end, in milliseconds. */
  graceMs: number;
}

/** Opens a separate connection to a server, lists its tools, and closes it. Never rejects for what the server does. */
export async function testMcpServer(
  server: StoredMcpServer,
  secrets: ValuesReading,
  { graceMs, ...options }: TestOptions,
): Promise<TestOutcome> {
  const began = performance.now();
  const outcome = (found: Pick<McpTest, 'finding' | 'message'>, tools: ListedTool[] | null): TestOutcome => ({
    test: { ...found, tookMs: Math.round(performance.now() - began), tools: (tools ?? []).map(toTool) },
    tools,
  });
  if (secrets.state === 'locked') {
    const message = `What is kept of this server can’t be used. ${secrets.reason}`;
    return outcome({ finding: 'secrets_locked', message }, null);
  }
  let connection: McpConnection | null = null;
  try {
    const { values } = secrets;
    const { openConnection } = await import('./open-connection.ts');
    connection = await openConnection({ ...options, server, values, onToolsChanged: () => undefined });
    const { tools, leftOut } = await connection.list(options.openMs);
    const message = [offers(tools.length), ...(leftOut === null ? [] : [leftOut])].join(' ');
    return outcome({ finding: 'ok', message }, tools);
  } catch (error) {
    if (!(error instanceof McpFault)) throw error;
    return outcome({ finding: error.finding, message: error.message }, null);
  } finally {
    await connection?.end(graceMs);
  }
}

function offers(count: number): string {
  if (count === 0) return 'It answers, and offers no tools.';
  return count === 1 ? 'It answers, and offers one tool.' : `It answers, and offers ${count} tools.`;
}
