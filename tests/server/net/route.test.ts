import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { environmentProxies } from '../../../server/config.ts';
import { createFindRoute } from '../../../server/net/route.ts';

type Environment = Record<string, string>;

async function proxyFor(url: string, env: Environment, system: string | null = null): Promise<string | null> {
  const findRoute = createFindRoute({
    environment: environmentProxies(env),
    systemProxy: system === null ? null : async () => system,
    certificateFile: () => null,
  });
  return (await findRoute(url)).proxy;
}

const BOTH = { HTTP_PROXY: 'http://plain:1', HTTPS_PROXY: 'http://secure:2' };

describe('the environment’s proxy', () => {
  it.each<[string, Environment, string | null]>([
    ['https://api.example.com/v1', {}, null],
    ['https://api.example.com/v1', BOTH, 'http://secure:2'],
    ['http://api.example.com/v1', BOTH, 'http://plain:1'],
    ['https://a.com', { https_proxy: 'http://small:3', HTTPS_PROXY: 'http://large:4' }, 'http://small:3'],
    ['https://a.com', { HTTP_PROXY: 'http://plain:1' }, null],
    ['https://a.com', { ALL_PROXY: 'http://all:5' }, 'http://all:5'],
    ['https://a.com', { HTTPS_PROXY: 'proxy.corp:8080' }, 'http://proxy.corp:8080'],
    ['https://a.com', { HTTPS_PROXY: '' }, null],
  ])('%s with %j', async (url, env, proxy) => {
    expect(await proxyFor(url, env)).toBe(proxy);
  });

  it.each(['localhost', 'api.localhost', '127.0.0.1', '127.9.9.9', '[::1]'])(
    'is not used for %s, which is this computer',
    async (host) => {
      expect(await proxyFor(`http://${host}:11434`, BOTH)).toBeNull();
      expect(await proxyFor(`https://${host}`, {}, 'PROXY a:1')).toBeNull();
    },
  );

  it.each<[string, string, boolean]>([
    ['https://a.com', '*', true],
    ['https://a.com', 'b.com, a.com', true],
    ['https://x.a.com', 'a.com', true],
    ['https://x.a.com', '.a.com', true],
    ['https://x.a.com', '*.a.com', true],
    ['https://xa.com', 'a.com', false],
    ['https://a.com', 'a.com:443', true],
    ['https://a.com:8443', 'a.com:443', false],
    ['https://a.com', 'A.COM', true],
    ['http://192.168.1.20:8080', '192.168.1.20', true],
    ['http://192.168.1.20:8080', '192.168.0.0/16', true],
    ['http://192.169.1.20:8080', '192.168.0.0/16', false],
    ['http://[fd00::5]:8080', 'fd00::/8', true],
    ['http://[fd00::5]:8080', '[fd00::5]:8080', true],
    ['https://a.com', '10.0.0.0/8', false],
    ['https://a.com', '', false],
    ['https://a.com', ' , ', false],
  ])('for %s, except %j: %s', async (url, NO_PROXY, isExcepted) => {
    expect((await proxyFor(url, { ...BOTH, NO_PROXY })) === null).toBe(isExcepted);
  });
});

describe('the system’s proxy', () => {
  it.each<[string, string | null]>([
    ['DIRECT', null],
    ['', null],
    ['PROXY proxy.corp:8080', 'http://proxy.corp:8080'],
    ['HTTPS proxy.corp:8443', 'https://proxy.corp:8443'],
    ['DIRECT; PROXY a:1', null],
    ['SOCKS5 127.0.0.1:9050', 'socks5://127.0.0.1:9050'],
  ])('is the first of %j', async (list, proxy) => {
    expect(await proxyFor('https://a.com', {}, list)).toBe(proxy);
  });

  it('is the first of several that can be connected to and used; when none can, the first', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const up = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    for (const [list, proxy] of [
      [`PROXY 127.0.0.1:9; PROXY ${up}; DIRECT`, `http://${up}`],
      [`SOCKS5 ${up}; PROXY ${up}`, `http://${up}`],
      ['PROXY 127.0.0.1:9; DIRECT', null],
      ['PROXY 127.0.0.1:9; PROXY [::1]:9;', 'http://127.0.0.1:9'],
      ['PROXY 127.0.0.1:9;', 'http://127.0.0.1:9'],
    ] as const)
      expect(await proxyFor('https://a.com', {}, list), list).toBe(proxy);
    server.close();
  });

  it('comes after the environment’s, and a system that can’t say has none', async () => {
    expect(await proxyFor('https://a.com', BOTH, 'PROXY a:1')).toBe('http://secure:2');
    const findRoute = createFindRoute({
      environment: null,
      systemProxy: () => Promise.reject(new Error('no')),
      certificateFile: () => '/a.pem',
    });
    expect(await findRoute('https://a.com')).toEqual({ proxy: null, certificateFile: '/a.pem' });
  });
});
