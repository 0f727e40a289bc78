import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { ChatParams } from '../../shared/api/chat.ts';
import { WorkspaceQuery } from '../../shared/api/common.ts';
import {
  BackupAnswer,
  BackupList,
  CreatedBackup,
  DataInfo,
  ExportQuery,
  ImportResult,
} from '../../shared/api/data.ts';
import { MAX_IMPORT_BYTES } from '../../shared/limits.ts';
import { requireAdmin } from '../auth/caller.ts';
import type { DataService } from '../data/data-service.ts';
import type { Download } from '../data/exports.ts';
import { attachment } from '../data/file-names.ts';
import { AppError } from '../errors.ts';
import { setupStreamedBodies } from '../plugins/body-parser.ts';
import { findWorkspaceId, requireWorkspaceId, type HasWorkspace } from '../plugins/workspace.ts';
import { sendText } from './send-text.ts';
import type { App } from '../plugins/route.ts';

const BackupParams = Type.Object({ name: Type.String() });
const MIB = 1024 * 1024;

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
    { schema: { params: ChatParams, querystring: ExportQuery } },
    async (request, reply) => {
      const workspaceId = findWorkspaceId(request, hasWorkspace);
      return sendExport(reply, async () => {
        const download = await data.exportChat(request.params.chatId, workspaceId, request.query.format);
        if (download === null) throw new AppError('chat_not_found');
        return download;
      });
    },
  );

  app.get('/api/v1/export', { schema: { querystring: ExportQuery } }, async (request, reply) =>
    sendExport(reply, () =>
      data.exportWorkspace(requireWorkspaceId(request, hasWorkspace), request.query.format),
    ),
  );

  app.register(async (streamed: App) => {
    setupStreamedBodies(streamed);
    streamed.post(
      '/api/v1/import',
      { schema: { querystring: WorkspaceQuery, response: { 200: ImportResult } } },
      async (request) =>
        data.importFile(importBody(request), (workspaceId) => {
          if (workspaceId !== undefined && typeof workspaceId !== 'string') {
            throw new AppError('invalid_request', '"workspaceId" must be the id of a workspace, once.');
          }
          request.body = { workspaceId };
          return requireWorkspaceId(request, hasWorkspace);
        }),
    );
  });

  app.get('/api/v1/data', { schema: { response: { 200: DataInfo } } }, async (request) => {
    requireAdmin(request.raw);
    return data.info();
  });

  setupBackupRoutes(app, data);
}

/** The bytes of an import as they come, with an end to how many. */
async function* importBody({ body, raw }: FastifyRequest): AsyncGenerator<Buffer> {
  if (body === undefined) return;
  const tooLarge = (): AppError =>
    new AppError('body_too_large', `The file is over ${MAX_IMPORT_BYTES / MIB} MiB; import it in parts.`);
  if (Number(raw.headers['content-length']) > MAX_IMPORT_BYTES) throw tooLarge();
  let bytes = 0;
  try {
    // Left early, the request stays open for the answer.
    for await (const piece of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > MAX_IMPORT_BYTES) throw tooLarge();
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

function setupBackupRoutes(app: App, data: DataService): void {
  app.post('/api/v1/backups', { schema: { response: { 201: CreatedBackup } } }, async (request, reply) => {
    requireAdmin(request.raw);
    return reply.code(201).send(await data.createBackup());
  });

  app.get('/api/v1/backups', { schema: { response: { 200: BackupList } } }, async (request) => {
    requireAdmin(request.raw);
    return { backups: await data.listBackups() };
  });

  app.get('/api/v1/backups/:name', { schema: { params: BackupParams } }, async (request, reply) => {
    requireAdmin(request.raw);
    const { backup, file } = await data.readBackup(request.params.name);
    return reply
      .type('application/gzip')
      .header('content-length', backup.bytes)
      .header('content-disposition', attachment(backup.name))
      .header('cache-control', 'no-store')
      .send(file);
  });

  app.post(
    '/api/v1/backups/:name/restore',
    { schema: { params: BackupParams, response: { 200: ImportResult } } },
    async (request) => {
      requireAdmin(request.raw);
      return data.restoreBackup(request.params.name);
    },
  );

  app.delete(
    '/api/v1/backups/:name',
    { schema: { params: BackupParams, response: { 200: BackupAnswer } } },
    async (request) => {
      requireAdmin(request.raw);
      return { backup: await data.deleteBackup(request.params.name) };
    },
  );
}

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
