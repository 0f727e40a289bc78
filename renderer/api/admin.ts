/** The parts of the API that need the scope `admin`, and the lists beside them. */
import type { CreateAgentBody, UpdateAgentBody } from '../../shared/api/agent.ts';
import type {
  CreateConnectionBody,
  TestConnectionBody,
  UpdateConnectionBody,
} from '../../shared/api/connection.ts';
import type { CreateKeyBody } from '../../shared/api/key.ts';
import type {
  CreateMcpServerBody,
  McpSignInBody,
  TestMcpServerBody,
  UpdateMcpServerBody,
} from '../../shared/api/mcp.ts';
import type { UpdateSkillBody } from '../../shared/api/skill.ts';
import type { UpdateSettingsBody } from '../../shared/api/settings.ts';
import type { UpdateWorkspaceBody } from '../../shared/api/workspace.ts';
import type { Ask } from './http.ts';

/** Large files take the service longer than anything else. */
const FILE = { timeoutMs: 10 * 60_000 };
/** The service waits for a model server or tool server before it answers, and that may be slow. */
const SERVER = { timeoutMs: 60_000 };

/** The service's settings, keys and data. */
export const adminApi = (ask: Ask) => ({
  listWorkspaces: () => ask('get', '/workspaces').then(({ workspaces }) => workspaces),
  createWorkspace: (name: string) =>
    ask('post', '/workspaces', { body: { name } }).then(({ workspace }) => workspace),
  /** Changes its name, or the model of its new chats. */
  updateWorkspace: (workspaceId: string, body: UpdateWorkspaceBody) =>
    ask('patch', '/workspaces/{workspaceId}', { path: { workspaceId }, body }).then(
      ({ workspace }) => workspace,
    ),
  listAgents: () => ask('get', '/agents').then(({ agents }) => agents),
  listModels: () => ask('get', '/models').then(({ models }) => models),
  /** The rehearsals with ready scripts. */
  listRehearsals: () => ask('get', '/rehearsals').then(({ rehearsals }) => rehearsals),
  findSettings: () => ask('get', '/settings').then(({ settings }) => settings),
  updateSettings: (body: UpdateSettingsBody) =>
    ask('patch', '/settings', { body }).then(({ settings }) => settings),
  /** How full the store is, and notices for a person. */
  findStorage: () => ask('get', '/storage').then(({ storage }) => storage),
  listKeys: () => ask('get', '/keys').then(({ keys }) => keys),
  /** Only this answer contains the key itself. */
  createKey: (body: CreateKeyBody) => ask('post', '/keys', { body }),
  revokeKey: (keyId: string) => ask('delete', '/keys/{keyId}', { path: { keyId } }).then(({ key }) => key),
  findLocalKey: () => ask('get', '/keys/local').then(({ apiKey }) => apiKey),
  /** Replaces the local key; the old one stops working at once. */
  rotateLocalKey: () => ask('post', '/keys/local/rotate').then(({ apiKey }) => apiKey),
  /** Browsers that are signed in and can come back, most recently used first. */
  listSessions: () => ask('get', '/sessions').then(({ sessions }) => sessions),
  /** Signs one out. */
  endSession: (sessionId: string) => ask('delete', '/sessions/{sessionId}', { path: { sessionId } }),
  /** Signs all others out; resolves with those that remain. */
  endOtherSessions: () => ask('delete', '/sessions').then(({ sessions }) => sessions),
  /** Latest first. */
  listRequests: (externalOnly: boolean) =>
    ask('get', '/requests', { query: { external: externalOnly ? 'true' : 'false' } }).then(
      ({ requests }) => requests,
    ),
  findDataInfo: () => ask('get', '/data'),
  /** How many chats of the running import are done; null when none is running. */
  findImportProgress: () => ask('get', '/import').then(({ chats }) => chats),
  listBackups: () => ask('get', '/backups').then(({ backups }) => backups),
  /** Creates a backup and verifies it by reading it back. */
  createBackup: () => ask('post', '/backups', FILE),
  restoreBackup: (name: string) => ask('post', '/backups/{name}/restore', { path: { name }, ...FILE }),
  deleteBackup: (name: string) => ask('delete', '/backups/{name}', { path: { name } }),
});

