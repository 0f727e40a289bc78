import { FileAnswer, FileText, UploadFileQuery } from '../../shared/api/attachment.ts';
import type { MessageFiles } from '../chats/message-files.ts';
import { setupAnyBodies } from '../plugins/body-parser.ts';
import { bodyPieces, DOWNLOAD_HEADERS, FileBytes, sendDownload, signalDeparture } from './transfer.ts';
import { createEndpoints, type App } from '../plugins/endpoints.ts';

/** Endpoints about files of messages. */
export function setupFileRoutes(app: App, files: MessageFiles): void {
  const api = createEndpoints(app, 'Files', { workspace: 'found' });
  app.register(async (streamed: App) => {
    setupAnyBodies(streamed);
    createEndpoints(streamed, 'Files').post('/api/v1/files', 'uploadFile', 'Upload a file', {
      description:
        'The body is the raw file, whatever its content type says. Attach it to a message by its id. Parley detects the type from the bytes: pictures (PNG, JPEG, WebP, GIF), PDF, DOCX and text of any kind, in any encoding that can be told; anything else is a 415. An upload that no message uses within 24 hours is deleted.',
      errors: ['unsupported_media_type'],
      bodyContent: { 'application/octet-stream': FileBytes },
      query: UploadFileQuery,
      response: { 201: FileAnswer },
      workspace: 'required',
      handle: async ({ query, workspaceId, request, reply }) => {
        const pieces = bodyPieces(request, INCOMPLETE);
        const file = await files.upload({ workspaceId, name: query.name, pieces });
        reply.header('location', `/api/v1/files/${file.id}`);
        return { file };
      },
    });
  });

  api.get('/api/v1/files/:fileId', 'downloadFile', 'Download a file of a message', {
    description: 'One of a message’s `attachments`, or an upload that no message uses yet.',
    errors: ['file_not_found', 'file_lost'],
    answers: { 200: { content: { '*/*': FileBytes }, headers: DOWNLOAD_HEADERS } },
    handle: async ({ params, workspaceId, reply }) => {
      const { file, bytes } = await files.read(params.fileId, workspaceId);
      reply.header('content-length', file.bytes);
      return sendDownload(reply, file, bytes);
    },
  });

  api.get('/api/v1/files/:fileId/text', 'readFileText', 'Read the text of a file', {
    description:
      'What models get of a PDF, Word document or text file: at most its first 400,000 characters, read in at most 10 seconds. A file that is damaged, has a password or no text is not an error; `reason` says why there is no text.',
    errors: ['file_not_found', 'file_lost'],
    response: { 200: FileText },
    handle: ({ params, workspaceId, reply }) =>
      files.readText(params.fileId, workspaceId, signalDeparture(reply, GONE_AWAY)),
  });

  api.delete('/api/v1/files/:fileId', 'deleteFile', 'Delete an upload', {
    description: 'Deletes a file that no message uses. A message’s files are deleted with the message.',
    errors: ['file_not_found', 'conflict'],
    response: { 200: FileAnswer },
    result: ({ params, workspaceId }) => files.remove(params.fileId, workspaceId),
  });
}

const GONE_AWAY = new Error('The client disconnected before the text was read.');

const INCOMPLETE = 'The file arrived incomplete, so it was not stored. Send it again.';
