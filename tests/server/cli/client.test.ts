import { createServer } from 'node:http';
import { once } from 'node:events';
import { expect, it, onTestFinished, vi } from 'vitest';
import { connect } from '../../../server/cli/client.ts';
import { NoServiceError } from '../../../server/cli/find-service.ts';

it('gives up a service that takes a question and never answers', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as { port: number };
  const client = await connect({ dataDir: '', url: `http://127.0.0.1:${port}`, key: 'parley_x' });
  const refused = expect(client.get('/api/v1/chats')).rejects.toThrow(NoServiceError);
  await once(server, 'request');
  vi.advanceTimersByTime(60_000);
  await refused;
});