/** What answers and what it may use: agents, tools, model servers, tool servers, folders. */
export const answererApi = (ask: Ask) => ({
  createAgent: (body: CreateAgentBody) => ask('post', '/agents', { body }).then(({ agent }) => agent),
  updateAgent: (agentType: string, body: UpdateAgentBody) =>
    ask('patch', '/agents/{agentType}', { path: { agentType }, body }).then(({ agent }) => agent),
  deleteAgent: (agentType: string) => ask('delete', '/agents/{agentType}', { path: { agentType } }),
  /** The tools that agents can use. */
  listTools: () => ask('get', '/tools').then(({ tools }) => tools),
  /** Tools that are always allowed, by name. */
  listToolPermissions: () => ask('get', '/tool-permissions').then(({ permissions }) => permissions),
  /** Makes a tool ask again, by the id of the permission. */
  forgetToolPermission: (id: string) => ask('delete', '/tool-permissions/{tool}', { path: { tool: id } }),
  /** Oldest first. */
  listConnections: () => ask('get', '/connections').then(({ connections }) => connections),
  createConnection: (body: CreateConnectionBody) =>
    ask('post', '/connections', { body, ...SERVER }).then(({ connection }) => connection),
  updateConnection: (connectionId: string, body: UpdateConnectionBody) =>
    ask('patch', '/connections/{connectionId}', { path: { connectionId }, body, ...SERVER }).then(
      ({ connection }) => connection,
    ),
  deleteConnection: (connectionId: string) =>
    ask('delete', '/connections/{connectionId}', { path: { connectionId } }),
  /** Reloads the list of its models. */
  refreshConnection: (connectionId: string) =>
    ask('post', '/connections/{connectionId}/refresh', { path: { connectionId }, ...SERVER }).then(
      ({ connection }) => connection,
    ),
  /** Resolves with the result, good or bad. */
  testConnection: (body: TestConnectionBody) => ask('post', '/connections/test', { body, ...SERVER }),
  /** Looks for model servers on this computer that aren't connected. */
  findServers: () => ask('get', '/connections/found', SERVER).then(({ servers }) => servers),
  /** Oldest first. */
  listFolders: () => ask('get', '/folders').then(({ folders }) => folders),
  addFolder: (path: string) => ask('post', '/folders', { body: { path } }).then(({ folder }) => folder),
  /** Takes it off the list; the folder itself stays as it is. */
  removeFolder: (folderId: string) => ask('delete', '/folders/{folderId}', { path: { folderId } }),
  /** Skills by name, and where they are found. */
  listSkills: () => ask('get', '/skills'),
  /** What a skill says. */
  readSkill: (skillId: string) => ask('get', '/skills/{skillId}', { path: { skillId } }),
  updateSkill: (skillId: string, body: UpdateSkillBody) =>
    ask('patch', '/skills/{skillId}', { path: { skillId }, body }).then(({ skill }) => skill),
  addSkillFolder: (path: string) =>
    ask('post', '/skill-folders', { body: { path } }).then(({ folder }) => folder),
  /** Takes it off the list, and turns its skills off. */
  removeSkillFolder: (folderId: string) => ask('delete', '/skill-folders/{folderId}', { path: { folderId } }),
  /** Oldest first. */
  listMcpServers: () => ask('get', '/mcp-servers').then(({ servers }) => servers),
  createMcpServer: (body: CreateMcpServerBody) =>
    ask('post', '/mcp-servers', { body, ...SERVER }).then(({ server }) => server),
  updateMcpServer: (serverId: string, body: UpdateMcpServerBody) =>
    ask('patch', '/mcp-servers/{serverId}', { path: { serverId }, body, ...SERVER }).then(
      ({ server }) => server,
    ),
  deleteMcpServer: (serverId: string) =>
    ask('delete', '/mcp-servers/{serverId}', { path: { serverId }, ...SERVER }),
  /** Tests a server before it is added; resolves with the result, good or bad. */
  testNewMcpServer: (body: TestMcpServerBody) => ask('post', '/mcp-servers/test', { body, ...SERVER }),
  /** Tests a server with a change; without one, reloads the list of its tools. */
  testMcpServer: (serverId: string, body: UpdateMcpServerBody) =>
    ask('post', '/mcp-servers/{serverId}/test', { path: { serverId }, body, ...SERVER }),
  /** Resolves with where the person's browser signs in. */
  signInToMcpServer: (serverId: string, body: McpSignInBody) =>
    ask('post', '/mcp-servers/{serverId}/sign-in', { path: { serverId }, body, ...SERVER }),
  signOutOfMcpServer: (serverId: string) =>
    ask('post', '/mcp-servers/{serverId}/sign-out', { path: { serverId }, ...SERVER }),
});
