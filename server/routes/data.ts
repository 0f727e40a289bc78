import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { list, object, text, WorkspaceQuery } from '../../shared/api/common.ts';
import {
  DataInfo,
  ExportFile,
  ExportQuery,
  ImportPreview,
  ImportProgress,
  ImportResult,
} from '../../shared/api/data.ts';
import { MAX_ARCHIVE_BYTES, MAX_IMPORT_BYTES } from '../../shared/limits.ts';
import type { Authenticator } from '../auth/authenticator.ts';
import type { DataService } from '../data/data-service.ts';
import type { Download } from '../data/exports.ts';
import { kindOfFile } from '../data/file-kind.ts';
import { attachment } from '../data/file-names.ts';
import { AppError, found } from '../errors.ts';
import { createSlots, type Slots } from '../lib/slots.ts';
import { setupStreamedBodies } from '../plugins/body-parser.ts';
import { requireWorkspaceId } from '../plugins/workspace.ts';
import { createEndpoints, type App } from '../plugins/endpoints.ts';
import { setupBackupRoutes } from './backups.ts';
import { bodyPieces, DOWNLOAD_HEADERS, FileBytes, sendText, signalDeparture } from './transfer.ts';

const MIB = 1024 * 1024;

const EXPORT = {
  200: {
    description: 'A file: Markdown for people, or JSON that can be imported.',
    content: {
      'application/json': ExportFile,
      'text/markdown': text('The conversations in plain text.'),
    },
    headers: DOWNLOAD_HEADERS,
  },
};

const IMPORT_BODY = {
  'application/json': Type.Union([
    ExportFile,
    list(Type.Unknown(), 'An export of ChatGPT, Claude, DeepSeek or Open WebUI: a list of chats.'),
    object('One chat of another app, such as an LM Studio file.', {}),
  ]),
  'application/zip': text(
    'A ZIP archive: an export of ChatGPT, Claude or DeepSeek, or a folder of LM Studio chats.',
    { format: 'binary' },
  ),
};

/** Dependencies of these routes. */
export interface DataRouteDeps {
  data: DataService;
  authenticator: Authenticator;
}

