import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { ChatParams } from '../../shared/api/chat.ts';
import { WorkspaceQuery } from '../../shared/api/common.ts';
import {
  DataInfo,
  ExportFile,
  ExportQuery,
  ImportPreview,
  ImportProgress,
  ImportResult,
} from '../../shared/api/data.ts';
import { MAX_ARCHIVE_BYTES, MAX_IMPORT_BYTES } from '../../shared/limits.ts';
import type { DataService } from '../data/data-service.ts';
import type { Download } from '../data/exports.ts';
import { kindOfFile } from '../data/file-kind.ts';
import { signalDeparture } from './departure.ts';
import { attachment } from '../data/file-names.ts';
import { AppError } from '../errors.ts';
import { setupStreamedBodies } from '../plugins/body-parser.ts';
import { findWorkspaceId, requireWorkspaceId, type HasWorkspace } from '../plugins/workspace.ts';
import { sendText } from './send-text.ts';
import { adminOnly, type App } from '../plugins/route.ts';
import { setupBackupRoutes } from './backups.ts';
import { DOWNLOAD_HEADERS } from './download.ts';

const MIB = 1024 * 1024;

const EXPORT = {
  200: {
    description: 'A file: for people as Markdown, or as JSON, which an import takes.',
    content: {
      'application/json': ExportFile,
      'text/markdown': Type.String({ description: 'The conversations in plain text.' }),
    },
    headers: DOWNLOAD_HEADERS,
  },
};

const IMPORT_BODY = {
  'application/json': Type.Union([
    ExportFile,
    Type.Array(Type.Unknown(), { description: 'Chats as ChatGPT, Claude or Open WebUI list them.' }),
    Type.Object({}, { description: 'One chat of another app, such as a file of LM Studio.' }),
  ]),
  'application/zip': Type.String({
    format: 'binary',
    description: 'The archive that ChatGPT or Claude give, or chats of LM Studio in one.',
  }),
};

/** What routes about data as a whole call. */
export interface DataRouteDeps {
  data: DataService;
  hasWorkspace: HasWorkspace;
}

/** Endpoints about exports, imports and backups. */
export function setupDataRoutes(app: App, { data, hasWorkspace }: DataRouteDeps): void {
  const sendExport = createExportSender();
  app.get(
    '/api/v1/chats/:chatId/export',
    {
      schema: {
        operationId: 'exportChat',
        summary: 'Export a chat',
        tags: ['Data'],
        description:
          'With all versions of its messages. Four exports are sent at a time, one more is a 429; a client that takes nothing for a minute is cut off.',
        answers: EXPORT,
        params: ChatParams,
        querystring: ExportQuery,
      },
    },
    async (request, reply) => {
      const workspaceId = findWorkspaceId(request, hasWorkspace);
      return sendExport(reply, async () => {
        const download = await data.exportChat(request.params.chatId, workspaceId, request.query.format);
        if (download === null) throw new AppError('chat_not_found');
        return download;
      });
    },
  );

  app.get(
    '/api/v1/export',
    {
      schema: {
        operationId: 'exportChats',
        summary: 'Export all chats of a workspace',
        tags: ['Data'],
        description: 'Archived chats too, deleted ones not. Limits are as for one chat.',
        errors: ['workspace_required'],
        answers: EXPORT,
        querystring: ExportQuery,
      },
    },
    async (request, reply) =>
      sendExport(reply, () =>
        data.exportWorkspace(requireWorkspaceId(request, hasWorkspace), request.query.format),
      ),
  );

  const workspaceFor =
    (request: FastifyRequest) =>
    (workspaceId: unknown): string => {
      if (workspaceId !== undefined && typeof workspaceId !== 'string') {
        throw new AppError('invalid_request', '"workspaceId" must be the id of a workspace, once.');
      }
      request.body = { workspaceId };
      return requireWorkspaceId(request, hasWorkspace);
    };
  app.register(async (streamed: App) => {
    setupStreamedBodies(streamed);
    streamed.post(
      '/api/v1/import',
      {
        schema: {
          operationId: 'importChats',
          summary: 'Import an export',
          tags: ['Data'],
          description:
            'JSON of Parley of up to 256 MiB, or an export of ChatGPT, Claude, Open WebUI or LM Studio of up to 2 GiB; 20,000 chats at most. What is refused as a whole, nothing of it is written; when the store refuses half-way, the error says how many chats are in.',
          errors: ['workspace_required', 'unsupported_import', 'conflict'],
          bodyContent: IMPORT_BODY,
          querystring: WorkspaceQuery,
          response: { 200: ImportResult },
        },
      },
      async (request) => data.importFile(importBody(request), workspaceFor(request)),
    );
    streamed.post(
      '/api/v1/import/preview',
      {
        schema: {
          operationId: 'previewImport',
          summary: 'See what an import would do',
          tags: ['Data'],
          description: 'Reads the file as an import does, and writes nothing.',
          errors: ['workspace_required', 'unsupported_import', 'conflict'],
          bodyContent: IMPORT_BODY,
          querystring: WorkspaceQuery,
          response: { 200: ImportPreview },
        },
      },
      async (request, reply) =>
        data.previewFile(
          importBody(request),
          workspaceFor(request),
          signalDeparture(reply, new AppError('invalid_request', GIVEN_UP)),
        ),
    );
  });

  app.get(
    '/api/v1/import',
    {
      schema: {
        operationId: 'getImportProgress',
        summary: 'How far the import under way has come',
        tags: ['Data'],
        errors: ['workspace_required'],
        querystring: WorkspaceQuery,
        response: { 200: ImportProgress },
      },
    },
    async (request) => ({ chats: data.importProgress(requireWorkspaceId(request, hasWorkspace)) }),
  );

  app.get(
    '/api/v1/data',
    {
      schema: {
        operationId: 'getDataInfo',
        summary: 'Where the data is, and how much',
        tags: ['Data'],
        response: { 200: DataInfo },
      },
      onRequest: adminOnly,
    },
    async () => data.info(),
  );

  setupBackupRoutes(app, data);
}

