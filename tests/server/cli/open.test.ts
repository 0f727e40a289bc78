import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openIdentity } from '../../../server/auth/identity.ts';
import { linkOfOwner } from '../../../server/cli/open.ts';
import type { Session } from '../../../shared/api/session.ts';
import { createTempDir, startTestService } from '../../support/service.ts';

/** A data folder whose connection.json names a server that proves to be its owner, and then answers as it likes. */
async function folderOf(answer: RequestListener, more: object = {}): Promise<string> {
  const dataDir = await createTempDir();
  const identity = await openIdentity(dataDir);
  const server = createServer((request, response) => {
    const nonce = new URL(request.url ?? '', 'http://x').searchParams.get('nonce');
    if (nonce === null) {
      answer(request, response);
      return;
    }
    response.end(
      JSON.stringify({ signature: identity.prove(nonce, `http://${request.headers.host ?? ''}`) }),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const { publicKey } = identity;
  const connection = { baseUrl: `http://127.0.0.1:${port}`, apiKey: 'a', publicKey, ...more };
  await writeFile(join(dataDir, 'connection.json'), JSON.stringify(connection));
  return dataDir;
}

describe('the link of an owner', () => {
  it('signs a page in', async () => {
    const api = await startTestService();
    const { service } = api;
    const link = await linkOfOwner(service.dataDir);
    expect(link?.startsWith(`${service.url}/#token=page_`)).toBe(true);
    const key = new URL(link ?? '').hash.replace('#token=', '');
    expect((await api.post('/api/v1/session', undefined, { key })).json<Session>().workspaceId).toBe(
      service.workspaceId,
    );
  });

  it('is none where there is no owner', async () => {
    const { service } = await startTestService();
    await service.close();
    expect(await linkOfOwner(service.dataDir)).toBeNull();
    expect(await linkOfOwner(join(service.dataDir, 'nowhere'))).toBeNull();
  });

  it.each(['', 'null', '[]', '{"baseUrl":7}', '{"baseUrl":"http://127.0.0.1:1","apiKey":"a"}'])(
    'is none where connection.json is %j',
    async (text) => {
      const dataDir = await createTempDir();
      await writeFile(join(dataDir, 'connection.json'), text);
      expect(await linkOfOwner(dataDir)).toBeNull();
    },
  );

  it('is none when what answers gives none, or one to somewhere else', async () => {
    for (const body of [
      '',
      '{}',
      'null',
      '{"pageUrl":7}',
      '{"pageUrl":"http://elsewhere.example/#token=a"}',
    ]) {
      expect(await linkOfOwner(await folderOf((_request, response) => response.end(body)))).toBeNull();
    }
    expect(
      await linkOfOwner(await folderOf((_request, response) => response.writeHead(401).end('{}'))),
    ).toBeNull();
  });

  it('is not asked for where another program has the port: it gets no key', async () => {
    const { publicKey } = await openIdentity(await createTempDir());
    const seen: unknown[] = [];
    const note: RequestListener = ({ method, url, headers }, response) => {
      seen.push(method, url, headers.authorization);
      response.end('{}');
    };
    expect(await linkOfOwner(await folderOf(note, { publicKey }))).toBeNull();
    expect(await linkOfOwner(await folderOf(note, { publicKey: undefined }))).toBeNull();
    expect(seen).toEqual([]);
  });

  it('is not waited for longer than two seconds', async () => {
    const began = performance.now();
    expect(await linkOfOwner(await folderOf(() => undefined))).toBeNull();
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  it('takes the key to no other computer, and follows no one there', async () => {
    let asked = 0;
    const count: RequestListener = (_request, response) => {
      asked += 1;
      response.end('{}');
    };
    for (const baseUrl of [
      'http://elsewhere.example:80',
      'http://127.0.0.1:80@elsewhere.example',
      'http://localhost:1',
    ]) {
      expect(await linkOfOwner(await folderOf(count, { baseUrl }))).toBeNull();
    }
    const other = createServer(count).listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const { port } = other.address() as { port: number };
    const location = `http://127.0.0.1:${port}/`;
    expect(
      await linkOfOwner(await folderOf((_request, response) => response.writeHead(307, { location }).end())),
    ).toBeNull();
    expect(asked).toBe(0);
  });
});
