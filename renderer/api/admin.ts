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
import { only, type ApiCall } from './http.ts';

/** Large files take the service longer than anything else. */
const FILE = { timeoutMs: 10 * 60_000 };
/** The service waits for a model server or tool server before it answers, and that may be slow. */
const SERVER = { timeoutMs: 60_000 };

/** The service's settings, keys and data. */
export const adminApi = (call: ApiCall) => ({
  listWorkspaces: () => call('get', '/workspaces').then(only('workspaces')),
  createWorkspace: (name: string) => call('post', '/workspaces', { body: { name } }).then(only('workspace')),
  /** Changes its name, or the model of its new chats. */
  updateWorkspace: (workspaceId: string, body: UpdateWorkspaceBody) =>
    call('patch', '/workspaces/{workspaceId}', { path: { workspaceId }, body }).then(only('workspace')),
  listAgents: () => call('get', '/agents').then(only('agents')),
  listModels: () => call('get', '/models').then(only('models')),
  listRehearsals: () => call('get', '/rehearsals').then(only('rehearsals')),
  findSettings: () => call('get', '/settings').then(only('settings')),
  updateSettings: (body: UpdateSettingsBody) => call('patch', '/settings', { body }).then(only('settings')),
  /** How full the store is, and notices for a person. */
  findStorage: () => call('get', '/storage').then(only('storage')),
  listKeys: () => call('get', '/keys').then(only('keys')),
  /** Only this answer contains the key itself. */
  createKey: (body: CreateKeyBody) => call('post', '/keys', { body }),
  revokeKey: (keyId: string) => call('delete', '/keys/{keyId}', { path: { keyId } }).then(only('key')),
  findLocalKey: () => call('get', '/keys/local').then(only('apiKey')),
  /** Replaces the local key; the old one stops working at once. */
  rotateLocalKey: () => call('post', '/keys/local/rotate').then(only('apiKey')),
  /** Browsers that are signed in and can come back, most recently used first. */
  listSessions: () => call('get', '/sessions').then(only('sessions')),
  endSession: (sessionId: string) => call('delete', '/sessions/{sessionId}', { path: { sessionId } }),
  /** Signs all others out; resolves with those that remain. */
  endOtherSessions: () => call('delete', '/sessions').then(only('sessions')),
  /** Latest first. */
  listRequests: (externalOnly: boolean) =>
    call('get', '/requests', { query: { external: externalOnly ? 'true' : 'false' } }).then(only('requests')),
  findDataInfo: () => call('get', '/data'),
  /** How many chats of the running import are done; null when none is running. */
  findImportProgress: () => call('get', '/import').then(only('chats')),
  listBackups: () => call('get', '/backups').then(only('backups')),
  /** Creates a backup and verifies it by reading it back. */
  createBackup: () => call('post', '/backups', FILE),
  restoreBackup: (name: string) => call('post', '/backups/{name}/restore', { path: { name }, ...FILE }),
  deleteBackup: (name: string) => call('delete', '/backups/{name}', { path: { name } }),
});

/** What answers and what it may use: agents, tools, model servers, tool servers, folders. */
export const answererApi = (call: ApiCall) => ({
  createAgent: (body: CreateAgentBody) => call('post', '/agents', { body }).then(only('agent')),
  updateAgent: (agentType: string, body: UpdateAgentBody) =>
    call('patch', '/agents/{agentType}', { path: { agentType }, body }).then(only('agent')),
  deleteAgent: (agentType: string) => call('delete', '/agents/{agentType}', { path: { agentType } }),
  listTools: () => call('get', '/tools').then(only('tools')),
  /** Tools that are always allowed, by name. */
  listToolPermissions: () => call('get', '/tool-permissions').then(only('permissions')),
  /** Makes a tool ask again, by the id of the permission. */
  forgetToolPermission: (id: string) => call('delete', '/tool-permissions/{tool}', { path: { tool: id } }),
  /** Oldest first. */
  listConnections: () => call('get', '/connections').then(only('connections')),
  createConnection: (body: CreateConnectionBody) =>
    call('post', '/connections', { body, ...SERVER }).then(only('connection')),
  updateConnection: (connectionId: string, body: UpdateConnectionBody) =>
    call('patch', '/connections/{connectionId}', { path: { connectionId }, body, ...SERVER }).then(
      only('connection'),
    ),
  deleteConnection: (connectionId: string) =>
    call('delete', '/connections/{connectionId}', { path: { connectionId } }),
  refreshConnection: (connectionId: string) =>
    call('post', '/connections/{connectionId}/refresh', { path: { connectionId }, ...SERVER }).then(
      only('connection'),
    ),
  /** Resolves with the result, good or bad. */
  testConnection: (body: TestConnectionBody) => call('post', '/connections/test', { body, ...SERVER }),
  /** Looks for model servers on this computer that aren't connected. */
  findServers: () => call('get', '/connections/found', SERVER).then(only('servers')),
  /** Oldest first. */
  listFolders: () => call('get', '/folders').then(only('folders')),
  addFolder: (path: string) => call('post', '/folders', { body: { path } }).then(only('folder')),
  /** Takes it off the list; the folder itself stays as it is. */
  removeFolder: (folderId: string) => call('delete', '/folders/{folderId}', { path: { folderId } }),
  /** Skills by name, and where they are found. */
  listSkills: () => call('get', '/skills'),
  readSkill: (skillId: string) => call('get', '/skills/{skillId}', { path: { skillId } }),
  updateSkill: (skillId: string, body: UpdateSkillBody) =>
    call('patch', '/skills/{skillId}', { path: { skillId }, body }).then(only('skill')),
  addSkillFolder: (path: string) => call('post', '/skill-folders', { body: { path } }).then(only('folder')),
  /** Takes it off the list, and turns its skills off. */
  removeSkillFolder: (folderId: string) =>
    call('delete', '/skill-folders/{folderId}', { path: { folderId } }),
  /** Oldest first. */
  listMcpServers: () => call('get', '/mcp-servers').then(only('servers')),
  createMcpServer: (body: CreateMcpServerBody) =>
    call('post', '/mcp-servers', { body, ...SERVER }).then(only('server')),
  updateMcpServer: (serverId: string, body: UpdateMcpServerBody) =>
    call('patch', '/mcp-servers/{serverId}', { path: { serverId }, body, ...SERVER }).then(only('server')),
  deleteMcpServer: (serverId: string) =>
    call('delete', '/mcp-servers/{serverId}', { path: { serverId }, ...SERVER }),
  /** Tests a server before it is added; resolves with the result, good or bad. */
  testNewMcpServer: (body: TestMcpServerBody) => call('post', '/mcp-servers/test', { body, ...SERVER }),
  /** Tests a server with a change; without one, reloads the list of its tools. */
  testMcpServer: (serverId: string, body: UpdateMcpServerBody) =>
    call('post', '/mcp-servers/{serverId}/test', { path: { serverId }, body, ...SERVER }),
  /** Resolves with where the person's browser signs in. */
  signInToMcpServer: (serverId: string, body: McpSignInBody) =>
    call('post', '/mcp-servers/{serverId}/sign-in', { path: { serverId }, body, ...SERVER }),
  signOutOfMcpServer: (serverId: string) =>
    call('post', '/mcp-servers/{serverId}/sign-out', { path: { serverId }, ...SERVER }),
});
