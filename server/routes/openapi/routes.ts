import { Type } from 'typebox';
import type { KnownRoutes } from '../../plugins/known-routes.ts';
import type { App } from '../../plugins/endpoints.ts';

/** Dependencies of this route. */
export interface OpenApiDeps {
  version: string;
  routes: KnownRoutes;
}

/** `GET /openapi.json`: the API's document, made on the first request for it. */
export function setupOpenApiRoute(app: App, { version, routes }: OpenApiDeps): void {
  let document: Promise<string> | null = null;
  const describe = async (): Promise<string> => {
    const { describeApi } = await import('./document.ts');
    return JSON.stringify(describeApi(routes.list, version));
  };

  app.get(
    '/openapi.json',
    {
      schema: {
        operationId: 'getOpenApi',
        summary: 'Read this document',
        description: 'Needs no key and holds no secrets.',
        tags: ['Service'],
        answers: { 200: { content: { 'application/json': Type.Record(Type.String(), Type.Unknown()) } } },
      },
    },
    async (_request, reply) =>
      reply
        .type('application/json; charset=utf-8')
        .header('cache-control', 'no-cache')
        .send(await (document ??= describe())),
  );
}
