import { Type } from 'typebox';
import { BackupAnswer, BackupList, CreatedBackup, ImportResult } from '../../shared/api/data.ts';
import type { DataService } from '../data/data-service.ts';
import { attachment } from '../data/file-names.ts';
import { createEndpoints } from '../plugins/endpoints.ts';
import type { App } from '../plugins/route.ts';
import { DOWNLOAD_HEADERS, FileBytes } from './download.ts';

const BackupParams = Type.Object({
  name: Type.String({ description: 'Name of the backup, as it is listed.' }),
});

/** Endpoints about backups. */
export function setupBackupRoutes(app: App, data: DataService): void {
  const api = createEndpoints(app, 'Data', 'admin');
  api.post('/api/v1/backups', {
    operationId: 'createBackup',
    summary: 'Make a backup',
    description:
      'Everything in all workspaces but keys, drafts and deleted chats. It is read back before it has its name: one that can’t be is a 500 `storage_unavailable` and is not kept.',
    errors: ['conflict'],
    response: { 201: CreatedBackup },
    handle: async () => data.createBackup(),
  });

  api.get('/api/v1/backups', {
    operationId: 'listBackups',
    summary: 'List backups',
    description:
      'Newest first. A backup that was put into the folder under a name like theirs is listed as well.',
    response: { 200: BackupList },
    handle: async () => ({ backups: await data.listBackups() }),
  });

  api.get('/api/v1/backups/:name', {
    operationId: 'downloadBackup',
    summary: 'Download a backup',
    answers: { 200: { content: { 'application/gzip': FileBytes }, headers: DOWNLOAD_HEADERS } },
    params: BackupParams,
    handle: async ({ params, reply }) => {
      const { backup, file } = await data.readBackup(params.name);
      return reply
        .type('application/gzip')
        .header('content-length', backup.bytes)
        .header('content-disposition', attachment(backup.name))
        .header('cache-control', 'no-store')
        .send(file);
    },
  });

  api.post('/api/v1/backups/:name/restore', {
    operationId: 'restoreBackup',
    summary: 'Restore a backup',
    description:
      'Adds what is missing, as an import does, and leaves the settings as they are. Of a damaged backup it brings in what can be read. A chat that is deleted but not yet gone for good comes in as a copy.',
    errors: ['unsupported_import', 'conflict'],
    params: BackupParams,
    response: { 200: ImportResult },
    handle: async ({ params }) => data.restoreBackup(params.name),
  });

  api.delete('/api/v1/backups/:name', {
    operationId: 'deleteBackup',
    summary: 'Delete a backup',
    errors: ['conflict'],
    params: BackupParams,
    response: { 200: BackupAnswer },
    handle: async ({ params }) => ({ backup: await data.deleteBackup(params.name) }),
  });
}
