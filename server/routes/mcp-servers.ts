import {
  CreateMcpServerBody,
  McpServerAnswer,
  McpServerList,
  McpSignIn,
  McpSignInBody,
  McpSignOutAnswer,
  McpTest,
  TestMcpServerBody,
  UpdateMcpServerBody,
} from '../../shared/api/mcp.ts';
import { found } from '../errors.ts';
import type { McpService } from '../mcp/mcp-service.ts';
import { createEndpoints, type App } from '../plugins/endpoints.ts';
import { setupSignInReturn, SIGN_IN_RETURN } from './sign-in-return.ts';

/** Endpoints about tool servers (MCP). No answer holds a value of their environment or headers. */
export function setupMcpServerRoutes(app: App, servers: Omit<McpService, 'tools' | 'tidy' | 'close'>): void {
  const api = createEndpoints(app, 'Tool servers', { access: 'admin' });
  api.get('/api/v1/mcp-servers', 'listToolServers', 'List tool servers', {
    description: 'Oldest first.',
    response: { 200: McpServerList },
    result: () => servers.list(),
  });

  api.post('/api/v1/mcp-servers', 'createToolServer', 'Add a tool server', {
    description: '`stdio` needs a `command`, `http` a `url`. Up to 20 servers.',
    errors: ['conflict'],
    body: CreateMcpServerBody,
    response: { 201: McpServerAnswer },
    result: ({ body }) => servers.create(body),
  });

  api.post('/api/v1/mcp-servers/test', 'testNewToolServer', 'Test a tool server before adding it', {
    description:
      'The body is the same as for adding one, but the name is optional. The response is 200 whatever the test found.',
    errors: ['conflict'],
    body: TestMcpServerBody,
    response: { 200: McpTest },
    handle: async ({ body }) => servers.test(body),
  });

  api.post('/api/v1/mcp-servers/:serverId/test', 'testToolServer', 'Test a tool server', {
    description: 'The body holds changes to try. The response is 200 whatever the test found.',
    errors: ['conflict'],
    body: UpdateMcpServerBody,
    response: { 200: McpTest },
    handle: async ({ params, body }) =>
      found(await servers.testStored(params.serverId, body), 'mcp_server_not_found'),
  });

  api.patch('/api/v1/mcp-servers/:serverId', 'updateToolServer', 'Change a tool server', {
    description:
      'Absent fields stay as they are. In `env` and `headers`, text sets a value, null removes it, and names that aren’t given stay. If the address changes to another server, send all stored headers again.',
    errors: ['conflict'],
    body: UpdateMcpServerBody,
    response: { 200: McpServerAnswer },
    result: ({ params, body }) => servers.update(params.serverId, body),
  });

  api.post('/api/v1/mcp-servers/:serverId/sign-in', 'signInToToolServer', 'Sign in at a tool server', {
    description:
      'Prepares a sign-in (OAuth) and returns the address to open in the person’s browser, which comes back to `/oauth/callback` of the service. Parley opens nothing by itself. Read the server’s `signIn` until it is no longer `pending`. A new sign-in replaces one under way. An error about `clientId` means that Parley has to be registered there by hand.',
    errors: ['conflict', 'fetch_failed'],
    body: McpSignInBody,
    response: { 200: McpSignIn },
    handle: async ({ params, body, request }) => {
      // By number, as RFC 8252 asks: a name could lead elsewhere.
      const redirectUrl = `http://127.0.0.1:${request.socket.localPort}${SIGN_IN_RETURN}`;
      return found(await servers.signIn(params.serverId, redirectUrl, body), 'mcp_server_not_found');
    },
  });

  api.post('/api/v1/mcp-servers/:serverId/sign-out', 'signOutOfToolServer', 'Sign out of a tool server', {
    description: 'Asks the authorization server to revoke the tokens, and forgets them and the registration.',
    response: { 200: McpSignOutAnswer },
    handle: async ({ params }) => found(await servers.signOut(params.serverId), 'mcp_server_not_found'),
  });

  setupSignInReturn(app, servers);

  api.delete('/api/v1/mcp-servers/:serverId', 'deleteToolServer', 'Remove a tool server', {
    response: { 200: McpServerAnswer },
    result: ({ params }) => servers.remove(params.serverId),
  });
}
