import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { WebOptions } from '../../../../server/tools/web/fetch-guarded.ts';
import { readHtmlApart } from '../../../../server/tools/web/html-reader.ts';
import { createWebTools } from '../../../../server/tools/web/web-tools.ts';
import { callToolsOf } from '../../../support/call-tools.ts';
import { toolContext } from '../../../support/tool-context.ts';
import { resolveLocally, startWebServer, type WebServer } from '../../../support/web-server.ts';

const LOCAL: WebOptions = { resolve: resolveLocally, isAllowed: (address) => address === '127.0.0.1' };
const web = (options: WebOptions = LOCAL) => callToolsOf(createWebTools({ isOn: () => true, options }));
const fetchPage = (url: string, options?: WebOptions) => web(options).run('fetch_page', { url });
const refusal = (url: string, options?: WebOptions) => web(options).refusal('fetch_page', { url });

/** A server that answers each path with a body of a type. */
const serve = (pages: Record<string, [type: string, body: string | Buffer]>): Promise<WebServer> =>
  startWebServer((request, response) => {
    const [type, body] = pages[request.url ?? ''] ?? [];
    if (type === undefined) response.writeHead(404).end('nothing');
    else response.writeHead(200, type === '' ? {} : { 'content-type': type }).end(body);
  });

describe('fetch_page', () => {
  it('is there only while it is turned on, asks, and says what it would do', async () => {
    let isOn = false;
    const source = createWebTools({ isOn: () => isOn });
    const list = () => source.list(['orchestrator']);
    expect(await list()).toEqual([]);
    isOn = true;
    const [tool] = await list();
    expect(tool).toMatchObject({ name: 'fetch_page', asks: 'always', changes: false });
    expect((await tool?.describe?.({ url: 'https://example.com/a?b=c' }))?.summary).toBe(
      'Fetches this page from example.com, which learns this computer’s network address: https://example.com/a?b=c',
    );
    expect((await tool?.describe?.({ url: 'file:///etc/passwd' }))?.summary).toContain('This can’t be done');
    isOn = false;
    const run = tool?.run({ url: 'https://example.com' }, toolContext());
    await expect(run).rejects.toThrow('turned off in Settings');
  });

  it('gives a page as text with its links, and sends nothing that tells who asks', async () => {
    const html = `<!doctype html><html><head><title>Bread &amp; butter </title><style>p{}</style>
      <script>alert(1)</script></head><body><h1>Bread</h1><p>Flour, <a href="/water#x">water</a> and
      <a href="javascript:alert(1)">salt</a>.</p><ul><li>knead</li><li>bake</li></ul>
      <table><tr><th>Hours</th></tr><tr><td>12</td></tr></table><img src=x alt=y></body></html>`;
    const server = await serve({ '/bread?a=1': ['text/html; charset=utf-8', html] });
    const page = await fetchPage(`${server.origin}/bread?a=1#crust`);
    expect(page).toMatchObject({ url: `${server.origin}/bread?a=1`, title: 'Bread & butter', cut: false });
    expect(page.text).toContain(`Flour, water (${server.origin}/water#x) and salt.`);
    expect(page.text).toMatch(/^Bread\n[\s\S]*\* knead\n \* bake\n[\s\S]*Hours\n12$/);
    expect(JSON.stringify(page)).not.toContain('alert');
    const [request] = server.seen;
    expect(Object.keys(request?.headers ?? {}).sort()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ]);
    expect(request).toMatchObject({ method: 'GET', headers: { host: `site.test:${server.port}` } });
  });

  it('gives other texts as they are, and refuses what is none, in words', async () => {
    const server = await serve({
      '/data.json': ['application/json', '{"a": 1}'],
      '/feed': ['application/atom+xml', '<feed/>'],
      '/empty': ['text/plain', ''],
      '/unsaid': ['', '<!DOCTYPE html><title>Unsaid</title><p>hi'],
      '/unsaid.bin': ['', Buffer.from([0, 255, 1])],
      '/x.png': ['image/png', 'x'],
      '/x.pdf': ['application/pdf', 'x'],
      '/x.zip': ['application/zip', 'x'],
      '/x.bin': ['application/octet-stream', 'x'],
    });
    const { origin } = server;
    expect(await fetchPage(`${origin}/data.json`)).toMatchObject({ title: null, text: '{"a": 1}' });
    expect(await fetchPage(`${origin}/feed`)).toMatchObject({ text: '<feed/>' });
    expect(await fetchPage(`${origin}/empty`)).toMatchObject({ text: '', cut: false });
    expect(await fetchPage(`${origin}/unsaid`)).toMatchObject({ title: 'Unsaid', text: 'hi' });
    expect(await refusal(`${origin}/unsaid.bin`)).toContain('it isn’t text');
    expect(await refusal(`${origin}/x.png`)).toContain('a picture (image/png)');
    expect(await refusal(`${origin}/x.pdf`)).toContain('a PDF document');
    expect(await refusal(`${origin}/x.zip`)).toContain('an archive');
    expect(await refusal(`${origin}/x.bin`)).toContain('a file (application/octet-stream)');
    expect(await refusal(`${origin}/none`)).toBe(`“site.test:${server.port}” answered 404 Not Found.`);
  });

  it.each([
    ['its header', 'text/plain; charset=ISO-8859-1', Buffer.from('caf\xe9', 'latin1')],
    ['its own word', 'text/html', Buffer.from('<meta charset="windows-1252"><p>caf\xe9', 'latin1')],
    ['its mark', 'text/plain; charset=latin1', Buffer.from('\ufeffcafé', 'utf8')],
    ['its mark, in UTF-16', 'text/plain', Buffer.from('\ufeffcafé', 'utf16le')],
    ['a name that nobody knows', 'text/plain; charset=klingon', Buffer.from('café')],
  ])('reads characters by %s', async (_what, type, body) => {
    const server = await serve({ '/': [type, body] });
    expect(await fetchPage(`${server.origin}/`)).toMatchObject({ text: 'café' });
  });

  it('loses no Korean that only Windows has, and marks what isn’t text', async () => {
    const body = Buffer.from('8c63bee4b2e120ff', 'hex');
    const server = await serve({ '/': ['text/plain; charset=euc-kr', body] });
    expect(await fetchPage(`${server.origin}/`)).toMatchObject({ text: '똠얌꿍 \ufffd' });
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('unpacks %s, and stops at its bound however small it was packed', async (coding, pack) => {
    const server = await startWebServer((request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': coding });
      response.end(pack(request.url === '/small' ? 'hello' : Buffer.alloc(30_000_000, 'a')));
    });
    expect(await fetchPage(`${server.origin}/small`)).toMatchObject({ text: 'hello', cut: false });
    const bomb = await fetchPage(`${server.origin}/bomb`);
    expect(bomb).toMatchObject({ cut: true, note: expect.stringContaining('goes on') as string });
    expect((bomb.text as string).length).toBe(60_000);
  });

  it('says that packed data is damaged, and reads what is packed in no known way as it came', async () => {
    const server = await startWebServer((request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': request.url?.slice(1) });
      response.end('not packed at all');
    });
    expect(await refusal(`${server.origin}/gzip`)).toContain('damaged');
    expect(await refusal(`${server.origin}/zstd`)).toContain('damaged');
    for (const word of ['none', 'utf-8', 'lzma'])
      expect(await fetchPage(`${server.origin}/${word}`, LOCAL)).toMatchObject({ text: 'not packed at all' });
  });

  it('reads only the beginning of an endless page', async () => {
    const server = await startWebServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      const write = (): void => {
        while (!response.destroyed && response.write('lorem ipsum '.repeat(1_000)));
      };
      response.on('drain', write);
      write();
    });
    expect(await fetchPage(server.origin, { ...LOCAL, maxBytes: 5_000 })).toMatchObject({ cut: true });
  });
});

