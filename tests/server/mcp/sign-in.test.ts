import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { McpServer } from '../../../shared/api/mcp.ts';
import { SignInNeededError } from '../../../server/tools/tool.ts';
import { eventually } from '../../support/eventually.ts';
import { openMcpParts, type McpParts } from '../../support/mcp-parts.ts';
import { startHttpMcpServer } from '../../support/mcp-server/index.ts';
import {
  browse,
  startSignInServers,
  type SignInOptions,
  type SignInServers,
} from '../../support/mcp-server/sign-in.ts';

const REDIRECT = 'http://127.0.0.1:4141/oauth/callback';

interface Parts extends McpParts, SignInServers {
  id: string;
  server: () => Promise<McpServer>;
  /** Begins a sign-in, and resolves with what the browser comes back with. */
  browserFor: () => Promise<URL>;
  signIn: () => Promise<void>;
}

async function open(options: SignInOptions = {}): Promise<Parts> {
  const servers = await startSignInServers(options);
  const parts = await openMcpParts();
  onTestFinished(() => servers.close());
  const { mcp } = parts;
  const { id } = await mcp.create({ name: 'Lamp', transport: 'http', url: servers.lamp.url });
  const server = async (): Promise<McpServer> => {
    const found = (await mcp.list()).find((one) => one.id === id);
    if (found === undefined) throw new Error('It is gone.');
    return found;
  };
  const browserFor = async (): Promise<URL> => browse((await mcp.signIn(id, REDIRECT, {}))?.url ?? '');
  return {
    ...{ ...parts, ...servers, id, server, browserFor },
    async signIn() {
      const end = await mcp.finishSignIn((await browserFor()).searchParams);
      expect(end.problem).toBeNull();
      await eventually(async () => expect((await server()).state).toBe('connected'));
    },
  };
}

const secretsIn = async (dir: string): Promise<string> => readFile(join(dir, 'secrets.json'), 'utf8');

