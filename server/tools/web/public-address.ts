/**
 * Finding a host's network addresses, and which of them belong to the public internet. Everything else (this computer, the
 * network around it, addresses that stand for others) is refused: a page must not be a way into them.
 */
import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { AddressError } from './web-address.ts';

/** How addresses are found and judged. */
export interface AddressRules {
  /** All addresses of a name; the system's resolver unless given. */
  resolve?: (host: string) => Promise<readonly LookupAddress[]>;
  /** Whether a connection may go there; {@link isPublic} unless given. */
  isAllowed?: (address: string) => boolean;
}

/** Not reserved, but within Azure it is the host's own service, as 169.254.169.254 is elsewhere. */
const CLOUD_HOST = '168.63.129.16';
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an address is one of the public internet. */
export function isPublic(address: string): boolean {
  // A zone, as in fe80::1%eth0, is of use only nearby.
  if (!ipaddr.isValid(address) || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast' || parsed.toString() === CLOUD_HOST) return false;
  return parsed.kind() === 'ipv4' || (parsed instanceof ipaddr.IPv6 && parsed.match(GLOBAL_IPV6));
}

/**
 * The addresses of a host, checked; connections are to go to one of them and not to ask again. Rejects with AddressError when
 * there are none, or when any of them is not public.
 */
export async function findAddresses(host: string, rules: AddressRules): Promise<readonly LookupAddress[]> {
  const { resolve = (name: string) => lookup(name, { all: true }), isAllowed = isPublic } = rules;
  const family = isIP(host);
  const found = family === 0 ? await resolve(host).catch(() => []) : [{ address: host, family }];
  if (found.length === 0)
    throw new AddressError(`There is no “${host}” on the internet, or it can’t be reached now.`);
  if (!found.every(({ address }) => isAllowed(address))) {
    throw new AddressError(
      `“${host}” is on this computer or in a private network, where nothing is fetched from.`,
    );
  }
  return found;
}
