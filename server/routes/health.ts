import { Health } from '../../shared/api/health.ts';
import type { App } from './route.ts';

/** `GET /health`: open to all on this computer; says that the service is up and which version, nothing else. */
export function setupHealthRoute(app: App, version: string): void {
  app.get('/health', { schema: { response: { 200: Health } } }, (_request, reply) => {
    reply.send({ status: 'ok', version });
  });
}
