import { Readable } from 'node:stream';
import fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { setupHeadRoutes } from '../../../server/plugins/head-routes.ts';
import type { App } from '../../../server/plugins/endpoints.ts';

it('a HEAD ends at once with the headers of its GET, and nothing of a stream is made for it', async () => {
  const app = fastify() as unknown as App;
  onTestFinished(() => app.close());
  let pieces = 0;
  const sent: Readable[] = [];
  async function* endless(): AsyncGenerator<string> {
    for (;;) {
      pieces += 1;
      yield await Promise.resolve('piece');
    }
  }
  setupHeadRoutes(app);
  app.get('/stream', async (_request, reply) => {
    const stream = Readable.from(endless());
    sent.push(stream);
    return reply.header('x-file', 'a').send(stream);
  });
  app.get('/text', async (_request, reply) => reply.send('text'));
  const answer = await app.inject({ method: 'HEAD', url: '/stream' });
  expect([answer.statusCode, answer.headers['x-file'], answer.body]).toEqual([200, 'a', '']);
  expect(sent.map(({ destroyed }) => destroyed)).toEqual([true]);
  const made = pieces;
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect([made, pieces]).toEqual([0, 0]);
  expect((await app.inject({ method: 'HEAD', url: '/text' })).headers['content-length']).toBe('4');
});
