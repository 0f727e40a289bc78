import { X509Certificate } from 'node:crypto';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { LookupFunction } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Route } from '../../../server/net/route.ts';
import { send } from '../../../server/net/send.ts';
import { troubleOf } from '../../../server/net/trouble.ts';
import { certificateFile, startProxy, startSecureServer } from '../../support/secure-server.ts';
import { createTempDir } from '../../support/service.ts';
import { startWebServer } from '../../support/web-server.ts';

const GET = { method: 'GET', headers: {}, body: null, signal: null };

/** The response's text, or the error's code. */
async function get(url: string, route: Partial<Route> = {}, lookup?: LookupFunction): Promise<string> {
  try {
    const way = { proxy: null, certificateFile: null, ...route };
    const answer = await send(new URL(url), { ...GET, route: way, ...(lookup && { lookup }) });
    answer.setEncoding('utf8');
    return (await answer.toArray()).join('');
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
}

const hello = (certificate: 'server' | 'self-signed'): Promise<number> =>
  startSecureServer(certificate, (request, response) => response.end(`hello ${request.headers.host}`));

describe('a server with a private certificate', () => {
  it.each(['server', 'self-signed'] as const)(
    'is refused, and trouble with it is named: %s',
    async (kind) => {
      expect(troubleOf(await get(`https://127.0.0.1:${await hello(kind)}`))).toBe('certificate');
    },
  );

  it.each([
    ['server', 'authority'],
    ['self-signed', 'self-signed'],
    // Its own alone, as a browser exports it.
    ['server', 'server'],
  ] as const)('is reached with the file named: %s, %s', async (kind, file) => {
    const port = await hello(kind);
    expect(await get(`https://127.0.0.1:${port}`, { certificateFile: certificateFile(file) })).toBe(
      `hello 127.0.0.1:${port}`,
    );
  });

  it('is reached with a file in DER, with one of several certificates, and once a file is replaced', async () => {
    const port = await hello('server');
    const file = join(await createTempDir(), 'authorities');
    const [authority, other] = await Promise.all(
      (['authority', 'self-signed'] as const).map((name) => readFile(certificateFile(name), 'utf8')),
    );
    const reach = (): Promise<string> => get(`https://127.0.0.1:${port}`, { certificateFile: file });
    await writeFile(file, other ?? '');
    expect(troubleOf(await reach())).toBe('certificate');
    await writeFile(file, `# Ours\n${other}\n${authority}`);
    expect(await reach()).toContain('hello');
    await writeFile(file, new X509Certificate(authority ?? '').raw);
    expect(await reach()).toContain('hello');
  });

  it('is still refused for another name, and when the file has gone or holds nothing', async () => {
    const port = await hello('server');
    const dir = await createTempDir();
    const file = join(dir, 'authority.pem');
    await copyFile(certificateFile('authority'), file);
    const here: LookupFunction = (_host, { all }, done) =>
      all === true ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4);
    expect(await get(`https://other.test:${port}`, { certificateFile: file }, here)).toBe(
      'ERR_TLS_CERT_ALTNAME_INVALID',
    );
    await writeFile(file, 'nothing');
    expect(troubleOf(await get(`https://127.0.0.1:${port}`, { certificateFile: file }))).toBe('certificate');
    const gone = { certificateFile: join(dir, 'gone.pem') };
    expect(troubleOf(await get(`https://127.0.0.1:${port}`, gone))).toBe('certificate');
  });
});

describe('through a proxy', () => {
  const trusting = { certificateFile: certificateFile('authority') };

  it('an https server is reached in a tunnel, by its name', async () => {
    const [port, proxy] = await Promise.all([hello('server'), startProxy()]);
    const url = `https://server.test:${port}`;
    expect(await get(url, { ...trusting, proxy: proxy.url })).toBe(`hello server.test:${port}`);
    expect(proxy.asked).toEqual([`CONNECT server.test:${port}`]);
    expect(troubleOf(await get(url, { proxy: proxy.url }))).toBe('certificate');
  });

  it('an http server is asked by the proxy', async () => {
    const proxy = await startProxy();
    const { port, seen } = await startWebServer((_request, response) => response.end('plain'));
    expect(await get(`http://server.test:${port}/page`, { proxy: proxy.url })).toBe('plain');
    expect(proxy.asked).toEqual([`GET http://server.test:${port}/page`]);
    expect(seen).toHaveLength(1);
  });

  it('a name that was resolved here is not resolved again: the proxy gets the address', async () => {
    const [port, proxy] = await Promise.all([hello('server'), startProxy()]);
    const lookup: LookupFunction = (host, _options, done) =>
      done(null, host === 'server.test' ? '127.0.0.5' : '', 4);
    const url = `https://server.test:${port}`;
    expect(await get(url, { ...trusting, proxy: proxy.url }, lookup)).toBe(`hello server.test:${port}`);
    expect(proxy.asked).toEqual([`CONNECT 127.0.0.5:${port}`]);
    const other = `https://other.test:${port}`;
    expect(
      await get(other, { ...trusting, proxy: proxy.url }, (_host, _options, done) =>
        done(null, '127.0.0.5', 4),
      ),
    ).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
    // A proxy asked in plain http resolves names itself.
    expect(await get(`http://server.test:${port}`, { proxy: proxy.url }, lookup)).toBe('ERR_PROXY_PLAIN');
    expect(proxy.asked).toHaveLength(2);
  });

  it.each([403, 407, 502])('that answers %s, the trouble is the proxy’s', async (status) => {
    const proxy = await startProxy(status);
    expect(troubleOf(await get('https://server.test', { proxy: proxy.url }))).toBe('proxy');
  });

  it('that isn’t there, or of a kind that can’t be used, the trouble is the proxy’s', async () => {
    const closed = createServer();
    const port = await new Promise<number>((resolve) => {
      closed.listen(0, '127.0.0.1', () => resolve((closed.address() as { port: number }).port));
    });
    closed.close();
    for (const proxy of [`http://127.0.0.1:${port}`, 'http://proxy.invalid:1', 'socks5://127.0.0.1:9']) {
      for (const url of ['https://server.test', 'http://server.test'])
        expect(troubleOf(await get(url, { proxy }))).toBe('proxy');
    }
  });
});
