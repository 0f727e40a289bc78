/** The part of the API that needs the scope `admin`, and the lists beside it. */
import type { Agent, Model, Rehearsal } from '../../shared/api/catalog.ts';
import type { Backup, CreatedBackup, DataInfo, ExportFile, ImportResult } from '../../shared/api/data.ts';
import type { CreatedKey, CreateKeyBody, Key } from '../../shared/api/key.ts';
import type { RecentRequest } from '../../shared/api/request-log.ts';
import type { SignedInBrowser } from '../../shared/api/session.ts';
import type { Settings, UpdateSettingsBody } from '../../shared/api/settings.ts';
import type { Storage } from '../../shared/api/storage.ts';
import type { UpdateWorkspaceBody, Workspace } from '../../shared/api/workspace.ts';
import type { Ask } from './http.ts';

/** Large files take the service longer than anything else. */
const LONG_WAIT_MS = 10 * 60_000;

const backup = (name: string) => ({ params: { path: { name } } });

/** What a key with the scope `admin` may do, and the lists beside it. */
export type AdminApi = ReturnType<typeof adminApi>;

/** The part of a client that {@link AdminApi} is. */
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
  /** How full the store is, and what a person should know of it. */
  findStorage: (): Promise<Storage> =>
    ask((api) => api.GET('/api/v1/storage')).then(({ storage }) => storage),
  listKeys: (): Promise<Key[]> => ask((api) => api.GET('/api/v1/keys')).then(({ keys }) => keys),
  /** The key itself is in this answer and nowhere else. */
  createKey: (body: CreateKeyBody): Promise<CreatedKey> => ask((api) => api.POST('/api/v1/keys', { body })),
  revokeKey: (keyId: string): Promise<Key> =>
    ask((api) => api.DELETE('/api/v1/keys/{keyId}', { params: { path: { keyId } } })).then(({ key }) => key),
  findLocalKey: (): Promise<string> =>
    ask((api) => api.GET('/api/v1/keys/local')).then(({ apiKey }) => apiKey),
  /** Makes a new local key; the old one is worthless from then on. */
  rotateLocalKey: (): Promise<string> =>
    ask((api) => api.POST('/api/v1/keys/local/rotate')).then(({ apiKey }) => apiKey),
  /** The browsers that are signed in and can come back, latest used first. */
  listSessions: (): Promise<SignedInBrowser[]> =>
    ask((api) => api.GET('/api/v1/sessions')).then(({ sessions }) => sessions),
  /** Signs one out. */
  endSession: (sessionId: string): Promise<SignedInBrowser> =>
    ask((api) => api.DELETE('/api/v1/sessions/{sessionId}', { params: { path: { sessionId } } })).then(
      ({ session }) => session,
    ),
  /** Signs all out but this one; resolves with those that are left. */
  endOtherSessions: (): Promise<SignedInBrowser[]> =>
    ask((api) => api.DELETE('/api/v1/sessions')).then(({ sessions }) => sessions),
  /** Latest first; only those after the request of that number when it is given. */
  listRequests: (after: number | undefined, externalOnly: boolean): Promise<RecentRequest[]> => {
    const query = {
      external: externalOnly ? 'true' : 'false',
      ...(after !== undefined && { after: String(after) }),
    } as const;
    return ask((api) => api.GET('/api/v1/requests', { params: { query } })).then(({ requests }) => requests);
  },
  findDataInfo: (): Promise<DataInfo> => ask((api) => api.GET('/api/v1/data')),
  importChats: (body: ExportFile): Promise<ImportResult> =>
    ask((api) => api.POST('/api/v1/import', { body }), LONG_WAIT_MS),
  listBackups: (): Promise<Backup[]> =>
    ask((api) => api.GET('/api/v1/backups')).then(({ backups }) => backups),
  /** Makes a backup that was read back. */
  createBackup: (): Promise<CreatedBackup> => ask((api) => api.POST('/api/v1/backups'), LONG_WAIT_MS),
  restoreBackup: (name: string): Promise<ImportResult> =>
    ask((api) => api.POST('/api/v1/backups/{name}/restore', backup(name)), LONG_WAIT_MS),
  deleteBackup: (name: string): Promise<Backup> =>
    ask((api) => api.DELETE('/api/v1/backups/{name}', backup(name))).then((answer) => answer.backup),
});
