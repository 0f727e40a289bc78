import { Type } from 'typebox';
import { AddFolderBody, FolderAnswer, FolderList } from '../../shared/api/folder.ts';
import { AppError } from '../errors.ts';
import type { FolderService } from '../tools/files/folder-service.ts';
import { absentBodyIsEmpty, adminOnly, type App } from '../plugins/route.ts';

const FolderParams = Type.Object({ folderId: Type.String({ description: 'Id of the folder.' }) });

/** Endpoints about the folders that tools may work in. */
export function setupFolderRoutes(app: App, folders: FolderService): void {
  app.get(
    '/api/v1/folders',
    {
      schema: {
        operationId: 'listFolders',
        summary: 'List the folders that tools may work in',
        tags: ['Folders'],
        description: 'Oldest first.',
        response: { 200: FolderList },
      },
      onRequest: adminOnly,
    },
    async () => ({
      folders: await folders.list(),
    }),
  );

  app.post(
    '/api/v1/folders',
    {
      schema: {
        operationId: 'addFolder',
        summary: 'Allow a folder',
        tags: ['Folders'],
        description:
          'What can’t be allowed (no folder, a whole drive, Parley’s own data) is a 400; one that is allowed already, or a 51st, a 409.',
        errors: ['conflict'],
        body: AddFolderBody,
        response: { 201: FolderAnswer },
      },
      onRequest: adminOnly,
      preValidation: absentBodyIsEmpty,
    },
    async (request, reply) => reply.code(201).send({ folder: await folders.add(request.body) }),
  );

  app.delete(
    '/api/v1/folders/:folderId',
    {
      schema: {
        operationId: 'removeFolder',
        summary: 'Take a folder back',
        tags: ['Folders'],
        params: FolderParams,
        response: { 200: FolderAnswer },
      },
      onRequest: adminOnly,
    },
    async (request) => {
      const folder = await folders.remove(request.params.folderId);
      if (folder === null) throw new AppError('folder_not_found');
      return { folder };
    },
  );
}
