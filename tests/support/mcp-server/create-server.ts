import { McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { McpSwitches } from './switches.ts';
import { TEST_TOOLS, tell, type TestTool } from './tools.ts';

/** What {@link createTestMcpServer} works with. */
export interface TestMcpDeps {
  switches: McpSwitches;
  /** Called when the server is to end, as the switches say. */
  die: () => void;
}

/** The tool server of the tests, not yet connected to anything. */
export function createTestMcpServer({ switches, die }: TestMcpDeps): McpServer {
  const tools: TestTool[] = [...TEST_TOOLS];
  const lamp = new McpServer(
    { name: 'lamp', version: '1.2.3' },
    { capabilities: { tools: { listChanged: !switches.isSilent } } },
  );
  // Below McpServer's handling of tools: names and schemas are sent unchanged, and what is thrown becomes a protocol error.
  const { server } = lamp;

  server.setRequestHandler('tools/list', async () => {
    tell(switches, 'listed');
    return { tools: tools.map((tool) => ({ ...tool, run: undefined })) };
  });

  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    tell(switches, `called ${params.name}`);
    if (switches.diesInCall) die();
    if (switches.diesAfterCall) setTimeout(die, 50);
    const tool = tools.find(({ name }) => name === params.name);
    if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'No such tool.');
    return tool.run({
      input: params.arguments ?? {},
      signal: ctx.mcpReq.signal,
      switches,
      progress: async (progress) => {
        const progressToken = params._meta?.progressToken;
        if (progressToken === undefined) return;
        await ctx.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress } });
      },
      grow: async () => {
        tools.push({ ...TEST_TOOLS[0], name: `grown_${tools.length}` } as TestTool);
        if (!switches.isSilent) await server.sendToolListChanged();
      },
    });
  });

  return lamp;
}
