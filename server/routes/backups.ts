import { BackupAnswer, BackupList, CreatedBackup, ImportResult } from '../../shared/api/data.ts';
import type { DataService } from '../data/data-service.ts';
import { attachment } from '../data/file-names.ts';
import { createEndpoints, type App } from '../plugins/endpoints.ts';
import { DOWNLOAD_HEADERS, FileBytes } from './transfer.ts';

/** Endpoints about backups. */
export function setupBackupRoutes(app: App, data: DataService): void {
  const api = createEndpoints(app, 'Data', { access: 'admin' });
  api.post('/api/v1/backups', 'createBackup', 'Create a backup', {
    description:
      'Holds everything in all workspaces except keys, drafts and deleted chats. The new backup is read back first; if that fails, it is deleted and the response is a 500 `storage_unavailable`.',
    errors: ['conflict'],
    response: { 201: CreatedBackup },
    handle: async () => data.createBackup(),
  });

  api.get('/api/v1/backups', 'listBackups', 'List backups', {
    description:
      'Newest first. Includes backup files that you put into the folder, if they are named like the others.',
    response: { 200: BackupList },
    result: () => data.listBackups(),
  });

  api.get('/api/v1/backups/:name', 'downloadBackup', 'Download a backup', {
    answers: { 200: { content: { 'application/gzip': FileBytes }, headers: DOWNLOAD_HEADERS } },
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

  api.post('/api/v1/backups/:name/restore', 'restoreBackup', 'Restore a backup', {
    description:
      'Adds what is missing, like an import, and leaves the settings as they are. If Parley has nothing but one empty workspace, that takes the name and content of the backup’s first one, and settings that were never changed are taken; otherwise a workspace of a name that is taken gets another one. From a damaged backup it restores what can be read. A deleted chat that could still be restored comes back as a copy.',
    errors: ['unsupported_import', 'conflict'],
    response: { 200: ImportResult },
    handle: async ({ params }) => data.restoreBackup(params.name),
  });

  api.delete('/api/v1/backups/:name', 'deleteBackup', 'Delete a backup', {
    errors: ['conflict'],
    response: { 200: BackupAnswer },
    result: ({ params }) => data.deleteBackup(params.name),
  });
}
