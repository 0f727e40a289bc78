import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify from 'fastify';
import { request, type ClientRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { setupLargeBodies } from '../../../server/plugins/large-bodies.ts';
import { MAX_BODY_BYTES, MAX_SEND_BYTES } from '../../../shared/limits.ts';
import { eventually } from '../../support/eventually.ts';

it('are read while there is room for them, and the next ones when one has ended, in order', async () => {
  const begun: string[] = [];
  const app = fastify().withTypeProvider<TypeBoxTypeProvider>();
  onTestFinished(() => app.close());
  setupLargeBodies(app);
  app.post('/:name', {
    bodyLimit: MAX_SEND_BYTES,
    preParsing: ({ url }, _reply, payload, done) => {
      begun.push(url);
      done(null, payload);
    },
    handler: async () => ({}),
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  /** Sends the beginning of a body. */
  const send = async (path: string, bytes: number): Promise<ClientRequest> => {
    const headers = { 'content-type': 'application/json', 'content-length': bytes };
    const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers });
    sent.on('error', () => undefined);
    onTestFinished(() => void sent.destroy());
    const arrived = new Promise((resolve) => app.server.once('request', resolve));
    sent.write('{');
    await arrived;
    return sent;
  };

  const [first] = [
    await send('/1', MAX_SEND_BYTES),
    await send('/2', MAX_SEND_BYTES),
    await send('/3', MAX_SEND_BYTES),
    await send('/4', MAX_SEND_BYTES - 2 * MAX_BODY_BYTES),
  ];
  const second = await send('/5', MAX_SEND_BYTES);
  await send('/6', MAX_BODY_BYTES + 1);
  await send('/small', MAX_BODY_BYTES);
  await eventually(() => expect(begun).toEqual(['/1', '/2', '/3', '/4', '/small']));

  first.destroy();
  await eventually(() => expect(begun.slice(5)).toEqual(['/5', '/6']));
  await send('/7', MAX_SEND_BYTES);
  const gone = await send('/8', MAX_SEND_BYTES);
  gone.destroy();
  second.destroy();
  await eventually(() => expect(begun.slice(7)).toEqual(['/7']));
});
