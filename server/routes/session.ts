import { Session } from '../../shared/api/session.ts';
import { bearerOf } from '../auth/authenticator.ts';
import { callerOf } from '../auth/caller.ts';
import type { Sessions } from '../auth/sessions.ts';
import { AppError } from '../errors.ts';
import type { App } from './route.ts';

/** Signing a page in: a one-time token is exchanged for a session key, bound to `workspaceId`. */
export function setupSessionRoutes(app: App, sessions: Sessions, workspaceId: string): void {
  app.post('/api/v1/session', { schema: { response: { 200: Session } } }, (request, reply) => {
    if (callerOf(request.raw).kind !== 'page_token') {
      throw new AppError(
        'forbidden',
        'Only the one-time token of a page link can be exchanged for a session.',
      );
    }
    const apiKey = sessions.exchange(bearerOf(request.headers.authorization) ?? '');
    // Another request was faster: the token was good when the guard looked.
    if (apiKey === null) throw new AppError('unauthorized');
    reply.header('cache-control', 'no-store').send({ apiKey, workspaceId });
  });
}
