import type { FastifySchema } from 'fastify';
import { adminOnly, approveOnly, outgoingOnly, type App } from './route.ts';
import { pathOf } from './request-path.ts';

/** A route as it was added. */
export interface KnownRoute {
  method: string;
  /** With `:name` for parameters. */
  url: string;
  schema: FastifySchema;
  /** What the caller's key needs, beyond being valid. */
  needs: 'admin' | 'approve' | 'outgoing' | null;
}

/** The routes of the service. */
export type KnownRoutes = ReturnType<typeof rememberRoutes>;

/** What routes' hooks require of the caller's key. */
const NEEDS = [
  [adminOnly, 'admin'],
  [approveOnly, 'approve'],
  [outgoingOnly, 'outgoing'],
] as const;

/** Remembers the routes that are added from here on. */
export function rememberRoutes(app: App) {
  /** In the order in which they were added, without the HEAD of each GET. */
  const list: KnownRoute[] = [];
  const patterns = new Map<string, { pattern: RegExp; methods: string[] }>();
  app.addHook('onRoute', ({ method, url, schema = {}, onRequest }) => {
    const hooks: readonly unknown[] = [onRequest].flat();
    const [, needs = null] = NEEDS.find(([hook]) => hooks.includes(hook)) ?? [];
    // Wildcard routes serve the page's files; they don't count as endpoints.
    if (url.includes('*')) return;
    const known = patterns.get(url) ?? { pattern: toPattern(url), methods: [] };
    patterns.set(url, known);
    for (const name of [method].flat()) {
      known.methods.push(name);
      if (name !== 'HEAD') list.push({ method: name, url, schema, needs });
    }
  });
  return {
    list,
    /** The methods, in capitals, that a request target accepts; empty: there is no such route. */
    methodsAt(target: string): readonly string[] {
      const path = pathOf(target);
      const found = [...patterns.values()].filter(({ pattern }) => pattern.test(path));
      return [...new Set(found.flatMap(({ methods }) => methods))].sort();
    },
  };
}

const toPattern = (url: string): RegExp => {
  const parts = url.split('/').map((part) => (part.startsWith(':') ? '[^/]+' : RegExp.escape(part)));
  return new RegExp(`^${parts.join('/')}/?$`);
};
