/**
 * The sign-ins at tool servers: kept as secrets, each bound to its server's address and to the authorization server that it was
 * made with. A sign-in begins with a person's click and ends at the redirect address; the state is used once.
 */
import { timingSafeEqual } from 'node:crypto';
import type { StoredOAuthTokens } from '@modelcontextprotocol/client';
import type { McpServer, McpSignInBody } from '../../../shared/api/mcp.ts';
import { AppError } from '../../errors.ts';
import { createSequence, type Sequence } from '../../lib/sequence.ts';
import { inOneLine } from '../../net/error-words.ts';
import type { FindRoute } from '../../net/route.ts';
import { codeIn, describeTrouble, troubleOf } from '../../net/trouble.ts';
import { createStrictMask } from '../../secrets/mask.ts';
import { namesHeader } from '../../secrets/header-values.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import type { StoredMcpServer } from '../../store/mcp-repository.ts';
import type { AddressRules } from '../../tools/web/public-address.ts';
import { McpFault } from '../connection.ts';
import { createGuardedFetch, type GuardedFetch } from './guarded-fetch.ts';
import type { KeptSignIn, SignInChallenge } from './kept-sign-in.ts';
import type { ServerAuth } from './server-auth.ts';

/** A tool server at an address. Its id is empty before it is stored. */
export interface SignedServer {
  id: string;
  name: string;
  url: string;
}

/** What the sign-ins work with. */
export interface SignInDeps {
  secrets: Pick<Secrets, 'read' | 'write' | 'remove' | 'names'>;
  clock: () => Date;
  findRoute: FindRoute;
  /** Finds addresses of names; the system's resolver unless given. */
  resolve: AddressRules['resolve'] | undefined;
  /** A stored server that can be signed in at; null: there is none of that id. */
  find: (serverId: string) => SignedServer | null;
}

/** The end of a sign-in: words for the page that the browser shows. */
export interface SignInEnd {
  server: SignedServer | null;
  /** Null: it worked. */
  problem: string | null;
}

export type SignIns = ReturnType<typeof createSignIns>;

const PREFIX = 'mcp-sign-in:';
const UNKNOWN = 'Parley doesn’t wait for this sign-in (any more). Start it again in Parley.';

/** The server as far as sign-ins go; null: it is a program, or the person set its `Authorization` themselves. */
export const signedServer = ({ id, name, url, secretNames }: StoredMcpServer): SignedServer | null =>
  url === null || namesHeader(secretNames, 'authorization') ? null : { id, name, url };