describe('redirects', () => {
  const redirect = (locations: Record<string, string>): Promise<WebServer> =>
    startWebServer((request, response) => {
      const location = locations[request.url ?? ''];
      if (location === undefined) response.writeHead(200, { 'content-type': 'text/plain' }).end('there');
      else response.writeHead(302, { location }).end();
    });

  it('within a host are followed, five at most', async () => {
    const server = await redirect({ '/a': '/b', '/b': './c?x=1', '/round': '/round' });
    expect(await fetchPage(`${server.origin}/a`)).toMatchObject({
      url: `${server.origin}/c?x=1`,
      text: 'there',
    });
    expect(await refusal(`${server.origin}/round`)).toContain('redirects too many times');
    expect(server.seen.filter(({ path }) => path === '/round')).toHaveLength(6);
  });

  it('to another host, or port, are told instead, for a person to be asked again', async () => {
    const server = await redirect({
      '/host': 'https://elsewhere.test/page',
      '/port': 'http://site.test:1/',
      '/sub': 'http://www.site.test/',
    });
    for (const [path, to] of [
      ['/host', 'https://elsewhere.test/page'],
      ['/port', 'http://site.test:1/'],
      ['/sub', 'http://www.site.test/'],
    ] as const) {
      expect(await fetchPage(server.origin + path)).toEqual({
        url: server.origin + path,
        moved_to: to,
        note: expect.stringContaining('asked again') as string,
      });
    }
    expect(server.seen).toHaveLength(3);
  });

  it('to what is no page are refused', async () => {
    const server = await redirect({
      '/file': 'file:///etc/passwd',
      '/key': 'http://ana:key@site.test/',
      '/bad': 'http://[',
    });
    expect(await refusal(`${server.origin}/file`)).toContain('no address of a page');
    expect(await refusal(`${server.origin}/key`)).toContain('a name or a password');
    expect(await refusal(`${server.origin}/bad`)).toContain('redirects to an invalid address');
  });

  it('are looked up anew, so that a name that leads inside by then is refused', async () => {
    const server = await redirect({ '/a': '/b' });
    const answers = ['127.0.0.1', '127.0.0.2'];
    const resolve = () => Promise.resolve([{ address: answers.shift() ?? '', family: 4 }]);
    expect(await refusal(`${server.origin}/a`, { ...LOCAL, resolve })).toContain('in a private network');
    expect(server.seen.map(({ path }) => path)).toEqual(['/a']);
  });
});