/** Endpoints about exports, imports and backups. */
export function setupDataRoutes(app: App, { data, authenticator }: DataRouteDeps): void {
  const api = createEndpoints(app, 'Data');
  const exports = slotsFor('exports are being downloaded');
  const imports = slotsFor('files are being imported');
  const holderOf = (request: FastifyRequest): string =>
    authenticator.watch(request.headers.authorization).holder;
  const sendExport = async (reply: FastifyReply, open: () => Promise<Download>): Promise<FastifyReply> => {
    reply.raw.once('close', exports.take(holderOf(reply.request)));
    const { fileName, contentType, text } = await open();
    reply
      .type(contentType)
      .header('content-disposition', attachment(fileName))
      .header('cache-control', 'no-store');
    return sendText(reply, text);
  };
  /** The import's body. It holds a slot until the response has ended. */
  const takeImport = (request: FastifyRequest, reply: FastifyReply): AsyncGenerator<Buffer> => {
    reply.raw.once('close', imports.take(holderOf(request)));
    return importBody(request);
  };
  api.get('/api/v1/chats/:chatId/export', 'exportChat', 'Export a chat', {
    description:
      'Includes all versions of its messages. At most eight exports run at a time, four of them with one key; another one is a 429. A client that reads less than 32 KiB in half a minute is disconnected.',
    answers: EXPORT,
    query: ExportQuery,
    workspace: 'found',
    handle: ({ params, query, workspaceId, reply }) =>
      sendExport(reply, async () =>
        found(await data.exportChat(params.chatId, workspaceId, query.format), 'chat_not_found'),
      ),
  });

  api.get('/api/v1/export', 'exportChats', 'Export all chats of a workspace', {
    description: 'Includes archived chats, but not deleted ones. The limits are the same as for one chat.',
    answers: EXPORT,
    query: ExportQuery,
    workspace: 'required',
    handle: async ({ query, workspaceId, reply }) =>
      sendExport(reply, () => data.exportWorkspace(workspaceId, query.format)),
  });

  const workspaceFor =
    (request: FastifyRequest) =>
    (workspaceId: unknown): string => {
      if (workspaceId !== undefined && typeof workspaceId !== 'string') {
        throw new AppError('invalid_request', '"workspaceId" must be the id of a workspace, once.');
      }
      request.body = { workspaceId };
      return requireWorkspaceId(request);
    };
  app.register(async (streamed: App) => {
    setupStreamedBodies(streamed);
    const streamedApi = createEndpoints(streamed, 'Data');
    streamedApi.post('/api/v1/backups/restore', 'restoreBackupFile', 'Restore a backup from a file', {
      description:
        'Like restoring a backup of the folder; the body is the file. Nothing of it stays in the folder.',
      errors: ['unsupported_import', 'conflict'],
      access: 'admin',
      bodyContent: { 'application/gzip': FileBytes },
      response: { 200: ImportResult },
      handle: async ({ request, reply }) => {
        reply.raw.once('close', imports.take(holderOf(request)));
        return data.restoreFile(bodyPieces(request, INCOMPLETE));
      },
    });
    streamedApi.post('/api/v1/import', 'importChats', 'Import an export', {
      description:
        'Takes an export of Parley as JSON of up to 512 MiB, or one of ChatGPT, Claude, DeepSeek, Open WebUI or LM Studio of up to 2 GiB, with at most 100,000 chats. If the file is refused, nothing is imported. If the store fails halfway, the error says how many chats were imported.',
      errors: ['workspace_required', 'unsupported_import', 'conflict'],
      bodyContent: IMPORT_BODY,
      query: WorkspaceQuery,
      response: { 200: ImportResult },
      handle: async ({ request, reply }) =>
        data.importFile(takeImport(request, reply), workspaceFor(request)),
    });
    streamedApi.post('/api/v1/import/preview', 'previewImport', 'Preview an import', {
      description: 'Reads the file like an import, but changes nothing.',
      errors: ['workspace_required', 'unsupported_import', 'conflict'],
      bodyContent: IMPORT_BODY,
      query: WorkspaceQuery,
      response: { 200: ImportPreview },
      handle: async ({ request, reply }) =>
        data.previewFile(
          takeImport(request, reply),
          workspaceFor(request),
          signalDeparture(reply, new AppError('invalid_request', GIVEN_UP)),
        ),
    });
  });

  api.get('/api/v1/import', 'getImportProgress', 'Read the progress of a running import', {
    response: { 200: ImportProgress },
    workspace: 'required',
    handle: async ({ workspaceId }) => ({ chats: data.importProgress(workspaceId) }),
  });

  api.get('/api/v1/data', 'getDataInfo', 'Read where the data is and how much there is', {
    response: { 200: DataInfo },
    access: 'admin',
    handle: async () => data.info(),
  });

  setupBackupRoutes(app, data);
}

const GIVEN_UP = 'The client disconnected, so Parley stopped reading the file.';

const INCOMPLETE = 'The file arrived incomplete, so nothing was imported. Send it again.';

/** The bytes of an import as they come, up to the limit for its kind. */
async function* importBody(request: FastifyRequest): AsyncGenerator<Buffer> {
  let limit = 0;
  let bytes = 0;
  for await (const piece of bodyPieces(request, INCOMPLETE)) {
    if (limit === 0) {
      limit = kindOfFile(piece) === 'object' ? MAX_IMPORT_BYTES : MAX_ARCHIVE_BYTES;
      if (Number(request.headers['content-length']) > limit) throw tooLarge(limit);
    }
    bytes += piece.length;
    if (bytes > limit) throw tooLarge(limit);
    yield piece;
  }
}

const tooLarge = (limit: number): AppError =>
  new AppError(
    'body_too_large',
    limit === MAX_IMPORT_BYTES
      ? `The file is over ${MAX_IMPORT_BYTES / MIB} MiB. Import it in parts.`
      : `The file is over ${MAX_ARCHIVE_BYTES / MIB / 1024} GiB. Unpack it and import only conversations.json.`,
  );

/** How many exports, and how many imports, may be under way: each takes memory or disk space. */
const MOST = 8;
const MOST_OF_ONE = 4;

const slotsFor = (what: string): Slots =>
  createSlots({
    most: MOST,
    mostOfOne: MOST_OF_ONE,
    retryAfterSeconds: 5,
    words: (ofOne) =>
      `As many ${what} ${ofOne ? 'with this key' : 'already'} as can be at a time; try again when one of them is done.`,
  });
