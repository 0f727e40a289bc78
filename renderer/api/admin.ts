/** The parts of the API that need the scope `admin`, and the lists beside them. */
import type { CreateAgentBody, ToolInfo, UpdateAgentBody } from '../../shared/api/agent.ts';
import type { ToolPermissionInfo } from '../../shared/api/approval.ts';
import type { Agent, Model, Rehearsal } from '../../shared/api/catalog.ts';
import type {
  Connection,
  ConnectionTest,
  CreateConnectionBody,
  FoundServer,
  TestConnectionBody,
  UpdateConnectionBody,
} from '../../shared/api/connection.ts';
import type { Backup, CreatedBackup, DataInfo, ImportResult } from '../../shared/api/data.ts';
import type { CreatedKey, CreateKeyBody, Key } from '../../shared/api/key.ts';
import type { AllowedFolder } from '../../shared/api/folder.ts';
import type {
  CreateMcpServerBody,
  McpServer,
  McpTest,
  TestMcpServerBody,
  UpdateMcpServerBody,
} from '../../shared/api/mcp.ts';
import type { RecentRequest } from '../../shared/api/request-log.ts';
import type { SignedInBrowser } from '../../shared/api/session.ts';
import type { Settings, UpdateSettingsBody } from '../../shared/api/settings.ts';
import type { Storage } from '../../shared/api/storage.ts';
import type { UpdateWorkspaceBody, Workspace } from '../../shared/api/workspace.ts';
import type { Ask } from './http.ts';

/** Large files take the service longer than anything else. */
const LONG_WAIT_MS = 10 * 60_000;
/** The service waits for a model server or tool server before it answers, and that may be slow. */
const SERVER_WAIT_MS = 60_000;

const backup = (name: string) => ({ params: { path: { name } } });

const ofAgent = (agentType: string) => ({ params: { path: { agentType } } });
const ofConnection = (connectionId: string) => ({ params: { path: { connectionId } } });
const ofServer = (serverId: string) => ({ params: { path: { serverId } } });

const connectionOf = (answer: Promise<{ connection: Connection }>): Promise<Connection> =>
  answer.then(({ connection }) => connection);
const serverOf = (answer: Promise<{ server: McpServer }>): Promise<McpServer> =>
  answer.then(({ server }) => server);

