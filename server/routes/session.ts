import { PageLink, Session } from '../../shared/api/session.ts';
import { bearerOf } from '../auth/authenticator.ts';
import { callerOf } from '../auth/caller.ts';
import { digestOf } from '../auth/keys.ts';
import type { Returns } from '../auth/returns.ts';
import type { Sessions } from '../auth/sessions.ts';
import { AppError } from '../errors.ts';
import { adminOnly, type App } from './route.ts';

/** What signing in works with. */
export interface SessionRouteDeps {
  sessions: Sessions;
  returns: Returns;
  /** The workspace that pages open first. */
  firstWorkspaceId: string;
}

/**
 * Signing a page in: the one-time token of a link, the return token of an earlier session, or a key of scope `admin`
 * (which could make itself any other key) is exchanged for a session. What a key bought ends with that key.
 */
export function setupSessionRoutes(
  app: App,
  { sessions, returns, firstWorkspaceId }: SessionRouteDeps,
): void {
  app.post('/api/v1/session', { schema: { response: { 200: Session } } }, async (request, reply) => {
    const credential = bearerOf(request.headers.authorization) ?? '';
    const { kind, scope } = callerOf(request.raw);
    const isReturn = kind === 'page_token' && returns.isKnown(credential);
    if (kind !== 'page_token' && scope !== 'admin') {
      throw new AppError(
        'forbidden',
        'Only the token of a page link, or a key with the scope "admin", can be exchanged for a session.',
      );
    }
    const isOneTime = kind === 'page_token' && !isReturn;
    const keyDigest =
      kind === 'key' ? digestOf(credential) : (returns.keyOf(credential) ?? sessions.keyOf(credential));
    const apiKey = isOneTime ? sessions.exchange(credential) : sessions.open(keyDigest);
    // Another request was faster: the token was good when the guard looked.
    if (apiKey === null) throw new AppError('unauthorized');
    // A disk that refuses keeps nobody out: that page will need a link after the next restart.
    const returnToken = isReturn ? credential : await returns.create(keyDigest).catch(() => null);
    return reply
      .header('cache-control', 'no-store')
      .send({ apiKey, workspaceId: firstWorkspaceId, returnToken });
  });

  app.post(
    '/api/v1/page-link',
    { schema: { response: { 200: PageLink } }, onRequest: adminOnly },
    async (request, reply) => {
      const credential = bearerOf(request.headers.authorization) ?? '';
      const isKey = callerOf(request.raw).kind === 'key';
      const token = sessions.createToken(isKey ? digestOf(credential) : sessions.keyOf(credential));
      // Only the loopback interface is ever bound, so the page is where this request came in.
      const pageUrl = `http://127.0.0.1:${request.raw.socket.localPort ?? ''}/#token=${token}`;
      return reply.header('cache-control', 'no-store').send({ pageUrl });
    },
  );
}
