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
import type { LocalKeyHolder } from '../auth/local-key.ts';
import type { Sessions } from '../auth/sessions.ts';
import { createEndpoints, type App } from '../plugins/endpoints.ts';

/** Dependencies. */
export interface KeyRouteDeps {
  keys: KeyService;
  localKey: LocalKeyHolder;
  sessions: Sessions;
  browsers: Browsers;
  settled: () => Promise<void>;
}

/**
 * Managing API keys. `workspaceId` in the body of a new key is the workspace that the key is limited to: these requests are
 * about no workspace.
 */
export function setupKeyRoutes(
  app: App,
  { keys, localKey, sessions, browsers, settled }: KeyRouteDeps,
): void {
  const api = createEndpoints(app, 'Keys', { access: 'admin' });
  api.get('/api/v1/keys', 'listKeys', 'List keys', {
    description: 'All keys ever created, oldest first.',
    response: { 200: KeyList },
    handle: async () => {
      await settled();
      return { keys: keys.list() };
    },
  });

  api.post('/api/v1/keys', 'createKey', 'Create a key', {
    description: '`apiKey` is the key itself. It is only sent this once.',
    errors: ['workspace_not_found', 'conflict'],
    body: CreateKeyBody,
    response: { 201: CreatedKey },
    handle: async ({ body, reply }) =>
      reply.header('cache-control', 'no-store').send(await keys.create(body)),
  });

  api.get('/api/v1/keys/local', 'getLocalKey', 'Read the local key', {
    response: { 200: LocalKey },
    handle: ({ reply }) => reply.header('cache-control', 'no-store').send({ apiKey: localKey.text }),
  });

  api.post('/api/v1/keys/local/rotate', 'rotateLocalKey', 'Replace the local key', {
    description:
      'The old key stops working at once, and `connection.json` holds the new one. Everything that signed in with the old key is signed out, except the browser that sent the request.',
    response: { 200: LocalKey },
    handle: async ({ request, reply }) => {
      // The browser that asked for it, and is about to show the new key, stays signed in.
      const owner = sessions.ownerOf(bearerOf(request.headers.authorization) ?? '');
      const apiKey = await localKey.rotate(owner);
      // If the disk refuses now, that browser needs a link after the next restart; the new key must be returned anyway.
      if (owner !== null) await browsers.save(owner).catch(() => undefined);
      return reply.header('cache-control', 'no-store').send({ apiKey });
    },
  });

  api.patch('/api/v1/keys/:keyId', 'updateKey', 'Change a key', {
    description: 'Absent fields stay as they are.',
    errors: ['conflict'],
    body: UpdateKeyBody,
    response: { 200: UpdatedKey },
    handle: async ({ params, body, reply }) =>
      reply.header('cache-control', 'no-store').send(await keys.update(params.keyId, body)),
  });

  api.delete('/api/v1/keys/:keyId', 'revokeKey', 'Revoke a key', {
    description:
      'The key stops working for good, but stays in the list. The local key can’t be revoked, only replaced.',
    errors: ['conflict'],
    response: { 200: KeyAnswer },
    result: ({ params }) => keys.revoke(params.keyId),
  });
}