/** The service's settings, keys and data. */
export const adminApi = (ask: Ask) => ({
  listWorkspaces: (): Promise<Workspace[]> =>
    ask((api) => api.GET('/api/v1/workspaces')).then(({ workspaces }) => workspaces),
  createWorkspace: (name: string): Promise<Workspace> =>
    ask((api) => api.POST('/api/v1/workspaces', { body: { name } })).then(({ workspace }) => workspace),
  /** Changes its name, or the model of its new chats. */
  updateWorkspace: (workspaceId: string, body: UpdateWorkspaceBody): Promise<Workspace> => {
    const params = { path: { workspaceId } };
    return ask((api) => api.PATCH('/api/v1/workspaces/{workspaceId}', { params, body })).then(
      ({ workspace }) => workspace,
    );
  },
  listAgents: (): Promise<Agent[]> => ask((api) => api.GET('/api/v1/agents')).then(({ agents }) => agents),
  listModels: (): Promise<Model[]> => ask((api) => api.GET('/api/v1/models')).then(({ models }) => models),
  /** The rehearsals with ready scripts. */
  listRehearsals: (): Promise<Rehearsal[]> =>
    ask((api) => api.GET('/api/v1/rehearsals')).then(({ rehearsals }) => rehearsals),
  findSettings: (): Promise<Settings> =>
    ask((api) => api.GET('/api/v1/settings')).then(({ settings }) => settings),
  updateSettings: (body: UpdateSettingsBody): Promise<Settings> =>
    ask((api) => api.PATCH('/api/v1/settings', { body })).then(({ settings }) => settings),
  /** How full the store is, and notices for a person. */
  findStorage: (): Promise<Storage> =>
    ask((api) => api.GET('/api/v1/storage')).then(({ storage }) => storage),
  listKeys: (): Promise<Key[]> => ask((api) => api.GET('/api/v1/keys')).then(({ keys }) => keys),
  /** Only this answer contains the key itself. */
  createKey: (body: CreateKeyBody): Promise<CreatedKey> => ask((api) => api.POST('/api/v1/keys', { body })),
  revokeKey: (keyId: string): Promise<Key> =>
    ask((api) => api.DELETE('/api/v1/keys/{keyId}', { params: { path: { keyId } } })).then(({ key }) => key),
  findLocalKey: (): Promise<string> =>
    ask((api) => api.GET('/api/v1/keys/local')).then(({ apiKey }) => apiKey),
  /** Replaces the local key; the old one stops working at once. */
  rotateLocalKey: (): Promise<string> =>
    ask((api) => api.POST('/api/v1/keys/local/rotate')).then(({ apiKey }) => apiKey),
  /** Browsers that are signed in and can come back, most recently used first. */
  listSessions: (): Promise<SignedInBrowser[]> =>
    ask((api) => api.GET('/api/v1/sessions')).then(({ sessions }) => sessions),
  /** Signs one out. */
  endSession: (sessionId: string): Promise<SignedInBrowser> =>
    ask((api) => api.DELETE('/api/v1/sessions/{sessionId}', { params: { path: { sessionId } } })).then(
      ({ session }) => session,
    ),
  /** Signs all others out; resolves with those that remain. */
  endOtherSessions: (): Promise<SignedInBrowser[]> =>
    ask((api) => api.DELETE('/api/v1/sessions')).then(({ sessions }) => sessions),
  /** Latest first; only those after the request with that number, if given. */
  listRequests: (after: number | undefined, externalOnly: boolean): Promise<RecentRequest[]> => {
    const query = {
      external: externalOnly ? 'true' : 'false',
      ...(after !== undefined && { after: String(after) }),
    } as const;
    return ask((api) => api.GET('/api/v1/requests', { params: { query } })).then(({ requests }) => requests);
  },
  findDataInfo: (): Promise<DataInfo> => ask((api) => api.GET('/api/v1/data')),
  /** How many chats of the running import are done; null when none is running. */
  findImportProgress: (): Promise<number | null> =>
    ask((api) => api.GET('/api/v1/import')).then(({ chats }) => chats),
  listBackups: (): Promise<Backup[]> =>
    ask((api) => api.GET('/api/v1/backups')).then(({ backups }) => backups),
  /** Creates a backup and verifies it by reading it back. */
  createBackup: (): Promise<CreatedBackup> => ask((api) => api.POST('/api/v1/backups'), LONG_WAIT_MS),
  restoreBackup: (name: string): Promise<ImportResult> =>
    ask((api) => api.POST('/api/v1/backups/{name}/restore', backup(name)), LONG_WAIT_MS),
  deleteBackup: (name: string): Promise<Backup> =>
    ask((api) => api.DELETE('/api/v1/backups/{name}', backup(name))).then((answer) => answer.backup),
});

