/** Pictures of other servers, which the service fetches when a person asks for one. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { CreatedKey } from '../../shared/api/key.ts';
import type { WebOptions } from '../../server/tools/web/fetch-guarded.ts';
import { outcome, startTestService, type TestAnswer, type TestService } from '../support/service.ts';
import { pngOf } from '../support/pictures.ts';
import { LOCAL, startWebServer, type WebServer } from '../support/web-server.ts';

const PNG = pngOf(40, 30);
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

const startWith = (web: WebOptions = LOCAL): Promise<TestService> => startTestService({ hostTools: { web } });
const pathOf = (url: string): string => `/api/v1/pictures?url=${encodeURIComponent(url)}`;
const ask = (service: TestService, url: string): Promise<TestAnswer> => service.get(pathOf(url));
const refusal = async (
  service: TestService,
  url: string,
  code: 'fetch_failed' | 'invalid_request' = 'fetch_failed',
): Promise<string> => {
  const answer = await ask(service, url);
  expect(outcome(answer)).toEqual([code === 'fetch_failed' ? 502 : 400, code]);
  return answer.error().message;
};

/** A server that has these, by their paths; a text is where it sends on to. */
const serve = (pictures: Record<string, Buffer | string>): Promise<WebServer> =>
  startWebServer(({ url = '' }, response) => {
    const picture = pictures[url];
    if (typeof picture === 'string') response.writeHead(302, { location: picture }).end();
    else if (picture === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'text/html' }).end(picture);
  });

describe('a picture of another server', () => {
  it('is what its bytes say, whatever its server calls it, and is sent so that nothing opens it as a page', async () => {
    const { origin, seen } = await serve({
      '/a%20cat.png?x=1': PNG,
      '/300': Buffer.from('\xff\xd8\xff', 'latin1'),
    });
    const service = await startWith();
    const answer = await ask(service, `${origin}/a%20cat.png?x=1#part`);
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(PNG.length),
      'content-disposition': expect.stringContaining('a%20cat.png') as string,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'no-store',
    });
    expect(answer.status).toBe(200);
    expect((await ask(service, `${origin}/300`)).headers['content-disposition']).toContain('300.jpeg');
    // Nothing tells who asks, or from where.
    expect(Object.keys(seen[0]?.headers ?? {}).sort()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ]);
    const requests = (await service.get('/api/v1/requests')).text;
    expect(requests).toContain('/api/v1/pictures?url=…');
    expect(requests).not.toContain('cat.png');
  });

  it('is nothing else: no drawing with scripts, no page, nothing too large, nothing that takes too long', async () => {
    const server = await startWebServer(({ url }, response) => {
      response.writeHead(200, {
        'content-type': 'image/png',
        ...(url === '/bomb' && { 'content-encoding': 'gzip' }),
      });
      if (url === '/svg') response.end(SVG);
      if (url === '/empty') response.end();
      if (url === '/large') response.end(Buffer.concat([PNG, Buffer.alloc(60_000)]));
      if (url === '/bomb') response.end(gzipSync(Buffer.concat([PNG, Buffer.alloc(30_000_000)])));
    });
    const service = await startWith({ ...LOCAL, maxBytes: 50_000 });
    expect(await refusal(service, `${server.origin}/svg`)).toContain(
      'is not a PNG, JPEG, WebP or GIF picture',
    );
    expect(await refusal(service, `${server.origin}/empty`)).toContain(
      'is not a PNG, JPEG, WebP or GIF picture',
    );
    expect(await refusal(service, `${server.origin}/large`)).toContain('is larger than');
    expect(await refusal(service, `${server.origin}/bomb`)).toContain('is larger than');
    const impatient = await startWith({ ...LOCAL, timeoutMs: 300 });
    expect(await refusal(impatient, `${server.origin}/silent`)).toContain('The picture took longer than');
  });

  it('may lie with another site, but not inside, and not without an end', async () => {
    const pictures = {
      '/near': '/there.png',
      '/there.png': PNG,
      '/file': 'file:///etc/passwd',
      '/round': '/round',
      '/far': '',
      '/inside': '',
    };
    const server = await serve(pictures);
    pictures['/far'] = `http://elsewhere.test:${server.port}/there.png`;
    pictures['/inside'] = `http://inside.test:${server.port}/there.png`;
    const resolve = (host: string) =>
      Promise.resolve([{ address: host === 'inside.test' ? '10.0.0.1' : '127.0.0.1', family: 4 }]);
    const service = await startWith({ ...LOCAL, resolve });
    for (const path of ['/near', '/far'])
      expect((await ask(service, server.origin + path)).headers['content-type']).toBe('image/png');
    const asked = server.seen.length;
    expect(await refusal(service, `${server.origin}/inside`, 'invalid_request')).toContain(
      '“inside.test” is on this computer or in a private network',
    );
    expect(server.seen).toHaveLength(asked + 1);
    expect(await refusal(service, `${server.origin}/file`, 'invalid_request')).toContain('no address');
    expect(await refusal(service, `${server.origin}/round`)).toContain('redirects too many times');
    expect(await refusal(service, `${server.origin}/none`)).toContain('answered 404 Not Found');
  });

  it('is never one of this computer or the network around it', async () => {
    const { port, seen } = await serve({ '/there.png': PNG });
    const service = await startTestService();
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '2130706433'])
      expect(await refusal(service, `http://${host}:${port}/there.png`, 'invalid_request')).toMatch(
        /private network|There is no/,
      );
    expect(await refusal(service, 'data:image/png;base64,aaaa', 'invalid_request')).toContain('no address');
    expect(await refusal(service, 'http://ana:key@site.test/x.png', 'invalid_request')).toContain(
      'a name or a password',
    );
    expect(outcome(await service.get('/api/v1/pictures'))).toEqual([400, 'invalid_request']);
    expect(seen).toEqual([]);
  });

  it('takes a key that may both reach out and approve', async () => {
    const server = await serve({ '/there.png': PNG });
    const service = await startWith();
    const { workspaceId } = service.service;
    const tried = async (rights: object): Promise<TestAnswer> => {
      const key = await service.post('/api/v1/keys', { name: 'program', workspaceId, ...rights });
      return service.get(pathOf(`${server.origin}/there.png`), { key: key.json<CreatedKey>().apiKey });
    };
    expect(outcome(await tried({}))).toEqual([403, 'reach_required']);
    expect(outcome(await tried({ approve: true }))).toEqual([403, 'reach_required']);
    expect(outcome(await tried({ reach: true }))).toEqual([403, 'approve_required']);
    expect(outcome(await service.get(pathOf(server.origin), { key: null }))).toEqual([401, 'unauthorized']);
    expect(server.seen).toEqual([]);
    expect((await tried({ reach: true, approve: true })).status).toBe(200);
    expect((await tried({ scope: 'admin' })).status).toBe(200);
  });
});
