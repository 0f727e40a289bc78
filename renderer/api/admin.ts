/** The part of the API that needs the scope `admin`, and the lists beside it. */
import type { Agent, AgentList, Model, ModelList } from '../../shared/api/catalog.ts';
import type {
  Backup,
  BackupAnswer,
  BackupList,
  CreatedBackup,
  DataInfo,
  ExportFile,
  ImportResult,
} from '../../shared/api/data.ts';
import type { CreatedKey, CreateKeyBody, Key, KeyAnswer, KeyList, LocalKey } from '../../shared/api/key.ts';
import type { RecentRequest, RecentRequests } from '../../shared/api/request-log.ts';
import type { SessionAnswer, SessionList, SignedInBrowser } from '../../shared/api/session.ts';
import type { Settings, SettingsAnswer, UpdateSettingsBody } from '../../shared/api/settings.ts';
import type { Storage, StorageAnswer } from '../../shared/api/storage.ts';
import type {
  UpdateWorkspaceBody,
  Workspace,
  WorkspaceAnswer,
  WorkspaceList,
} from '../../shared/api/workspace.ts';
import type { Request } from './http.ts';

/** Large files take the service longer than anything else. */
const LONG_WAIT_MS = 10 * 60_000;

/** What a key with the scope `admin` may do, and the lists beside it. */
export interface AdminApi {
  listWorkspaces(): Promise<Workspace[]>;
  createWorkspace(name: string): Promise<Workspace>;
  /** Changes its name, or the model of its new chats. */
  updateWorkspace(workspaceId: string, body: UpdateWorkspaceBody): Promise<Workspace>;
  listAgents(): Promise<Agent[]>;
  listModels(): Promise<Model[]>;
  findSettings(): Promise<Settings>;
  updateSettings(body: UpdateSettingsBody): Promise<Settings>;
  /** How full the store is, and what a person should know of it. */
  findStorage(): Promise<Storage>;
  listKeys(): Promise<Key[]>;
  /** The key itself is in this answer and nowhere else. */
  createKey(body: CreateKeyBody): Promise<CreatedKey>;
  revokeKey(keyId: string): Promise<Key>;
  findLocalKey(): Promise<string>;
  /** Makes a new local key; the old one is worthless from then on. */
  rotateLocalKey(): Promise<string>;
  /** The browsers that are signed in and can come back, latest used first. */
  listSessions(): Promise<SignedInBrowser[]>;
  /** Signs one out. */
  endSession(sessionId: string): Promise<SignedInBrowser>;
  /** Signs all out but this one; resolves with those that are left. */
  endOtherSessions(): Promise<SignedInBrowser[]>;
  /** Latest first; only those after the request of that number when it is given. */
  listRequests(after: number | undefined, externalOnly: boolean): Promise<RecentRequest[]>;
  findDataInfo(): Promise<DataInfo>;
  importChats(file: ExportFile): Promise<ImportResult>;
  listBackups(): Promise<Backup[]>;
  /** Makes a backup that was read back. */
  createBackup(): Promise<CreatedBackup>;
  restoreBackup(name: string): Promise<ImportResult>;
  deleteBackup(name: string): Promise<Backup>;
}

/** The part of a client that {@link AdminApi} describes. */
export function adminApi(request: Request): AdminApi {
  const backupPath = (name: string): string => `/api/v1/backups/${encodeURIComponent(name)}`;
  return {
    listWorkspaces: async () => (await request<WorkspaceList>('GET', '/api/v1/workspaces')).workspaces,
    createWorkspace: async (name) =>
      (await request<WorkspaceAnswer>('POST', '/api/v1/workspaces', { body: { name } })).workspace,
    updateWorkspace: async (workspaceId, body) => {
      const path = `/api/v1/workspaces/${encodeURIComponent(workspaceId)}`;
      return (await request<WorkspaceAnswer>('PATCH', path, { body })).workspace;
    },
    listAgents: async () => (await request<AgentList>('GET', '/api/v1/agents')).agents,
    listModels: async () => (await request<ModelList>('GET', '/api/v1/models')).models,
    findSettings: async () => (await request<SettingsAnswer>('GET', '/api/v1/settings')).settings,
    updateSettings: async (body) =>
      (await request<SettingsAnswer>('PATCH', '/api/v1/settings', { body })).settings,
    findStorage: async () => (await request<StorageAnswer>('GET', '/api/v1/storage')).storage,
    listKeys: async () => (await request<KeyList>('GET', '/api/v1/keys')).keys,
    createKey: (body) => request<CreatedKey>('POST', '/api/v1/keys', { body }),
    revokeKey: async (keyId) =>
      (await request<KeyAnswer>('DELETE', `/api/v1/keys/${encodeURIComponent(keyId)}`)).key,
    findLocalKey: async () => (await request<LocalKey>('GET', '/api/v1/keys/local')).apiKey,
    rotateLocalKey: async () =>
      (await request<LocalKey>('POST', '/api/v1/keys/local/rotate', { body: {} })).apiKey,
    listSessions: async () => (await request<SessionList>('GET', '/api/v1/sessions')).sessions,
    endSession: async (sessionId) =>
      (await request<SessionAnswer>('DELETE', `/api/v1/sessions/${encodeURIComponent(sessionId)}`)).session,
    endOtherSessions: async () => (await request<SessionList>('DELETE', '/api/v1/sessions')).sessions,
    listRequests: async (after, externalOnly) => {
      const query = new URLSearchParams({ external: String(externalOnly) });
      if (after !== undefined) query.set('after', String(after));
      return (await request<RecentRequests>('GET', `/api/v1/requests?${query.toString()}`)).requests;
    },
    findDataInfo: () => request<DataInfo>('GET', '/api/v1/data'),
    importChats: (file) =>
      request<ImportResult>('POST', '/api/v1/import', { body: file, timeoutMs: LONG_WAIT_MS }),
    listBackups: async () => (await request<BackupList>('GET', '/api/v1/backups')).backups,
    createBackup: () =>
      request<CreatedBackup>('POST', '/api/v1/backups', { body: {}, timeoutMs: LONG_WAIT_MS }),
    restoreBackup: (name) =>
      request<ImportResult>('POST', `${backupPath(name)}/restore`, { body: {}, timeoutMs: LONG_WAIT_MS }),
    deleteBackup: async (name) => (await request<BackupAnswer>('DELETE', backupPath(name))).backup,
  };
}