/** What answers and what it may use: agents, tools, model servers, tool servers, folders. */
export const answererApi = (ask: Ask) => ({
  createAgent: (body: CreateAgentBody): Promise<Agent> =>
    ask((api) => api.POST('/api/v1/agents', { body })).then(({ agent }) => agent),
  updateAgent: (agentType: string, body: UpdateAgentBody): Promise<Agent> =>
    ask((api) => api.PATCH('/api/v1/agents/{agentType}', { ...ofAgent(agentType), body })).then(
      ({ agent }) => agent,
    ),
  deleteAgent: (agentType: string): Promise<Agent> =>
    ask((api) => api.DELETE('/api/v1/agents/{agentType}', ofAgent(agentType))).then(({ agent }) => agent),
  /** The tools that agents can use. */
  listTools: (): Promise<ToolInfo[]> => ask((api) => api.GET('/api/v1/tools')).then(({ tools }) => tools),
  /** Tools that are always allowed, by name; needs the scope `admin`. */
  listToolPermissions: (): Promise<ToolPermissionInfo[]> =>
    ask((api) => api.GET('/api/v1/tool-permissions')).then(({ permissions }) => permissions),
  /** Makes a tool ask again, by the id of the permission; needs the scope `admin`. */
  forgetToolPermission: (id: string): Promise<ToolPermissionInfo> => {
    const params = { path: { tool: id } };
    return ask((api) => api.DELETE('/api/v1/tool-permissions/{tool}', { params })).then(
      ({ permission }) => permission,
    );
  },
  /** Oldest first. */
  listConnections: (): Promise<Connection[]> =>
    ask((api) => api.GET('/api/v1/connections')).then(({ connections }) => connections),
  createConnection: (body: CreateConnectionBody): Promise<Connection> =>
    connectionOf(ask((api) => api.POST('/api/v1/connections', { body }), SERVER_WAIT_MS)),
  updateConnection: (id: string, body: UpdateConnectionBody): Promise<Connection> =>
    connectionOf(
      ask(
        (api) => api.PATCH('/api/v1/connections/{connectionId}', { ...ofConnection(id), body }),
        SERVER_WAIT_MS,
      ),
    ),
  deleteConnection: (id: string): Promise<Connection> =>
    connectionOf(ask((api) => api.DELETE('/api/v1/connections/{connectionId}', ofConnection(id)))),
  /** Reloads the list of its models. */
  refreshConnection: (id: string): Promise<Connection> =>
    connectionOf(
      ask((api) => api.POST('/api/v1/connections/{connectionId}/refresh', ofConnection(id)), SERVER_WAIT_MS),
    ),
  /** Resolves with the result, good or bad. */
  testConnection: (body: TestConnectionBody): Promise<ConnectionTest> =>
    ask((api) => api.POST('/api/v1/connections/test', { body }), SERVER_WAIT_MS),
  /** Looks for model servers on this computer that aren't connected. */
  findServers: (): Promise<FoundServer[]> =>
    ask((api) => api.GET('/api/v1/connections/found'), SERVER_WAIT_MS).then(({ servers }) => servers),
  /** Oldest first. */
  listFolders: (): Promise<AllowedFolder[]> =>
    ask((api) => api.GET('/api/v1/folders')).then(({ folders }) => folders),
  addFolder: (path: string): Promise<AllowedFolder> =>
    ask((api) => api.POST('/api/v1/folders', { body: { path } })).then(({ folder }) => folder),
  /** Takes it off the list; the folder itself stays as it is. */
  removeFolder: (folderId: string): Promise<AllowedFolder> =>
    ask((api) => api.DELETE('/api/v1/folders/{folderId}', { params: { path: { folderId } } })).then(
      ({ folder }) => folder,
    ),
  /** Oldest first. */
  listMcpServers: (): Promise<McpServer[]> =>
    ask((api) => api.GET('/api/v1/mcp-servers')).then(({ servers }) => servers),
  createMcpServer: (body: CreateMcpServerBody): Promise<McpServer> =>
    serverOf(ask((api) => api.POST('/api/v1/mcp-servers', { body }), SERVER_WAIT_MS)),
  updateMcpServer: (id: string, body: UpdateMcpServerBody): Promise<McpServer> =>
    serverOf(
      ask((api) => api.PATCH('/api/v1/mcp-servers/{serverId}', { ...ofServer(id), body }), SERVER_WAIT_MS),
    ),
  deleteMcpServer: (id: string): Promise<McpServer> =>
    serverOf(ask((api) => api.DELETE('/api/v1/mcp-servers/{serverId}', ofServer(id)), SERVER_WAIT_MS)),
  /** Tests a server before it is added; resolves with the result, good or bad. */
  testNewMcpServer: (body: TestMcpServerBody): Promise<McpTest> =>
    ask((api) => api.POST('/api/v1/mcp-servers/test', { body }), SERVER_WAIT_MS),
  /** Tests a server with a change; without one, reloads the list of its tools. */
  testMcpServer: (id: string, body: UpdateMcpServerBody): Promise<McpTest> =>
    ask((api) => api.POST('/api/v1/mcp-servers/{serverId}/test', { ...ofServer(id), body }), SERVER_WAIT_MS),
});
