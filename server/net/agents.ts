/** Node's agents, which make and keep the connections of requests. */
import type { Agent } from 'node:http';
import { networkError } from './trouble.ts';
import type { Route } from './route.ts';

/** Agents that keep connections, by what those have in common. */
const kept = new Map<string, { agent: Agent; context: unknown }>();

/** As Node's own, which keep a connection for 5 seconds. */
const KEEPING = { keepAlive: true, scheduling: 'lifo', timeout: 5_000 } as const;

/** The agent for a request. Rejects when the proxy is of a kind that can't be used. */
export async function agentFor(url: URL, route: Route, keepsConnection: boolean): Promise<Agent> {
  const { proxy, certificateFile } = route;
  if (proxy !== null && !/^https?:\/\/./.test(proxy)) {
    throw networkError('ERR_PROXY', 'Only http and https proxies can be used.');
  }
  const isSecure = url.protocol === 'https:';
  const context = isSecure ? await (await import('./trust.ts')).trustedBy(certificateFile) : null;
  const key = `${url.protocol} ${proxy}`;
  const known = kept.get(key);
  if (keepsConnection && known !== undefined && known.context === context) return known.agent;
  const { Agent: OneAgent } = isSecure ? await import('node:https') : await import('node:http');
  const agent = new OneAgent({
    ...(keepsConnection && KEEPING),
    ...(context !== null && { secureContext: context }),
    ...(proxy !== null && { proxyEnv: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } }),
  });
  if (keepsConnection) kept.set(key, { agent, context });
  return agent;
}
