/**
 * Requests of a sign-in. A tool server names the addresses they go to, so it must not lead them into this computer or its network:
 * they go to its own origin, or over https to the public internet, to an address that was checked. Only a server that is itself on
 * this computer (or at a private address) by its literal name may have its authorization server there, too: any other name
 * could resolve to whatever its owner likes.
 */
import { lookup } from 'node:dns/promises';
import type { FetchLike } from '@modelcontextprotocol/client';
import ipaddr from 'ipaddr.js';
import { httpFetch } from '../../net/http-fetch.ts';
import type { FindRoute } from '../../net/route.ts';
import { findAddresses, isPublic, type AddressRules } from '../../tools/web/public-address.ts';
import { AddressError, socketHostOf } from '../../tools/web/web-address.ts';
import { lookupIn } from '../../tools/web/request-page.ts';
import { bounded } from '../bounded-response.ts';

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 512 * 1024;

/** Requests to where one tool server points. */
export type GuardedFetch = ReturnType<typeof createGuardedFetch>;

/** Makes them for the tool server at that address. */
export function createGuardedFetch(
  serverUrl: string,
  findRoute: FindRoute,
  resolve: AddressRules['resolve'] = (host) => lookup(host, { all: true }),
) {
  const server = new URL(serverUrl);
  const most = nearnessOfName(socketHostOf(server));
  let refusal: string | null = null;

  /** The checked addresses of a host; null: the tool server's own, which is reached anyway. */
  async function addressesOf(url: URL): Promise<Awaited<ReturnType<typeof findAddresses>> | null> {
    if (url.origin === server.origin) return null;
    try {
      const isHere = most === ON_THIS_COMPUTER && nearnessOfName(socketHostOf(url)) === ON_THIS_COMPUTER;
      if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isHere)) {
        throw new AddressError(`The sign-in at “${url.host}” isn’t protected by https.`);
      }
      if (url.username !== '' || url.password !== '') {
        throw new AddressError(`The address of the sign-in at “${url.host}” holds a name or a password.`);
      }
      return await findAddresses(socketHostOf(url), {
        resolve,
        isAllowed: (address) => (nearnessOf(address) ?? Infinity) <= most,
      });
    } catch (error) {
      if (error instanceof AddressError) refusal = error.message;
      throw error;
    }
  }

  return {
    /** Why the last address was refused, in words: the library tries others and forgets. Null: none was. */
    get refusal(): string | null {
      return refusal;
    },
    /** Rejects with AddressError, in words, for an address that nothing is sent to. */
    async check(url: URL): Promise<void> {
      await addressesOf(url);
    },
    fetch: async (...[input, init = {}]: Parameters<FetchLike>): Promise<Response> => {
      const url = new URL(input);
      const { method = 'GET', headers, body = null } = init;
      const addresses = await addressesOf(url);
      try {
        const response = await httpFetch(url, {
          method,
          headers: new Headers(headers),
          // The library sends nothing else.
          body: body === null ? null : (body as string | URLSearchParams).toString(),
          signal: AbortSignal.timeout(TIMEOUT_MS),
          route: await findRoute(url),
          ...(addresses !== null && { lookup: lookupIn(addresses) }),
        });
        return bounded(response, MAX_ANSWER_BYTES);
      } catch (error) {
        // What the library takes for a network's failure, so that it doesn't go on as if there were nothing there.
        throw new TypeError('fetch failed', { cause: error });
      }
    },
  };
}

const ON_THIS_COMPUTER = 2;

/** How near an address is: 0 is the public internet, 1 a private network, 2 this computer; null: nothing is ever sent there. */
function nearnessOf(address: string): number | null {
  if (isPublic(address)) return 0;
  if (!ipaddr.isValid(address) || address.includes('%')) return null;
  const range = ipaddr.process(address).range();
  if (range === 'loopback') return ON_THIS_COMPUTER;
  return range === 'private' || range === 'uniqueLocal' ? 1 : null;
}

/** The same for a host as it is written: a name may resolve to anything, except those that always mean this computer. */
const nearnessOfName = (host: string): number =>
  /^(?:.+\.)?localhost$/.test(host) ? ON_THIS_COMPUTER : (nearnessOf(host) ?? 0);
