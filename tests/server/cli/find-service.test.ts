import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findService, NoServiceError } from '../../../server/cli/find-service.ts';
import { createTempDir, startTestService } from '../../support/service.ts';

/** Why no service was found. */
async function refusal(dataDir: string, signal?: AbortSignal): Promise<string> {
  const error = await findService(dataDir, signal).catch((reason: unknown) => reason);
  if (!(error instanceof NoServiceError)) throw error;
  return error.message;
}

/** A data folder whose Parley was killed, with another program at its port; returns what that was asked, too. */
async function takenOver(answer: RequestListener): Promise<{ dataDir: string; seen: unknown[] }> {
  const { service } = await startTestService();
  const { dataDir } = service;
  const left = JSON.parse(await readFile(join(dataDir, 'connection.json'), 'utf8')) as object;
  await service.close();
  const seen: unknown[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization);
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as { port: number };
  const connection = { ...left, baseUrl: `http://127.0.0.1:${port}` };
  await writeFile(join(dataDir, 'connection.json'), JSON.stringify(connection));
  return { dataDir, seen };
}

describe('finding the service', () => {
  it('gives address and key of the one that has the data folder', async () => {
    const { service } = await startTestService();
    expect(await findService(service.dataDir)).toEqual({ baseUrl: service.url, apiKey: service.apiKey });
  });

  it('says what to do when none runs, never ran, or was killed', async () => {
    const { service } = await startTestService();
    const { dataDir } = service;
    const left = await readFile(join(dataDir, 'connection.json'), 'utf8');
    await service.close();
    expect(await refusal(dataDir)).toContain('Open the app or start the service (parley serve)');
    expect(await refusal(join(dataDir, 'nowhere'))).toContain("isn't running");
    await writeFile(join(dataDir, 'connection.json'), left);
    expect(await refusal(dataDir)).toContain("isn't running");
  });

  it.each([
    ['says it is well', '{"status":"ok","version":"0.1.0"}'],
    ['signs with another key', '{"status":"ok","signature":"AAAA"}'],
    ['speaks something else', '<html>'],
    ['says nothing', ''],
  ])('sends no key to another program that has the port and %s', async (_name, body) => {
    const { dataDir, seen } = await takenOver((_request, response) => response.end(body));
    expect(await refusal(dataDir)).toContain('is not the Parley of');
    expect(seen).toEqual([undefined]);
  });

  it('follows no other program elsewhere', async () => {
    const { dataDir, seen } = await takenOver((_request, response) =>
      response.writeHead(307, { location: '/elsewhere' }).end(),
    );
    expect(await refusal(dataDir)).toContain('is not the Parley of');
    expect(seen).toEqual([undefined]);
  });

  it('stops looking when told to', async () => {
    const { dataDir } = await takenOver(() => undefined);
    const reason = new Error('enough');
    await expect(findService(dataDir, AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  it.each(['', 'null', '[]', '{"baseUrl":"http://elsewhere.example:80","apiKey":"a","publicKey":"b"}'])(
    'says so when connection.json is %j',
    async (text) => {
      const dataDir = await createTempDir();
      await writeFile(join(dataDir, 'connection.json'), text);
      expect(await refusal(dataDir)).toContain('is invalid');
    },
  );

  it("says so when connection.json can't be read", async () => {
    const dataDir = await createTempDir();
    // A folder in its place: what even root can't read as a file.
    await mkdir(join(dataDir, 'connection.json'));
    expect(await refusal(dataDir)).toContain("can't be read (EISDIR). Something else has that name.");
  });
});
