/** Servers that try to get more out of a sign-in than they should. */
import { createServer, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findDirect } from '../../../server/net/route.ts';
import { createGuardedFetch } from '../../../server/mcp/sign-in/guarded-fetch.ts';
import { eventually } from '../../support/eventually.ts';
import { openMcpParts, type McpParts } from '../../support/mcp-parts.ts';
import { browse, startSignInServers, type SignInServers } from '../../support/mcp-server/sign-in.ts';

const REDIRECT = 'http://127.0.0.1:4141/oauth/callback';

interface Seen {
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** A server that answers each path as it is told, and keeps what it was sent. */
async function startScripted(
  answers: (
    path: string,
    origin: string,
  ) => { status?: number; headers?: Record<string, string>; json?: unknown } | null,
): Promise<{ origin: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  let origin = '';
  const http = createServer((request, response) => {
    void (async () => {
      let body = '';
      for await (const piece of request) body += String(piece);
      const path = request.url ?? '';
      seen.push({ path, headers: request.headers, body });
      const { status = 200, headers = {}, json = {} } = answers(path, origin) ?? { status: 404 };
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(json));
    })();
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return { origin, seen };
}

const metadataOf = (origin: string, more: object = {}): object => ({
  issuer: origin,
  authorization_endpoint: `${origin}/authorize`,
  token_endpoint: `${origin}/token`,
  registration_endpoint: `${origin}/register`,
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
  ...more,
});

const CLIENT = { client_id: 'parley-1', redirect_uris: [REDIRECT] };

async function open(): Promise<McpParts & SignInServers & { id: string; come: () => Promise<URL> }> {
  const servers = await startSignInServers();
  const parts = await openMcpParts();
  onTestFinished(() => servers.close());
  const { id } = await parts.mcp.create({ name: 'Lamp', transport: 'http', url: servers.lamp.url });
  const come = async (): Promise<URL> => browse((await parts.mcp.signIn(id, REDIRECT, {}))?.url ?? '');
  return { ...parts, ...servers, id, come };
}

const tokenRequests = (asked: readonly string[]): number =>
  asked.filter((path) => path === 'POST /token').length;

describe('what comes back from the browser', () => {
  it('is refused with a wrong state, which leaves the right one valid', async () => {
    const { mcp, id, come, asked } = await open();
    const { searchParams } = await come();
    const state = searchParams.get('state') ?? '';
    const wrong = [`${id}.${'A'.repeat(43)}`, `${state}x`, state.slice(0, -1), id, '', 'nobody.x', `${id}.é`];
    for (const each of wrong) {
      const query = new URLSearchParams(searchParams);
      query.set('state', each);
      expect((await mcp.finishSignIn(query)).problem).toMatch(/doesn’t wait/);
    }
    expect(
      (await mcp.finishSignIn(new URLSearchParams({ code: searchParams.get('code') ?? '' }))).problem,
    ).toMatch(/doesn’t wait/);
    expect(tokenRequests(asked)).toBe(0);
    expect((await mcp.finishSignIn(searchParams)).problem).toBeNull();
  });

  it('counts once, also when it comes twice at the same time', async () => {
    const { mcp, come, asked } = await open();
    const { searchParams } = await come();
    const ends = await Promise.all([mcp.finishSignIn(searchParams), mcp.finishSignIn(searchParams)]);
    expect(ends.map(({ problem }) => problem === null)).toEqual([true, false]);
    expect((await mcp.finishSignIn(searchParams)).problem).toMatch(/doesn’t wait/);
    expect(tokenRequests(asked)).toBe(1);
  });

  it('is refused with the state of an earlier sign-in', async () => {
    const { mcp, come } = await open();
    const first = await come();
    const second = await come();
    expect((await mcp.finishSignIn(first.searchParams)).problem).toMatch(/doesn’t wait/);
    expect((await mcp.finishSignIn(second.searchParams)).problem).toBeNull();
  });

  it('is refused from another issuer, before the code is sent anywhere', async () => {
    const { mcp, come, asked } = await open();
    for (const iss of ['https://evil.example', null]) {
      const { searchParams } = await come();
      if (iss === null) searchParams.delete('iss');
      else searchParams.set('iss', iss);
      expect((await mcp.finishSignIn(searchParams)).problem).toMatch(/Issuer mismatch/);
    }
    expect(tokenRequests(asked)).toBe(0);
    expect((await mcp.list())[0]).toMatchObject({ signIn: 'needed' });
  });

  it('gets nothing with a stolen code: it is worth nothing without the verifier', async () => {
    const { mcp, come, issuer } = await open();
    const stolen = (await come()).searchParams.get('code') ?? '';
    const { searchParams: own } = await come();
    // The thief's own sign-in at the same server, with the code of somebody else.
    own.set('code', stolen);
    expect((await mcp.finishSignIn(own)).problem).not.toBeNull();
    const client = await fetch(`${issuer}/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: stolen,
        redirect_uri: REDIRECT,
        client_id: 'anybody',
      }),
    });
    expect(client.ok).toBe(false);
    expect((await mcp.list())[0]).toMatchObject({ signIn: 'needed' });
  });

  it('is refused for a server that was moved meanwhile', async () => {
    const { mcp, id, come, asked } = await open();
    const { searchParams } = await come();
    await mcp.update(id, { url: 'http://127.0.0.1:9/mcp' });
    expect((await mcp.finishSignIn(searchParams)).problem).toMatch(/doesn’t wait/);
    expect(tokenRequests(asked)).toBe(0);
  });

  it('says that a person cancelled, and nothing of what came with it', async () => {
    const { mcp, id } = await open();
    const address = new URL((await mcp.signIn(id, REDIRECT, {}))?.url ?? '');
    const state = address.searchParams.get('state') ?? '';
    const query = new URLSearchParams({
      state,
      error: 'access_denied',
      error_description: '<b>Call 0900</b>',
    });
    const { problem } = await mcp.finishSignIn(query);
    expect(problem).toBe('The sign-in was cancelled or refused.');
    expect((await mcp.list())[0]).toMatchObject({ signIn: 'needed', problem });
  });
});

describe('a hostile tool server', () => {
  const serve = async (
    authorizationServer: string | null,
    more: (
      path: string,
      origin: string,
    ) => { status?: number; headers?: Record<string, string>; json?: unknown } | null,
  ): Promise<{ parts: McpParts; id: string; seen: Seen[]; origin: string }> => {
    const { origin, seen } = await startScripted((path, own) => {
      const special = more(path, own);
      if (special !== null) return special;
      if (path.startsWith('/.well-known/oauth-protected-resource')) {
        return { json: { resource: `${own}/mcp`, authorization_servers: [authorizationServer ?? own] } };
      }
      if (path === '/mcp') {
        const header = `Bearer resource_metadata="${own}/.well-known/oauth-protected-resource/mcp"`;
        return { status: 401, headers: { 'www-authenticate': header } };
      }
      return null;
    });
    const parts = await openMcpParts();
    const headers = { 'x-own-key': 'own-key-0123456789' };
    const { id } = await parts.mcp.create({ name: 'Evil', transport: 'http', url: `${origin}/mcp`, headers });
    return { parts, id, seen, origin };
  };

  it('can’t give itself out as another issuer', async () => {
    const { parts, id } = await serve(null, (path, own) =>
      path.startsWith('/.well-known/oauth-authorization-server')
        ? { json: metadataOf(own, { issuer: 'https://accounts.example' }) }
        : null,
    );
    await expect(parts.mcp.signIn(id, REDIRECT, {})).rejects.toMatchObject({
      code: 'fetch_failed',
      message: expect.stringMatching(/Issuer mismatch/) as string,
    });
  });

  const withoutResource = (path: string): { status: number; headers?: Record<string, string> } | null => {
    if (path === '/mcp') return { status: 401, headers: { 'www-authenticate': 'Bearer realm="old"' } };
    return path.startsWith('/.well-known/oauth-protected-resource') ? { status: 404 } : null;
  };

  it.each([
    ['https://accounts.example', false],
    ['http://127.0.0.1:1', false],
    ['http://127.0.0.1.example', false],
    ['not an address', false],
    // With metadata of its own, a server has no need to name itself by another path.
    ['OWN/tenant', true],
  ])('of March 2025 can’t give itself out as %s either', async (issuer, hasResource) => {
    const { parts, id, seen } = await serve(null, (path, own) =>
      path.startsWith('/.well-known/oauth-authorization-server')
        ? { json: metadataOf(own, { issuer: issuer.replace('OWN', own) }) }
        : hasResource
          ? null
          : withoutResource(path),
    );
    await expect(parts.mcp.signIn(id, REDIRECT, {})).rejects.toMatchObject({
      code: 'fetch_failed',
      message: expect.stringMatching(/Issuer mismatch/) as string,
    });
    expect(seen.map(({ path }) => path)).not.toContain('/register');
  });

  it('of March 2025 is asked at its own origin only, also when it says nothing of a sign-in', async () => {
    const thief = await startScripted(() => ({ json: {} }));
    const { parts, id, seen, origin } = await serve(null, (path) => {
      if (path === '/register') return { status: 201, json: CLIENT };
      if (path === '/token') return { status: 307, headers: { location: `${thief.origin}/token` } };
      return withoutResource(path) ?? { status: 404 };
    });
    const asksForEither = expect.stringMatching(/a sign-in, or for a key in a header/) as string;
    expect((await parts.mcp.list())[0]).toMatchObject({ signIn: 'needed', problem: asksForEither });
    expect(seen.map(({ path }) => path)).not.toContain('/register');
    const { url = '' } = (await parts.mcp.signIn(id, REDIRECT, {})) ?? {};
    expect(url.startsWith(`${origin}/authorize?`)).toBe(true);
    const state = new URL(url).searchParams.get('state') ?? '';
    const end = await parts.mcp.finishSignIn(new URLSearchParams({ state, code: 'a-code' }));
    expect(end.problem).not.toBeNull();
    expect(thief.seen).toEqual([]);
  });

  it.each([
    ['https://accounts.example', 0],
    [null, 1],
    ['OWN', 1],
  ])('of March 2025 gets a code with the issuer %s: %i', async (iss, tokenRequestCount) => {
    const { parts, id, seen, origin } = await serve(null, (path) => {
      if (path === '/register') return { status: 201, json: CLIENT };
      return withoutResource(path) ?? { status: 404 };
    });
    const { url = '' } = (await parts.mcp.signIn(id, REDIRECT, {})) ?? {};
    const query = { state: new URL(url).searchParams.get('state') ?? '', code: 'a-code' };
    const from = iss === null ? {} : { iss: iss.replace('OWN', origin) };
    expect((await parts.mcp.finishSignIn(new URLSearchParams({ ...query, ...from }))).problem).not.toBeNull();
    expect(seen.filter(({ path }) => path === '/token')).toHaveLength(tokenRequestCount);
  });

  it('that only wants a key says so after a try to sign in', async () => {
    const { parts, id } = await serve(null, (path) => withoutResource(path) ?? { status: 404 });
    await expect(parts.mcp.signIn(id, REDIRECT, {})).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/If it wants a key, add a header/) as string,
    });
  });

  it.each([
    [
      'registration',
      { status: 201, json: { ...CLIENT, redirect_uris: ['x'] } },
      /: redirect_uris\.0: Invalid URL$/,
    ],
    ['metadata', { json: { issuer: 'x' } }, /: issuer: |: authorization_endpoint: /],
  ])('that answers wrongly is named with what is wrong: %s', async (what, answer, words) => {
    const { parts, id } = await serve(null, (path, own) => {
      const isMetadata = path.startsWith('/.well-known/oauth-authorization-server');
      if (what === 'metadata' ? isMetadata : path === '/register') return answer;
      return isMetadata ? { json: metadataOf(own) } : null;
    });
    await expect(parts.mcp.signIn(id, REDIRECT, {})).rejects.toMatchObject({
      code: 'fetch_failed',
      message: expect.stringMatching(words) as string,
    });
  });

  it('can’t have a token made for another resource', async () => {
    const { parts, id } = await serve(null, (path, own) => {
      if (path.startsWith('/.well-known/oauth-protected-resource'))
        return { json: { resource: 'https://bank.example/mcp', authorization_servers: [own] } };
      return path.startsWith('/.well-known/oauth-authorization-server') ? { json: metadataOf(own) } : null;
    });
    await expect(parts.mcp.signIn(id, REDIRECT, {})).rejects.toMatchObject({ code: 'fetch_failed' });
  });

  it.each(['javascript:alert(1)', 'file:///etc/passwd', 'http://evil.example/authorize', 'parley://open'])(
    'can’t have the browser open %s',
    async (address) => {
      const { parts, id } = await serve(null, (path, own) => {
        if (path.startsWith('/.well-known/oauth-authorization-server'))
          return { json: metadataOf(own, { authorization_endpoint: address }) };
        return path === '/register' ? { status: 201, json: CLIENT } : null;
      });
      await expect(parts.mcp.signIn(id, REDIRECT, {})).rejects.toMatchObject({ code: 'fetch_failed' });
    },
  );

  it('never sees the code or a token at a place that a redirect leads to, nor the person’s own headers elsewhere', async () => {
    const thief = await startScripted(() => ({ json: {} }));
    let redirects = false;
    const authorization = await startScripted((path, own) => {
      if (path.startsWith('/.well-known/')) return { json: metadataOf(own) };
      if (path === '/register') return { status: 201, json: CLIENT };
      return { status: 307, headers: { location: `${thief.origin}/token` } };
    });
    const { parts, id, seen } = await serve(authorization.origin, (path) =>
      redirects && path === '/mcp' ? { status: 307, headers: { location: `${thief.origin}/mcp` } } : null,
    );
    const { url = '' } = (await parts.mcp.signIn(id, REDIRECT, {})) ?? {};
    const state = new URL(url).searchParams.get('state') ?? '';
    const end = await parts.mcp.finishSignIn(new URLSearchParams({ state, code: 'a-code' }));
    expect(end.problem).not.toBeNull();
    expect(authorization.seen.map(({ path }) => path)).toContain('/token');
    redirects = true;
    await parts.mcp.testStored(id, {});
    expect(thief.seen).toEqual([]);
    expect(seen.some(({ headers }) => headers['x-own-key'] === 'own-key-0123456789')).toBe(true);
    expect(JSON.stringify(authorization.seen)).not.toContain('own-key');
  });

  it('can’t have a secret shown by repeating it', async () => {
    const authorization = await startScripted((path, own) => {
      if (path.startsWith('/.well-known/')) return { json: metadataOf(own) };
      if (path === '/register') return { status: 201, json: CLIENT };
      const { body = '' } = authorization.seen.at(-1) ?? {};
      return { status: 400, json: { error: 'invalid_grant', error_description: decodeURIComponent(body) } };
    });
    const { parts, id } = await serve(authorization.origin, () => null);
    const { url = '' } = (await parts.mcp.signIn(id, REDIRECT, {})) ?? {};
    const query = { state: new URL(url).searchParams.get('state') ?? '', code: 'code-0123456789' };
    const { problem } = await parts.mcp.finishSignIn(new URLSearchParams(query));
    const [, verifier = ''] = /code_verifier=([^&]+)/.exec(authorization.seen.at(-1)?.body ?? '') ?? [];
    expect(verifier.length).toBeGreaterThan(40);
    expect(problem).toContain('doesn’t work as it should');
    for (const secret of [verifier, query.code]) expect(problem).not.toContain(secret);
  });

  it('does not get its token sent along a redirect to another origin, nor shown by repeating it', async () => {
    const thief = await startScripted(() => ({ json: {} }));
    const servers = await startSignInServers();
    onTestFinished(() => servers.close());
    let redirects = false;
    let repeats = false;
    const front = await startScripted((path, own) => {
      if (repeats && path === '/mcp')
        return { status: 400, json: `You sent ${front.seen.at(-1)?.headers.authorization}` };
      if (redirects && path === '/mcp') return { status: 308, headers: { location: `${thief.origin}/mcp` } };
      if (path.startsWith('/.well-known/oauth-protected-resource'))
        return {
          json: {
            resource: `${own}/mcp`,
            authorization_servers: [servers.issuer],
            scopes_supported: ['lamp:read'],
          },
        };
      return path === '/mcp' ? { status: 401, headers: { 'www-authenticate': 'Bearer realm="x"' } } : null;
    });
    const { mcp } = await openMcpParts();
    const { id } = await mcp.create({ name: 'Lamp', transport: 'http', url: `${front.origin}/mcp` });
    const { url = '' } = (await mcp.signIn(id, REDIRECT, {})) ?? {};
    expect((await mcp.finishSignIn((await browse(url)).searchParams)).problem).toBeNull();
    await eventually(() =>
      expect(front.seen.some(({ headers }) => headers.authorization !== undefined)).toBe(true),
    );
    redirects = true;
    await mcp.testStored(id, {});
    expect(thief.seen).toEqual([]);
    redirects = false;
    repeats = true;
    const withToken = front.seen.findLast(({ headers }) => headers.authorization !== undefined);
    const token = withToken?.headers.authorization?.replace('Bearer ', '') ?? '';
    expect(token.length).toBeGreaterThan(20);
    const test = await mcp.testStored(id, {});
    expect(test?.message).toContain('You sent');
    expect(test?.message).not.toContain(token);
  });
});

describe('where a sign-in may lead', () => {
  const HOSTS: Record<string, string> = {
    'public.example': '93.184.215.14',
    'rebound.example': '127.0.0.1',
    'intranet.example': '10.1.2.3',
    'metadata.example': '169.254.169.254',
  };
  const resolve = (host: string): Promise<{ address: string; family: number }[]> =>
    Promise.resolve([{ address: HOSTS[host] ?? '93.184.215.15', family: 4 }]);
  const check = (server: string, to: string): Promise<void> =>
    createGuardedFetch(server, findDirect, resolve).check(new URL(to));

  it.each([
    ['https://public.example/mcp', 'http://127.0.0.1:4141/token'],
    ['https://public.example/mcp', 'http://localhost/token'],
    ['https://public.example/mcp', 'https://[::1]/token'],
    ['https://public.example/mcp', 'https://[::ffff:127.0.0.1]/token'],
    ['https://public.example/mcp', 'https://2130706433/token'],
    ['https://public.example/mcp', 'https://0.0.0.0/token'],
    ['https://public.example/mcp', 'https://rebound.example/token'],
    ['https://public.example/mcp', 'https://intranet.example/token'],
    ['https://public.example/mcp', 'https://192.168.1.1/token'],
    ['https://public.example/mcp', 'https://metadata.example/latest'],
    ['https://public.example/mcp', 'https://168.63.129.16/token'],
    ['https://public.example/mcp', 'http://elsewhere.example/token'],
    ['https://public.example/mcp', 'https://ann:secret@elsewhere.example/token'],
    ['https://public.example/mcp', 'ftp://elsewhere.example/token'],
    // Its name leads here only because its owner says so.
    ['https://rebound.example/mcp', 'http://127.0.0.1:4141/token'],
    ['https://intranet.example/mcp', 'https://10.9.9.9/token'],
    // Nobody's authorization server is there.
    ['http://127.0.0.1:8000/mcp', 'http://169.254.169.254/token'],
    ['http://127.0.0.1:8000/mcp', 'https://metadata.example/token'],
    ['http://192.168.1.5:8000/mcp', 'http://127.0.0.1:4141/token'],
  ])('not from %s to %s', async (server, to) => {
    await expect(check(server, to)).rejects.toThrow();
  });

  it.each([
    ['https://public.example/mcp', 'https://elsewhere.example/token'],
    ['https://public.example/mcp', 'https://public.example/token'],
    ['http://127.0.0.1:8000/mcp', 'http://127.0.0.1:9000/token'],
    ['http://localhost:8000/mcp', 'https://elsewhere.example/token'],
    ['http://192.168.1.5:8000/mcp', 'https://192.168.1.6/token'],
    ['http://192.168.1.5:8000/mcp', 'http://192.168.1.5:8000/token'],
  ])('from %s to %s', async (server, to) => {
    await expect(check(server, to)).resolves.toBeUndefined();
  });
});
