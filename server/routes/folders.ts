import { AddFolderBody, FolderAnswer, FolderList } from '../../shared/api/folder.ts';
import type { FolderService } from '../tools/files/folder-service.ts';
import { createEndpoints, type App } from '../plugins/endpoints.ts';

/** Endpoints about the folders that tools may work in. */
export function setupFolderRoutes(app: App, folders: FolderService): void {
  const api = createEndpoints(app, 'Folders', { access: 'admin' });
  api.get('/api/v1/folders', 'listFolders', 'List the folders that tools may use', {
    description: 'Oldest first.',
    response: { 200: FolderList },
    result: () => folders.list(),
  });

  api.post('/api/v1/folders', 'addFolder', 'Allow a folder', {
    description:
      'What can’t be allowed (something that isn’t a folder, a whole drive, Parley’s own data) is a 400. A folder that is already allowed, or a 51st one, is a 409.',
    errors: ['conflict'],
    body: AddFolderBody,
    response: { 201: FolderAnswer },
    result: ({ body }) => folders.add(body),
  });

  api.delete('/api/v1/folders/:folderId', 'removeFolder', 'Stop allowing a folder', {
    response: { 200: FolderAnswer },
    result: ({ params }) => folders.remove(params.folderId),
  });
}