const GIVEN_UP = 'Whoever asked has gone away, so the file was read no further.';

/** The bytes of an import as they come, with an end to how many. */
async function* importBody({ body, raw }: FastifyRequest): AsyncGenerator<Buffer> {
  if (body === undefined) return;
  let limit = 0;
  let bytes = 0;
  try {
    // Left early, the request stays open for the answer.
    for await (const piece of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (limit === 0) {
        limit = kindOfFile(piece) === 'object' ? MAX_IMPORT_BYTES : MAX_ARCHIVE_BYTES;
        if (Number(raw.headers['content-length']) > limit) throw tooLarge(limit);
      }
      bytes += piece.length;
      if (bytes > limit) throw tooLarge(limit);
      yield piece;
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError(
      'invalid_request',
      'The file did not arrive whole, so nothing was imported; send it again.',
      {
        cause: error,
      },
    );
  } finally {
    raw.resume();
  }
}

const tooLarge = (limit: number): AppError =>
  new AppError(
    'body_too_large',
    limit === MAX_IMPORT_BYTES
      ? `The file is over ${MAX_IMPORT_BYTES / MIB} MiB; import it in parts.`
      : `The file is over ${MAX_ARCHIVE_BYTES / MIB / 1024} GiB. Unpack it, and import conversations.json alone.`,
  );

/** Exports that are being sent at the same time: each keeps a list of all its chats and some text in memory. */
const MAX_EXPORTS = 4;

/** Sends exports, a few at a time: AppError `too_many_requests` beyond that. */
function createExportSender(): (reply: FastifyReply, open: () => Promise<Download>) => Promise<FastifyReply> {
  let underWay = 0;
  return async (reply, open) => {
    if (underWay >= MAX_EXPORTS) {
      throw new AppError(
        'too_many_requests',
        `${MAX_EXPORTS} exports are being downloaded already; try again when one of them is done.`,
        { retryAfterSeconds: 5 },
      );
    }
    underWay += 1;
    reply.raw.once('close', () => (underWay -= 1));
    const { fileName, contentType, text } = await open();
    reply
      .type(contentType)
      .header('content-disposition', attachment(fileName))
      .header('cache-control', 'no-store');
    return sendText(reply, text);
  };
}
