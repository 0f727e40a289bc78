import type { FastifyRequest } from 'fastify';
import {
  PageLink,
  Session,
  SessionAnswer,
  SessionBody,
  SessionList,
  type SignedInBrowser,
} from '../../shared/api/session.ts';
import { bearerOf } from '../auth/authenticator.ts';
import { browserName } from '../auth/browser-name.ts';
import type { Browsers } from '../auth/browsers.ts';
import type { Caller } from '../auth/caller.ts';
import { readPublicKey, type Identity } from '../auth/identity.ts';
import type { KeyService } from '../auth/key-service.ts';
import { digestOf } from '../auth/keys.ts';
import type { LocalKeyHolder } from '../auth/local-key.ts';
import type { Sessions, SessionOwner } from '../auth/sessions.ts';
import { AppError, invalidField } from '../errors.ts';
import type { StoredBrowser } from '../store/browser-repository.ts';
import { createEndpoints, type App } from '../plugins/endpoints.ts';
import { ownAddressOf } from '../plugins/request-path.ts';

/** Dependencies of these routes. */
export interface SessionRouteDeps {
  sessions: Sessions;
  browsers: Browsers;
  keys: KeyService;
  localKey: LocalKeyHolder;
  identity: Identity;
  /** The workspace that pages open first. */
  firstWorkspaceId: string;
}

/**
 * Signing a page in: the one-time token of a link, a returning browser's signature, or a key is exchanged for a session,
 * which may do what the key may and ends with it. A link depends on the key that asked for it, or on the local key.
 */
export function setupSessionRoutes(app: App, deps: SessionRouteDeps): void {
  const api = createEndpoints(app, 'Sessions');
  const { sessions, browsers, keys, localKey, identity, firstWorkspaceId } = deps;
  const bearer = ({ headers }: FastifyRequest): string => bearerOf(headers.authorization) ?? '';
  const ownerOf = (request: FastifyRequest): SessionOwner | null => sessions.ownerOf(bearer(request));
  const localDigest = (): string => digestOf(localKey.text);

  /** What a credential's session depends on before a browser is registered; throws if its token was used meanwhile. */
  const redeem = (kind: Caller['kind'], credential: string): SessionOwner => {
    if (kind === 'key') return { browserId: null, keyDigest: digestOf(credential) };
    const keyDigest = kind === 'page_token' ? sessions.exchange(credential) : null;
    const owner =
      keyDigest === null
        ? (browsers.use(credential) ?? sessions.ownerOf(credential))
        : { browserId: null, keyDigest };
    if (owner === null) throw new AppError('unauthorized');
    return owner;
  };

  api.post('/api/v1/session', 'openSession', 'Sign in', {
    description:
      'Send as the bearer token: the one-time token of a page link, what a browser that signed in before has signed, or any key. The response is a session that may do what the key may, and ends with it.',
    body: SessionBody,
    response: { 200: Session },
    handle: async ({ body, caller, request, reply }) => {
      const { publicKey } = body;
      if (publicKey !== undefined && readPublicKey(publicKey) === null) {
        throw invalidField('publicKey', '"publicKey" must be a P-256 key as SPKI in base64url.');
      }
      let owner = redeem(caller.kind, bearer(request));
      if (publicKey !== undefined && owner.browserId === null) {
        const browser = {
          publicKey,
          address: ownAddressOf(request),
          name: browserName(request.headers['user-agent']),
          keyDigest: owner.keyDigest ?? localDigest(),
        };
        // If the disk refuses, the browser is signed in anyway, but needs a link after the next restart.
        owner = await browsers.register(browser).catch(() => owner);
      }
      const apiKey = sessions.open(owner);
      const { scope, workspaceId } = sessions.find(digestOf(apiKey)) ?? caller;
      return reply.header('cache-control', 'no-store').send({
        apiKey,
        workspaceId: workspaceId ?? firstWorkspaceId,
        scope,
        serverKey: identity.publicKey,
        browserId: owner.browserId,
      });
    },
  });

  const toSession = (browser: StoredBrowser, owner: SessionOwner | null): SignedInBrowser[] => {
    const { id, name, keyDigest, createdAt, lastUsedAt } = browser;
    const key = keys.findByDigest(keyDigest);
    return key === null ? [] : [{ id, name, key, createdAt, lastUsedAt, current: id === owner?.browserId }];
  };
  const listSessions = (owner: SessionOwner | null): SignedInBrowser[] =>
    browsers.list().flatMap((browser) => toSession(browser, owner));

  api.get('/api/v1/sessions', 'listSessions', 'List signed-in browsers', {
    description: 'Browsers that stay signed in over a restart, most recently used first.',
    response: { 200: SessionList },
    access: 'admin',
    handle: async ({ request }) => {
      return { sessions: listSessions(ownerOf(request)) };
    },
  });

  api.delete('/api/v1/sessions/:sessionId', 'endSession', 'Sign a browser out', {
    response: { 200: SessionAnswer },
    access: 'admin',
    handle: async ({ params, request }) => {
      const owner = ownerOf(request);
      const ended = await browsers.end(params.sessionId);
      const [session] = ended === null ? [] : toSession(ended, owner);
      if (session === undefined) throw new AppError('session_not_found');
      sessions.end(session.id);
      return { session };
    },
  });

  api.delete('/api/v1/sessions', 'endOtherSessions', 'Sign all other browsers out', {
    description: 'The response lists the remaining browsers.',
    response: { 200: SessionList },
    access: 'admin',
    handle: async ({ request }) => {
      const owner = ownerOf(request);
      await browsers.endOthers(owner?.browserId ?? null);
      sessions.endOthers(owner);
      return { sessions: listSessions(owner) };
    },
  });

  api.post('/api/v1/page-link', 'createPageLink', 'Create a link that opens the chat page', {
    description:
      'The link opens the page signed in, once. That session ends with the key that created the link.',
    response: { 200: PageLink },
    access: 'admin',
    handle: async ({ caller, request, reply }) => {
      const isKey = caller.kind === 'key';
      const keyDigest = isKey ? digestOf(bearer(request)) : ownerOf(request)?.keyDigest;
      const token = sessions.createToken(keyDigest ?? localDigest());
      // Only the loopback interface is ever bound, so the page is where this request came in.
      const pageUrl = `http://127.0.0.1:${request.raw.socket.localPort ?? ''}/#token=${token}`;
      return reply.header('cache-control', 'no-store').send({ pageUrl });
    },
  });
}
