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
import { found } from '../errors.ts';
import { createEndpoints } from '../plugins/endpoints.ts';
import type { App } from '../plugins/route.ts';

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
  const api = createEndpoints(app, 'Keys', 'admin');
  api.get('/api/v1/keys', {
    operationId: 'listKeys',
    summary: 'List keys',
    description: 'Every key there ever was, oldest first.',
    response: { 200: KeyList },
    handle: async () => {
      await settled();
      return { keys: keys.list() };
    },
  });

  api.post('/api/v1/keys', {
    operationId: 'createKey',
    summary: 'Make a key',
    description: '`apiKey` is the key itself, told this once.',
    errors: ['workspace_not_found', 'conflict'],
    body: CreateKeyBody,
    response: { 201: CreatedKey },
    handle: async ({ body, reply }) =>
      reply.header('cache-control', 'no-store').send(await keys.create(body)),
  });

  api.get('/api/v1/keys/local', {
    operationId: 'getLocalKey',
    summary: 'Read the local key',
    response: { 200: LocalKey },
    handle: ({ reply }) => reply.header('cache-control', 'no-store').send({ apiKey: keys.localKey }),
  });

  api.post('/api/v1/keys/local/rotate', {
    operationId: 'rotateLocalKey',
    summary: 'Replace the local key',
    description:
      'The old one is worthless from then on, and `connection.json` holds the new one. All that was signed in with it ends, but for the browser that asked.',
    response: { 200: LocalKey },
    handle: async ({ request, reply }) => {
      // The browser that asked for it, and is about to show the new key, isn't thrown out by that.
      const tie = sessions.tieOf(bearerOf(request.headers.authorization) ?? '');
      const apiKey = await keys.rotateLocalKey(tie);
      // Where the disk refuses just now, that browser needs a link after the next restart; the new key must be told.
      if (tie !== null) await browsers.save(tie).catch(() => undefined);
      return reply.header('cache-control', 'no-store').send({ apiKey });
    },
  });

  api.patch('/api/v1/keys/:keyId', {
    operationId: 'updateKey',
    summary: 'Change a key',
    description: 'What is absent stays as it is.',
    errors: ['conflict'],
    params: KeyParams,
    body: UpdateKeyBody,
    response: { 200: UpdatedKey },
    handle: async ({ params, body, reply }) =>
      reply.header('cache-control', 'no-store').send(await keys.update(params.keyId, body)),
  });

  api.delete('/api/v1/keys/:keyId', {
    operationId: 'revokeKey',
    summary: 'Revoke a key',
    description:
      'It is out of force for good, and stays in the list. The local key can’t be revoked, only replaced.',
    errors: ['conflict'],
    params: KeyParams,
    response: { 200: KeyAnswer },
    handle: async ({ params }) => ({ key: found(await keys.revoke(params.keyId), 'key_not_found') }),
  });
}