describe('this computer and the network around it', () => {
  it('are never asked, by whatever name', async () => {
    const server = await serve({ '/': ['text/plain', 'inside'] });
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '2130706433', '[::ffff:127.0.0.1]']) {
      expect(await refusal(`http://${host}:${server.port}/`, {})).toMatch(/private network|There is no/);
    }
    expect(await refusal(server.origin, { resolve: resolveLocally })).toContain('in a private network');
    expect(server.connections).toBe(0);
  });

  it('are not reached by a name that is looked up once for the check and again for the connection', async () => {
    const server = await serve({ '/': ['text/plain', 'inside'] });
    let asked = 0;
    const resolve = () => {
      asked += 1;
      return Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    };
    // A name that the system's resolver doesn't know: only what was checked can have been used.
    expect(await fetchPage(`http://rebound.invalid:${server.port}/`, { ...LOCAL, resolve })).toMatchObject({
      text: 'inside',
    });
    expect(asked).toBe(1);
  });
});

describe('patience', () => {
  const silent = (): Promise<WebServer> => startWebServer(() => undefined);
  const slow = (): Promise<WebServer> =>
    startWebServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' }).write('and then');
    });

  it.each([
    ['says nothing', silent],
    ['stops in the middle', slow],
  ])('ends with a server that %s', async (_what, start) => {
    const server = await start();
    expect(await refusal(server.origin, { ...LOCAL, timeoutMs: 200 })).toContain('took longer than 1 second');
  });

  it('ends with a resolver that never answers, and when the turn is stopped', async () => {
    const resolve = () => new Promise<never>(() => undefined);
    expect(await refusal('http://site.test', { resolve, timeoutMs: 100 })).toContain('took longer');
    const controller = new AbortController();
    const server = await startWebServer(() => controller.abort());
    await expect(web().run('fetch_page', { url: server.origin }, controller.signal)).rejects.toThrow(
      'aborted',
    );
  });

  it('says that nobody answers, or that it is no web server', async () => {
    const odd = createServer((socket) => socket.resume().end('SSH-2.0-odd\r\n\r\n')).listen(0, '127.0.0.1');
    onTestFinished(() => void odd.close());
    await once(odd, 'listening');
    const { port } = odd.address() as AddressInfo;
    expect(await refusal(`http://site.test:${port}/`, LOCAL)).toContain('didn’t speak http');
    odd.close();
    await once(odd, 'close');
    expect(await refusal(`http://site.test:${port}/`, LOCAL)).toContain('ECONNREFUSED');
    const server = await serve({ '/': ['text/plain', 'x'] });
    expect(await refusal(`https://site.test:${server.port}/`)).toContain('didn’t speak https');
  });
});

describe('a page made to take for ever', () => {
  it('is given up, while everything else goes on', async () => {
    const html = '<div>'.repeat(400_000);
    const { signal } = new AbortController();
    let ticks = 0;
    const ticking = setInterval(() => (ticks += 1), 10);
    try {
      await expect(
        readHtmlApart({ html, address: 'https://site.test/' }, { signal, timeoutMs: 400 }),
      ).rejects.toThrow('too tangled');
    } finally {
      clearInterval(ticking);
    }
    expect(ticks).toBeGreaterThan(5);
  });

  it('is left when the turn is stopped', async () => {
    const controller = new AbortController();
    const reading = readHtmlApart(
      { html: '<div>'.repeat(400_000), address: 'https://site.test/' },
      { signal: controller.signal },
    );
    setTimeout(() => controller.abort(), 50);
    await expect(reading).rejects.toThrow('aborted');
  });
});