/** The sign-ins at the tool servers of a store. */
export function createSignIns({ secrets, clock, findRoute, resolve, find }: SignInDeps) {
  /** What servers asked for since the start. */
  const needs = new Map<string, SignInChallenge>();
  /** Why the last try failed. */
  const problems = new Map<string, string>();
  const sequences = new Map<string, Sequence>();
  /** Servers whose code is being exchanged: their state is used up, and there are no tokens yet. */
  const finishing = new Set<string>();

  const guardedFor = ({ url }: SignedServer): GuardedFetch => createGuardedFetch(url, findRoute, resolve);

  function inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    const sequence = sequences.get(id) ?? createSequence();
    sequences.set(id, sequence);
    return sequence.run(work);
  }

  async function read({ id, url }: SignedServer): Promise<KeptSignIn | null> {
    if (id === '') return null;
    const reading = await secrets.read(PREFIX + id);
    if (reading.state === 'locked')
      throw new McpFault('secrets_locked', `The sign-in can’t be used. ${reading.reason}`);
    const kept = reading.state === 'present' ? (JSON.parse(reading.text) as KeptSignIn) : null;
    return kept?.url === url ? kept : null;
  }

  const write = (id: string, kept: KeptSignIn): Promise<void> =>
    secrets.write(PREFIX + id, JSON.stringify(kept));

  /** Why a sign-in failed, in a sentence or two. `guarded`: with what it was tried; `hidden`: what a server might repeat. */
  function explain(
    error: unknown,
    { name, url }: SignedServer,
    { refusal }: GuardedFetch,
    hidden: readonly (string | null | undefined)[],
  ): string {
    if (error instanceof AppError || error instanceof McpFault) return error.message;
    if (refusal !== null) return refusal;
    const code = codeIn(error);
    if (code !== null) return `${describeTrouble(troubleOf(code), url, `the sign-in of “${name}”`).what}.`;
    const mask = createStrictMask(Object.fromEntries(hidden.map((text, at) => [String(at), text ?? ''])));
    const words = error instanceof Error ? inOneLine(wordsOf(error), mask) : '';
    return `The sign-in of “${name}” doesn’t work as it should: ${words}`;
  }

  /** Remembers that the server asked for one. */
  function noteNeed({ id }: SignedServer, challenge: SignInChallenge): void {
    const before = needs.get(id);
    const { scope = before?.scope, resourceMetadataUrl = before?.resourceMetadataUrl } = challenge;
    if (id !== '') needs.set(id, { scope, resourceMetadataUrl });
  }

  function forgetNeed(serverId: string): void {
    needs.delete(serverId);
    problems.delete(serverId);
  }

  /**
   * After a token was refused: the kept ones, if they are others by now, or else new ones. `refresh` resolves with null when only
   * signing in again helps; the old ones are then forgotten. Rejects with McpFault when the authorization server can't be reached.
   */
  const renew = (
    server: SignedServer,
    refused: string | undefined,
    refresh: (kept: KeptSignIn) => Promise<StoredOAuthTokens | null>,
  ): Promise<KeptSignIn | null> =>
    inTurn(server.id, async () => {
      const kept = await read(server);
      if (kept?.tokens === undefined || kept.tokens.access_token !== refused) return kept;
      let tokens: StoredOAuthTokens | null;
      try {
        tokens = await refresh(kept);
      } catch (error) {
        const { host } = new URL(kept.registration?.authorizationServerUrl ?? server.url);
        const words = `The sign-in of “${server.name}” could not be renewed: ${host} can’t be reached, or has a fault. Try again later.`;
        throw new McpFault('failed', words, error);
      }
      const after: KeptSignIn = { ...kept };
      if (tokens !== null) after.tokens = tokens;
      else {
        delete after.tokens;
        after.hasEnded = true;
      }
      await write(server.id, after);
      return after;
    });

  return {
    read,
    noteNeed,
    renew,

    /** Whether the server asked for one since, which a person hasn't given. */
    isNeeded: (serverId: string): boolean => needs.has(serverId),

    /** For a connection to that server; null: it has no sign-in. */
    authFor: async (stored: StoredMcpServer): Promise<ServerAuth | null> => {
      const server = signedServer(stored);
      if (server === null) return null;
      const { createServerAuth } = await import('./server-auth.ts');
      return createServerAuth(server, { read, renew, noteNeed }, guardedFor(server));
    },

    /** As it is shown; `problem`: why it isn't there. */
    async stateOf(
      stored: StoredMcpServer,
    ): Promise<{ signIn: McpServer['signIn']; signInProblem: string | null }> {
      const server = signedServer(stored);
      if (server === null) return { signIn: 'none', signInProblem: null };
      let signIn: McpServer['signIn'];
      let signInProblem = problems.get(server.id) ?? null;
      try {
        const kept = await read(server);
        const isPending =
          finishing.has(server.id) ||
          (kept?.pending !== undefined && kept.pending.expiresAt > clock().toISOString());
        const had = kept?.hasEnded === true || kept?.tokens !== undefined;
        // Begun and never finished: the browser didn't come back in time, or Parley was killed while it exchanged the code.
        const isUnfinished = kept !== null && !had;
        if (isUnfinished) signInProblem ??= UNFINISHED;
        if (isPending) signIn = 'pending';
        else if (needs.has(server.id) || kept?.hasEnded === true || isUnfinished)
          signIn = had ? 'ended' : 'needed';
        else signIn = had ? 'present' : 'none';
      } catch {
        signIn = (await secrets.names()).includes(PREFIX + server.id) ? 'ended' : 'none';
      }
      return { signIn, signInProblem: signIn === 'pending' ? null : signInProblem };
    },

    /**
     * Prepares a sign-in, and resolves with the address that the person's browser is to open. Replaces one that is under way. Rejects with
     * AppError `fetch_failed`, or `invalid_request` when the client has to be given.
     */
    begin: (
      server: SignedServer,
      redirectUrl: string,
      given: McpSignInBody,
    ): Promise<{ url: string; expiresAt: string }> =>
      inTurn(server.id, async () => {
        const guarded = guardedFor(server);
        const challenge = needs.get(server.id) ?? {};
        try {
          const kept = await read(server);
          const { beginSignIn } = await import('./oauth-client.ts');
          const { address, pending } = await beginSignIn({
            ...{ serverId: server.id, serverUrl: server.url, redirectUrl, given, challenge, guarded },
            ...(kept?.registration !== undefined && { registration: kept.registration }),
            now: clock(),
          });
          await write(server.id, { ...kept, url: server.url, pending });
          return { url: address.href, expiresAt: pending.expiresAt };
        } catch (error) {
          if (error instanceof AppError) throw error;
          throw new AppError('fetch_failed', explain(error, server, guarded, [given.clientSecret]));
        }
      }),

    /** Takes what the browser came back with. Never rejects for what it holds. */
    async finish(query: URLSearchParams): Promise<SignInEnd> {
      const state = query.get('state') ?? '';
      const server = find(state.split('.', 1)[0] ?? '');
      if (server === null) return { server: null, problem: UNKNOWN };
      return inTurn(server.id, async () => {
        const guarded = guardedFor(server);
        const code = query.get('code');
        const hidden = [code, state];
        try {
          const { pending, ...rest } = (await read(server)) ?? { url: server.url };
          if (pending === undefined || !isSame(pending.state, state))
            return { server: null, problem: UNKNOWN };
          finishing.add(server.id);
          // Whatever comes of it, this state is used up.
          await write(server.id, rest);
          const { registration, verifier } = pending;
          hidden.push(verifier, registration.client.client_secret ?? null);
          if (pending.expiresAt <= clock().toISOString()) throw new AppError('conflict', TOO_LATE);
          if (code === null) {
            throw new AppError('conflict', query.get('error') === 'access_denied' ? DENIED : REFUSED);
          }
          const { exchangeCode } = await import('./oauth-client.ts');
          const tokens = await exchangeCode(pending, { code, iss: query.get('iss') }, guarded.fetch);
          await write(server.id, { url: server.url, registration, tokens });
        } catch (error) {
          const problem = explain(error, server, guarded, hidden);
          noteNeed(server, {});
          problems.set(server.id, problem);
          return { server, problem };
        } finally {
          finishing.delete(server.id);
        }
        forgetNeed(server.id);
        return { server, problem: null };
      });
    },

    /** Forgets the sign-in, after asking the authorization server to take it back; resolves with whether that confirmed it. */
    end: (server: SignedServer): Promise<boolean> =>
      inTurn(server.id, async () => {
        const kept = await read(server).catch(() => null);
        forgetNeed(server.id);
        await secrets.remove(PREFIX + server.id);
        if (kept?.tokens === undefined || kept.registration === undefined) return false;
        const { revokeTokens } = await import('./oauth-client.ts');
        return revokeTokens(kept.registration, kept.tokens, guardedFor(server).fetch);
      }),

    /** Resolves when nothing is being exchanged or renewed: tokens that were given and not kept would be lost. */
    async settled(): Promise<void> {
      await Promise.all([...sequences.values()].map((sequence) => sequence.settled()));
    },

    /** Removes what an earlier process left without a server. */
    async sweep(): Promise<void> {
      for (const name of await secrets.names()) {
        if (name.startsWith(PREFIX) && find(name.slice(PREFIX.length)) === null) await secrets.remove(name);
      }
    },
  };
}

const UNFINISHED = 'The sign-in was not finished. Start it again.';
const TOO_LATE = 'This sign-in took too long. Start it again in Parley.';
const DENIED = 'The sign-in was cancelled or refused.';
const REFUSED = 'The sign-in failed at the server that was asked. Start it again in Parley.';

/** The message of an error. What a response lacks comes from the library as a list. */
function wordsOf(error: Error): string {
  const { issues: [issue] = [] } = error as { issues?: readonly { path: unknown[]; message: string }[] };
  return issue === undefined ? error.message : `${issue.path.join('.')}: ${issue.message}`;
}

/** Compares them in the same time, wherever they differ. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
