/**
 * How requests to other servers leave this computer: through which proxy, if any, and what their certificates are checked
 * against. A proxy of the environment goes before the system's, which only the desktop app can ask for.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import ipaddr from 'ipaddr.js';
import type { EnvironmentProxies } from '../config.ts';
import { connectFirst } from '../lib/connect-first.ts';

/** The way to a server. Plain data: it goes to the agents' thread with a turn. */
export interface Route {
  /** Address of the proxy; null: none. */
  proxy: string | null;
  /** A file with certificates that are trusted besides the system's; null: none. */
  certificateFile: string | null;
}

/** Finds the way to an address. Never rejects. */
export type FindRoute = (url: string | URL) => Promise<Route>;

/** Without a proxy, with the certificates that the system trusts. */
export const DIRECT: Route = { proxy: null, certificateFile: null };

/** Finds {@link DIRECT}. */
export const findDirect: FindRoute = async () => DIRECT;

/** Resolves with the system's proxies for an address, as `PROXY host:port; DIRECT` in proxy auto-configuration. */
export type SystemProxy = (url: string) => Promise<string>;

/** What the way depends on. */
export interface RouteDeps {
  environment: EnvironmentProxies | null;
  systemProxy: SystemProxy | null;
  /** The setting, as it is now. */
  certificateFile: () => string | null;
}

/** How long the system may take, which may first have to look for its proxy in the network. */
const SYSTEM_MS = 5_000;

/** Schemes of the system's proxies. */
const SCHEMES: Readonly<Record<string, string>> = { PROXY: 'http', HTTP: 'http', HTTPS: 'https' };

/** Finds ways as the environment and the system say. Nothing on this computer is reached through a proxy. */
export function createFindRoute({ environment, systemProxy, certificateFile }: RouteDeps): FindRoute {
  async function proxyFor(url: URL): Promise<string | null> {
    if (isOnThisComputer(url.hostname)) return null;
    if (environment === null) {
      const none = sleep(SYSTEM_MS, 'DIRECT', { ref: false });
      return systemProxy === null ? null : readSystem(await Promise.race([systemProxy(url.href), none]));
    }
    const { http, https, except } = environment;
    const proxy = url.protocol === 'https:' ? https : http;
    if (proxy === null || isExcepted(url, except)) return null;
    return proxy.includes('://') ? proxy : `http://${proxy}`;
  }
  return async (address) => ({
    // A system that gives no answer has no proxy.
    proxy: await proxyFor(new URL(address)).catch(() => null),
    certificateFile: certificateFile(),
  });
}

const isOnThisComputer = (hostname: string): boolean =>
  /^(?:(?:.+\.)?localhost\.?|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);

/**
 * The first entry of the list that can be used now: a proxy may be down, and the next is for that. If none can, the first; one of
 * another kind (SOCKS) is kept by its name. So connecting fails, and says so.
 */
async function readSystem(list: string): Promise<string | null> {
  const proxies = Array.from(list.matchAll(/(\w+)[^\S;]*([^\s;]*)/g), ([, kind = '', host]) =>
    kind === 'DIRECT' ? null : `${SCHEMES[kind.toUpperCase()] ?? kind.toLowerCase()}://${host}`,
  );
  for (const proxy of proxies.length > 1 ? proxies : [])
    if (proxy === null || (await isReachable(proxy))) return proxy;
  return proxies[0] ?? null;
}

async function isReachable(proxy: string): Promise<boolean> {
  const { protocol, hostname, port } = new URL(proxy);
  const usual = { 'http:': 80, 'https:': 443 }[protocol];
  if (usual === undefined) return false;
  const socket = await connectFirst([
    { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port) || usual },
  ]);
  socket?.destroy();
  return socket !== null;
}

/** Whether `NO_PROXY` names the host: by `*`, name, the end of its name, address or range of addresses, with a port or without. */
function isExcepted({ hostname, port, protocol }: URL, except: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const ownPort = port || (protocol === 'https:' ? '443' : '80');
  return except
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      if (entry === '*') return true;
      const [, name = '', wantedPort = ownPort] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(entry) ?? [];
      if (ipaddr.isValidCIDR(entry)) return ipaddr.isValid(host) && isInRange(host, entry);
      if (ipaddr.isValid(entry)) return host === entry;
      const domain = name.replace(/^\*?\./, '');
      return domain !== '' && wantedPort === ownPort && (host === domain || host.endsWith(`.${domain}`));
    });
}

function isInRange(host: string, range: string): boolean {
  const [address, [network, bits]] = [ipaddr.parse(host), ipaddr.parseCIDR(range)];
  return address.kind() === network.kind() && address.match(network, bits);
}
