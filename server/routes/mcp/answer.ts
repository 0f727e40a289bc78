/** Answers requests of MCP clients. It imports the protocol's library, so it is loaded for the first of them. */
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import { VERSION } from '../../lib/version.ts';
import { registerChatResource } from './chat-resource.ts';
import { READING_TOOLS } from './reading-tools.ts';
import { REPLY_TOOLS } from './reply-tools.ts';
import type { McpCall, CallEnd, ToolDeps } from './tool.ts';

const SERVER = { name: 'parley', title: 'Parley', version: VERSION };
const OPTIONS = {
  instructions:
    'Parley is the person’s own chat app on this computer. It holds conversations with AI models and agents, which answer in the background, some with tools that ask the person first. ' +
    'Use ask for a question and its answer, send_message and wait_for_reply for long tasks, and search and read_chat for earlier conversations. ask and send_message add to the person’s chats; nothing here deletes anything.',
  // There are no notifications of changes: each request is answered by itself.
  capabilities: { tools: { listChanged: false }, resources: { listChanged: false } },
};

/** The headers that the protocol uses; no others are passed on. */
const PROTOCOL_HEADER = /^(?:accept|content-type|mcp-.*)$/;

/** The answer to one request, of any version of the protocol. `signal` ends it early; see {@link McpCall}. */
export async function answerMcp(
  request: FastifyRequest,
  signal: AbortSignal,
  deps: ToolDeps,
): Promise<Response> {
  const handler = createMcpHandler(
    ({ era }) => {
      const server = new McpServer(SERVER, OPTIONS);
      const callOf = (reportProgress: McpCall['reportProgress']): McpCall => ({
        ...deps,
        request,
        signal,
        reportProgress,
        isCancelled() {
          const why = signal.reason as CallEnd | undefined;
          return why === 'cancelled' || (why === 'left' && era === 'modern');
        },
      });
      for (const register of [...REPLY_TOOLS, ...READING_TOOLS]) register(server, callOf);
      registerChatResource(
        server,
        callOf(() => undefined),
      );
      return server;
    },
    { maxSubscriptions: 0 },
  );
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (PROTOCOL_HEADER.test(name)) headers.set(name, String(value));
  }
  const { method, body } = request;
  return handler.fetch(new Request('http://127.0.0.1/mcp', { method, headers, signal }), {
    parsedBody: body,
  });
}
