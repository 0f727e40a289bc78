import { once } from 'node:events';
import { createServer as createTcpServer, connect, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import fastify from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { closeApp, listenOnLoopback, PortUnavailableError } from '../../../server/process/listening.ts';
import type { App } from '../../../server/plugins/endpoints.ts';
import { startTestService } from '../../support/service.ts';

function createApp(): App {
  const app = fastify().withTypeProvider<TypeBoxTypeProvider>();
  onTestFinished(() => closeApp(app));
  return app;
}

async function take(port: number, host = '127.0.0.1'): Promise<number> {
  const server: Server = createTcpServer().listen(port, host);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const range = (from: number, more: number): number[] =>
  Array.from({ length: more + 1 }, (_, index) => from + index);

describe('the port', () => {
  it('is the next free one when the first is taken', async () => {
    const taken = await take(0);
    const port = await listenOnLoopback(createApp(), range(taken, 20));
    expect(port).toBeGreaterThan(taken);
    expect(port).toBeLessThanOrEqual(taken + 20);
  });

  it('is any free one when the whole range is taken', async () => {
    const taken = await take(0);
    const port = await listenOnLoopback(createApp(), [taken, 0]);
    expect(port).not.toBe(taken);
    expect(port).toBeGreaterThan(0);
  });

  it('is from 4141 up unless one is chosen', async () => {
    const [first, second] = [await startTestService({ port: null }), await startTestService({ port: null })];
    expect(first.service.port).toBeGreaterThanOrEqual(4141);
    expect(second.service.port).not.toBe(first.service.port);
    expect((await second.get('/health')).status).toBe(200);
  });

  it('is never silently another than the chosen one', async () => {
    const taken = await take(0);
    await expect(listenOnLoopback(createApp(), [taken])).rejects.toThrow(PortUnavailableError);
    await expect(startTestService({ port: taken })).rejects.toThrow(`Port ${taken} is in use`);
  });

  it('is not one that another program has under the other address that browsers try for localhost', async (test) => {
    const taken = await take(0, '::1').catch(() => null);
    if (taken === null) return test.skip('there is no IPv6');
    await expect(listenOnLoopback(createApp(), [taken])).rejects.toThrow(PortUnavailableError);
    expect(await listenOnLoopback(createApp(), [taken, 0])).not.toBe(taken);
  });

  it('is answered at both addresses, until the service stops', async (test) => {
    const free = await take(0, '::1').catch(() => null);
    if (free === null) return test.skip('there is no IPv6');
    const app = createApp();
    app.get('/', () => 'here');
    const port = await listenOnLoopback(app, [0]);
    for (const host of ['127.0.0.1', 'localhost', '[::1]'])
      expect(await (await fetch(`http://${host}:${port}/`)).text()).toBe('here');
    await closeApp(app);
    await expect(fetch(`http://[::1]:${port}/`)).rejects.toThrow();
    expect(await listenOnLoopback(createApp(), [port])).toBe(port);
  });

  it('is bound on the loopback interface only', async () => {
    const { service } = await startTestService();
    const outside = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4');
    for (const address of ['127.0.0.2', ...outside.map(({ address }) => address)]) {
      const socket = connect(service.port, address);
      const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
      expect(error.code).toMatch(/ECONNREFUSED|EADDRNOTAVAIL|ENETUNREACH/);
    }
  });
});