describe('a tool server that wants a sign-in', () => {
  it('says so, is signed in to by browser, and its tools work', async () => {
    const { server, signIn, call, asked } = await open();
    expect(await server()).toMatchObject({ signIn: 'needed', state: 'failed', tools: [] });
    expect((await server()).problem).toMatch(/asks for a sign-in/);
    // Nothing begins by itself.
    expect(asked.filter((path) => /\/(?:auth|reg|token)$/.test(path))).toEqual([]);
    await signIn();
    expect(await server()).toMatchObject({ signIn: 'present', state: 'connected', problem: null });
    expect(await call('echo', { text: 'hi' })).toEqual({ text: 'hi' });
  });

  it('goes on with a renewed token when the old one has expired, once for all calls at the same time', async () => {
    const { signIn, call, expire, asked, server } = await open();
    await signIn();
    const before = asked.filter((path) => path === 'POST /token').length;
    expire();
    const texts = ['a', 'b', 'c'];
    expect(await Promise.all(texts.map((text) => call('echo', { text })))).toEqual(
      texts.map((text) => ({ text })),
    );
    expect(asked.filter((path) => path === 'POST /token')).toHaveLength(before + 1);
    expect((await server()).signIn).toBe('present');
  });

  it('says that a sign-in has ended, keeps no dead tokens, and takes a new one', async () => {
    const { signIn, call, expire, revokeAll, server, dir } = await open();
    await signIn();
    expire();
    revokeAll();
    await expect(call('echo', { text: 'a' })).rejects.toThrow(SignInNeededError);
    expect((await server()).signIn).toBe('ended');
    expect(await secretsIn(dir)).not.toContain('access_token');
  });

  it('does not ask to sign in again when the authorization server is only down', async () => {
    const { signIn, call, expire, fail, server } = await open();
    await signIn();
    expire();
    fail(503);
    await expect(call('echo', { text: 'a' })).rejects.toThrow(/could not be renewed.*Try again later/);
    expect((await server()).signIn).toBe('present');
    fail(null);
    expect(await call('echo', { text: 'a' })).toEqual({ text: 'a' });
  });

  it('asks for more rights step by step, keeping those it had', async () => {
    const { signIn, call, tools, mcp, id, server, asked } = await open({ writeTools: ['add'] });
    await signIn();
    await expect(call('add', { a: 1, b: 2 })).rejects.toThrow(/more rights/);
    expect((await server()).signIn).toBe('ended');
    const add = (await tools()).find(({ name }) => name === 'lamp__add');
    expect((await add?.describe?.({}))?.signIn).toEqual({ serverId: id, name: 'Lamp' });
    const { url = '' } = (await mcp.signIn(id, REDIRECT, {})) ?? {};
    expect(new URL(url).searchParams.get('scope')?.split(' ')).toEqual(
      expect.arrayContaining(['lamp:read', 'lamp:write']),
    );
    await mcp.finishSignIn((await browse(url)).searchParams);
    expect(await call('add', { a: 1, b: 2 })).toBeDefined();
    expect(asked.filter((path) => path === 'POST /reg')).toHaveLength(2);
    expect((await add?.describe?.({}))?.signIn).toBeUndefined();
  });

  it('is signed out of by revoking the tokens and forgetting everything', async () => {
    const { signIn, mcp, id, dir, provider, server } = await open();
    await signIn();
    const text =
      /access_token[^:]*:[^:]*?"([\w-]{20,})/.exec((await secretsIn(dir)).replaceAll('\\', ''))?.[1] ?? '';
    expect(await provider.AccessToken.find(text)).toBeDefined();
    expect(await mcp.signOut(id)).toMatchObject({ isRevoked: true, server: { signIn: 'none' } });
    expect(await provider.AccessToken.find(text)).toBeUndefined();
    expect(await secretsIn(dir)).not.toContain('mcp-sign-in');
    await mcp.testStored(id, {});
    expect((await server()).signIn).toBe('needed');
  });

  it('is forgotten with the server, and when its address changes', async () => {
    const { signIn, mcp, id, dir, lamp, asked } = await open();
    await signIn();
    await mcp.update(id, { url: `${lamp.url}?other` });
    expect(await secretsIn(dir)).not.toContain('mcp-sign-in');
    expect(asked).toContain('POST /token/revocation');
    await mcp.update(id, { url: lamp.url });
    await signIn();
    await mcp.remove(id);
    expect(await secretsIn(dir)).not.toContain('mcp-sign-in');
  });

  it('wants the client id where apps can’t register themselves, and says so', async () => {
    const clients = [
      { client_id: 'parley-here', client_secret: 'hush-hush-hush', redirect_uris: [REDIRECT] },
    ];
    const { mcp, id, call, asked } = await open({ registers: false, clients });
    await expect(mcp.signIn(id, REDIRECT, {})).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ path: '/clientId', message: expect.stringContaining(REDIRECT) as string }],
    });
    const { url = '' } =
      (await mcp.signIn(id, REDIRECT, { clientId: 'parley-here', clientSecret: 'hush-hush-hush' })) ?? {};
    const end = await mcp.finishSignIn((await browse(url)).searchParams);
    expect(end.problem).toBeNull();
    expect(await call('echo', { text: 'hi' })).toEqual({ text: 'hi' });
    expect(asked).not.toContain('POST /reg');
    // Signing in again needs no second entry.
    expect((await mcp.signIn(id, REDIRECT, {}))?.url).toContain('client_id=parley-here');
  });

  it('does not stand in the way of servers without one when secrets can’t be read', async () => {
    const lamp = await startHttpMcpServer();
    const { mcp, dir } = await openMcpParts();
    onTestFinished(() => lamp.close());
    await writeFile(join(dir, 'secrets.json'), 'damaged');
    const made = await mcp.create({ name: 'Lamp', transport: 'http', url: lamp.url });
    expect(made).toMatchObject({ signIn: 'none', state: 'connected', problem: null });
  });

  it('shows no token anywhere but in the file of secrets', async () => {
    const { signIn, mcp, id, call, log, dir, store } = await open();
    await signIn();
    await call('echo', { text: 'hi' });
    const file = JSON.parse(await secretsIn(dir)) as { secrets: Record<string, { text: string }> };
    const kept = JSON.parse(file.secrets[`mcp-sign-in:${id}`]?.text ?? '{}') as {
      tokens: { access_token: string; refresh_token: string };
    };
    const tokens = [kept.tokens.access_token, kept.tokens.refresh_token];
    expect(tokens.every((token) => token.length > 20)).toBe(true);
    const shown = JSON.stringify([await mcp.list(), log, store.usage()]);
    for (const token of tokens) expect(shown).not.toContain(token);
    // Nor when the server itself repeats it.
    expect(JSON.stringify(await call('echo', { text: `It is ${tokens[0]}.` }))).not.toContain(tokens[0]);
  });
});
