/**
 * A tool server that wants a sign-in, with `oidc-provider` as its authorization server, both over real HTTP on loopback. Whoever
 * opens the address of a sign-in is Ann, who agrees to everything.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { startHttpMcpServer, type HttpMcpServer } from './http.ts';

const SCOPES = ['lamp:read', 'lamp:write'];

/** How they are to be. */
export interface SignInOptions {
  /** Tools that want the scope `lamp:write`; none unless given. */
  writeTools?: readonly string[];
  /** Whether apps may register themselves; they may unless given. */
  registers?: boolean;
  /** Clients that are known from the start. */
  clients?: { client_id: string; client_secret?: string; redirect_uris: string[] }[];
}

/** Both servers. */
export interface SignInServers {
  lamp: HttpMcpServer;
  issuer: string;
  provider: Provider;
  /** Paths that the authorization server was asked for, with their methods. */
  asked: string[];
  /** Authorization headers that it was sent. */
  sentHeaders: string[];
  /** Makes every access token invalid from now on, except new ones. */
  expire: () => void;
  /** Fails every request to the authorization server with this status; null: as usual. */
  fail: (status: number | null) => void;
  /** Leaves requests for this path of the authorization server without an answer; null: none. */
  hold: (path: string | null) => void;
  /** Revokes all that was granted, as an administrator would. */
  revokeAll: () => void;
  /** Lets people sign in again after that. */
  restoreAll: () => void;
}

/** Starts both; they are closed by `close`. */
export async function startSignInServers(
  options: SignInOptions = {},
): Promise<SignInServers & { close(): Promise<void> }> {
  const { writeTools = [], registers = true, clients = [] } = options;
  const asked: string[] = [];
  const sentHeaders: string[] = [];
  const old = new Set<string>();
  const issued = new Set<string>();
  let failure: number | null = null;
  let heldPath: string | null = null;
  let isRevoked = false;
  const http = createServer((request, response) => void answer(request, response));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;

  const lamp = await startHttpMcpServer({
    async guard(request) {
      const { origin, pathname } = new URL(request.url);
      if (pathname.startsWith('/.well-known/oauth-protected-resource')) {
        return Response.json({
          resource: `${origin}/mcp`,
          authorization_servers: [issuer],
          scopes_supported: ['lamp:read'],
        });
      }
      if (pathname !== '/mcp') return null;
      const metadata = `resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
      const text = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1] ?? '';
      const token = old.has(text) ? undefined : await provider.AccessToken.find(text);
      if (token === undefined) {
        return new Response(null, { status: 401, headers: { 'www-authenticate': `Bearer ${metadata}` } });
      }
      const body = request.method === 'POST' ? await request.clone().text() : '';
      const wantsMore = writeTools.some(
        (tool) => body.includes('"tools/call"') && body.includes(`"${tool}"`),
      );
      if (!wantsMore || token.scopes.has('lamp:write')) return null;
      const challenge = `Bearer error="insufficient_scope", scope="lamp:write", ${metadata}`;
      return new Response(null, { status: 403, headers: { 'www-authenticate': challenge } });
    },
  });

  const provider = new Provider(issuer, {
    clients: clients.map((client) => ({
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      application_type: 'native',
      token_endpoint_auth_method: client.client_secret === undefined ? 'none' : 'client_secret_basic',
      ...client,
    })),
    scopes: ['openid', 'offline_access', ...SCOPES],
    cookies: { keys: ['a-test'] },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: registers },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({ scope: SCOPES.join(' '), accessTokenFormat: 'opaque' }),
        useGrantedResource: () => true,
      },
    },
  });
  provider.on('access_token.saved', ({ jti }) => void issued.add(jti));
  const handle = provider.callback();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url?.split('?')[0] ?? '';
    asked.push(`${request.method} ${path}`);
    sentHeaders.push(request.headers.authorization ?? '');
    if (path === heldPath) return;
    if (failure !== null) {
      response.writeHead(failure).end('Down.');
      return;
    }
    if (isRevoked && path === '/token') {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: 'invalid_grant', error_description: 'It was revoked.' }));
      return;
    }
    if (!path.startsWith('/interaction/')) {
      await handle(request, response);
      return;
    }
    const { prompt, params } = await provider.interactionDetails(request, response);
    if (prompt.name === 'login') {
      await provider.interactionFinished(request, response, { login: { accountId: 'ann' } });
      return;
    }
    const grant = new provider.Grant({ accountId: 'ann', clientId: String(params['client_id']) });
    grant.addOIDCScope(['openid', 'offline_access', ...SCOPES].join(' '));
    grant.addResourceScope(String(params['resource']), SCOPES.join(' '));
    const result = { consent: { grantId: await grant.save() } };
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
  }

  return {
    lamp,
    issuer,
    provider,
    asked,
    sentHeaders,
    expire: () => issued.forEach((token) => old.add(token)),
    fail: (status) => void (failure = status),
    hold: (path) => void (heldPath = path),
    revokeAll: () => void (isRevoked = true),
    restoreAll: () => void (isRevoked = false),
    async close() {
      http.closeAllConnections();
      http.close();
      await lamp.close();
    },
  };
}

/** Opens an address as a browser would, with its cookies; resolves with the address on another server that it ends at. */
export async function browse(address: string): Promise<URL> {
  const { origin } = new URL(address);
  const cookies = new Map<string, string>();
  let url = new URL(address);
  for (let hops = 0; url.origin === origin; hops += 1) {
    if (hops > 10) throw new Error('It redirects without end.');
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`It ends with ${response.status}: ${await response.text()}`);
    url = new URL(location, url);
  }
  return url;
}
