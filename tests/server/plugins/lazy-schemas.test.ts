import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lazySchemas, setupLazySchemas } from '../../../server/plugins/lazy-schemas.ts';
import type { App } from '../../../server/plugins/endpoints.ts';
import { appOfRoutes } from '../../support/api-document.ts';

async function allRoutes(): Promise<App> {
  const app = await appOfRoutes();
  onTestFinished(() => app.close());
  return app;
}

function emptyApp(): App {
  const app = fastify({
    ajv: { customOptions: { keywords: ['expected'] } },
  }).withTypeProvider<TypeBoxTypeProvider>();
  onTestFinished(() => app.close());
  return app;
}

describe('the schemas of the service', () => {
  it('can all be compiled', async () => {
    const schemas = lazySchemas(await allRoutes());
    expect(schemas.filter(({ kind }) => kind === 'request').length).toBeGreaterThan(20);
    expect(schemas.filter(({ kind }) => kind === 'answer').length).toBeGreaterThan(20);
    for (const { compile } of schemas) compile();
  });

  it('are JSON schemas: none holds a keyword with a value that makes no sense', async () => {
    const strict = emptyApp();
    for (const [index, { kind, schema }] of lazySchemas(await allRoutes()).entries()) {
      const part = kind === 'request' ? { body: schema } : { response: { 200: schema } };
      strict.post(`/${index}`, { schema: part }, async () => null);
    }
    await strict.ready();
  });
});

describe('a schema that is compiled when it is first needed', () => {
  const listed = { schema: { querystring: { type: 'object' }, response: { 200: { type: 'object' } } } };
  const body = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] };
  const answer = { type: 'object', properties: { a: { type: 'integer' } } };

  it('checks requests and shapes answers as any other, the second time as the first', async () => {
    const app = emptyApp();
    setupLazySchemas(app);
    app.get('/api/v1/chats', listed, async () => ({}));
    app.post('/x', { schema: { body, response: { 200: answer } } }, async () => ({ a: 1, secret: 2 }));
    for (let round = 0; round < 2; round += 1) {
      const good = await app.inject({ method: 'POST', url: '/x', payload: { a: 1 } });
      expect([good.statusCode, good.json()]).toEqual([200, { a: 1 }]);
      const bad = await app.inject({ method: 'POST', url: '/x', payload: { a: 'x' } });
      expect([bad.statusCode, bad.json<{ message: string }>().message]).toEqual([
        400,
        'body/a must be integer',
      ]);
    }
  });

  it('is compiled once for all routes and services with equal ones', async () => {
    const compiledBy = async (changed: object): Promise<unknown[]> => {
      const app = emptyApp();
      setupLazySchemas(app);
      for (const url of ['/x', '/y'])
        app.post(
          url,
          { schema: structuredClone({ body: { ...body, ...changed }, response: { 200: answer } }) },
          () => ({ a: 1 }),
        );
      await app.ready();
      return lazySchemas(app).map(({ compile }) => compile());
    };
    const first = await compiledBy({});
    const second = await compiledBy({});
    const other = await compiledBy({ required: [] });
    expect([first.length, new Set([...first, ...second]).size]).toEqual([4, 2]);
    expect(new Set([...first, ...other]).size).toBe(3);
  });

  it('fails only its own route when it is broken', async () => {
    const app = emptyApp();
    setupLazySchemas(app);
    app.get('/api/v1/chats', listed, async () => ({}));
    app.post('/broken', { schema: { body: { type: 'no such type' } } }, async () => ({}));
    expect((await app.inject('/api/v1/chats')).statusCode).toBe(200);
    expect((await app.inject({ method: 'POST', url: '/broken', payload: {} })).statusCode).toBe(500);
    expect(() => lazySchemas(app).forEach(({ compile }) => compile())).toThrow();
  });

  it('is compiled alone where none was before', async () => {
    const app = emptyApp();
    setupLazySchemas(app);
    app.post('/x', { schema: { body } }, async () => ({}));
    expect((await app.inject({ method: 'POST', url: '/x', payload: { a: 1 } })).statusCode).toBe(200);
    expect((await app.inject({ method: 'POST', url: '/x', payload: {} })).statusCode).toBe(400);
  });
});
