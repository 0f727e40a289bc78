import type { McpServer, McpState, McpTool } from '../../shared/api/mcp.ts';
import type { ListedTool, StoredMcpServer } from '../store/mcp-repository.ts';
import type { ValuesReading } from '../secrets/row-secrets.ts';

/** A listed tool in the API: without its input schema, which can be long. */
export const toTool = ({ name, tool, description, isReadOnly }: ListedTool): McpTool => ({
  name,
  tool,
  description,
  isReadOnly,
});

/** A tool server in the API: never with values of its environment or headers. */
export function toServer(
  { tools, ...server }: StoredMcpServer,
  secrets: ValuesReading['state'],
  line: { state: McpState; problem: string | null },
): McpServer {
  return {
    ...server,
    secrets: server.secretNames.length === 0 ? 'none' : secrets,
    tools: tools.map(toTool),
    state: line.state,
    problem: line.problem,
  };
}
