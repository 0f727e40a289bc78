/** Requests to a model's server: where they are led, and how much of a refusal is read. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createModelFetch } from '../../../server/models/connected-model.ts';

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const ask = (url: string): Promise<Response> =>
  createModelFetch(
    { provider: 'openai_compatible', apiKey: 'sk-test-0123456789abcdef' },
    { onReport: () => undefined, onLife: () => undefined },
  )(url, { method: 'POST', body: '{"model":"m"}' });

it.each([307, 308])('a %i within the server is followed, with the body and the key', async (status) => {
  const origin = await serve((request, response) => {
    if (request.url === '/v1/chat') response.writeHead(status, { location: '/v1/chat/' }).end();
    else {
      response.setHeader('x-key', request.headers.authorization ?? '');
      request.pipe(response.writeHead(400));
    }
  });
  const answer = await ask(`${origin}/v1/chat`);
  expect(answer.headers.get('x-key')).toBe('Bearer sk-test-0123456789abcdef');
  expect(await answer.text()).toBe('{"model":"m"}');
});

it('other redirects and circles are named', async () => {
  const origin = await serve((request, response) => {
    const location = request.url === '/away' ? 'http://127.0.0.1:9/v1' : '/round';
    response.writeHead(request.url === '/get' ? 302 : 307, { location }).end();
  });
  const faults = { '/away': 'http://127.0.0.1:9', '/round': `${origin}/round`, '/get': `${origin}/round` };
  for (const [path, detail] of Object.entries(faults))
    await expect(ask(origin + path)).rejects.toMatchObject({ kind: 'redirected', detail });
});

it('of a refusal only the beginning is read', async () => {
  const origin = await serve((_, response) => {
    response.writeHead(422).end(`No.${' '.repeat(8_000_000)}`);
  });
  const text = await (await ask(`${origin}/v1/chat`)).text();
  expect([text.slice(0, 3), text.length]).toEqual(['No.', 65_536]);
});
