import { Type } from 'typebox';
import { BackupAnswer, BackupList, CreatedBackup, ImportResult } from '../../shared/api/data.ts';
import type { DataService } from '../data/data-service.ts';
import { attachment } from '../data/file-names.ts';
import { adminOnly, type App } from '../plugins/route.ts';
import { DOWNLOAD_HEADERS, FileBytes } from './download.ts';

const BackupParams = Type.Object({
  name: Type.String({ description: 'Name of the backup, as it is listed.' }),
});

/** Endpoints about backups. */
export function setupBackupRoutes(app: App, data: DataService): void {
  app.post(
    '/api/v1/backups',
    {
      schema: {
        operationId: 'createBackup',
        summary: 'Make a backup',
        tags: ['Data'],
        description:
          'Everything in all workspaces but keys, drafts and deleted chats. It is read back before it has its name: one that can’t be is a 500 `storage_unavailable` and is not kept.',
        errors: ['conflict'],
        response: { 201: CreatedBackup },
      },
      onRequest: adminOnly,
    },
    async (_request, reply) => reply.code(201).send(await data.createBackup()),
  );

  app.get(
    '/api/v1/backups',
    {
      schema: {
        operationId: 'listBackups',
        summary: 'List backups',
        tags: ['Data'],
        description:
          'Newest first. A backup that was put into the folder under a name like theirs is listed as well.',
        response: { 200: BackupList },
      },
      onRequest: adminOnly,
    },
    async () => ({ backups: await data.listBackups() }),
  );

  app.get(
    '/api/v1/backups/:name',
    {
      schema: {
        operationId: 'downloadBackup',
        summary: 'Download a backup',
        tags: ['Data'],
        answers: { 200: { content: { 'application/gzip': FileBytes }, headers: DOWNLOAD_HEADERS } },
        params: BackupParams,
      },
      onRequest: adminOnly,
    },
    async (request, reply) => {
      const { backup, file } = await data.readBackup(request.params.name);
      return reply
        .type('application/gzip')
        .header('content-length', backup.bytes)
        .header('content-disposition', attachment(backup.name))
        .header('cache-control', 'no-store')
        .send(file);
    },
  );

  app.post(
    '/api/v1/backups/:name/restore',
    {
      schema: {
        operationId: 'restoreBackup',
        summary: 'Restore a backup',
        tags: ['Data'],
        description:
          'Adds what is missing, as an import does, and leaves the settings as they are. Of a damaged backup it brings in what can be read. A chat that is deleted but not yet gone for good comes in as a copy.',
        errors: ['unsupported_import', 'conflict'],
        params: BackupParams,
        response: { 200: ImportResult },
      },
      onRequest: adminOnly,
    },
    async (request) => data.restoreBackup(request.params.name),
  );

  app.delete(
    '/api/v1/backups/:name',
    {
      schema: {
        operationId: 'deleteBackup',
        summary: 'Delete a backup',
        tags: ['Data'],
        errors: ['conflict'],
        params: BackupParams,
        response: { 200: BackupAnswer },
      },
      onRequest: adminOnly,
    },
    async (request) => ({ backup: await data.deleteBackup(request.params.name) }),
  );
}
