import { Type } from 'typebox';
import {
  CreatedKey,
  CreateKeyBody,
  KeyAnswer,
  KeyList,
  LocalKey,
  UpdatedKey,
  UpdateKeyBody,
} from '../../shared/api/key.ts';
import { bearerOf } from '../auth/authenticator.ts';
import type { Browsers } from '../auth/browsers.ts';
import type { KeyService } from '../auth/key-service.ts';
import type { Sessions } from '../auth/sessions.ts';
import { AppError } from '../errors.ts';
import { absentBodyIsEmpty, adminOnly, type App } from '../plugins/route.ts';

const KeyParams = Type.Object({ keyId: Type.String({ description: 'Id of the key.' }) });

/** What managing keys works with. */
export interface KeyRouteDeps {
  keys: KeyService;
  sessions: Sessions;
  browsers: Browsers;
  settled: () => Promise<void>;
}

/**
 * Managing API keys. `workspaceId` in the body of a new key is the workspace it is bound to, not the one the request is
 * about: these requests are about none.
 */
export function setupKeyRoutes(app: App, { keys, sessions, browsers, settled }: KeyRouteDeps): void {
  app.get(
    '/api/v1/keys',
    {
      schema: {
        operationId: 'listKeys',
        summary: 'List keys',
        tags: ['Keys'],
        description: 'Every key there ever was, oldest first.',
        response: { 200: KeyList },
      },
      onRequest: adminOnly,
    },
    async () => {
      await settled();
      return { keys: keys.list() };
    },
  );

  app.post(
    '/api/v1/keys',
    {
      schema: {
        operationId: 'createKey',
        summary: 'Make a key',
        tags: ['Keys'],
        description: '`apiKey` is the key itself, told this once.',
        errors: ['workspace_not_found', 'conflict'],
        body: CreateKeyBody,
        response: { 201: CreatedKey },
      },
      onRequest: adminOnly,
      preValidation: absentBodyIsEmpty,
    },
    async (request, reply) =>
      reply
        .code(201)
        .header('cache-control', 'no-store')
        .send(await keys.create(request.body)),
  );

  app.get(
    '/api/v1/keys/local',
    {
      schema: {
        operationId: 'getLocalKey',
        summary: 'Read the local key',
        tags: ['Keys'],
        response: { 200: LocalKey },
      },
      onRequest: adminOnly,
    },
    async (_request, reply) => {
      return reply.header('cache-control', 'no-store').send({ apiKey: keys.localKey });
    },
  );

  app.post(
    '/api/v1/keys/local/rotate',
    {
      schema: {
        operationId: 'rotateLocalKey',
        summary: 'Replace the local key',
        tags: ['Keys'],
        description:
          'The old one is worthless from then on, and `connection.json` holds the new one. All that was signed in with it ends, but for the browser that asked.',
        response: { 200: LocalKey },
      },
      onRequest: adminOnly,
    },
    async (request, reply) => {
      // The browser that asked for it, and is about to show the new key, isn't thrown out by that.
      const tie = sessions.tieOf(bearerOf(request.headers.authorization) ?? '');
      const apiKey = await keys.rotateLocalKey(tie);
      // Where the disk refuses just now, that browser needs a link after the next restart; the new key must be told.
      if (tie !== null) await browsers.save(tie).catch(() => undefined);
      return reply.header('cache-control', 'no-store').send({ apiKey });
    },
  );

  app.patch(
    '/api/v1/keys/:keyId',
    {
      schema: {
        operationId: 'updateKey',
        summary: 'Change a key',
        tags: ['Keys'],
        description: 'What is absent stays as it is.',
        errors: ['conflict'],
        params: KeyParams,
        body: UpdateKeyBody,
        response: { 200: UpdatedKey },
      },
      onRequest: adminOnly,
      preValidation: absentBodyIsEmpty,
    },
    async (request, reply) =>
      reply.header('cache-control', 'no-store').send(await keys.update(request.params.keyId, request.body)),
  );

  app.delete(
    '/api/v1/keys/:keyId',
    {
      schema: {
        operationId: 'revokeKey',
        summary: 'Revoke a key',
        tags: ['Keys'],
        description:
          'It is out of force for good, and stays in the list. The local key can’t be revoked, only replaced.',
        errors: ['conflict'],
        params: KeyParams,
        response: { 200: KeyAnswer },
      },
      onRequest: adminOnly,
    },
    async (request) => {
      const key = await keys.revoke(request.params.keyId);
      if (key === null) throw new AppError('key_not_found');
      return { key };
    },
  );
}
