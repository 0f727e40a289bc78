import type { FastifySchema } from 'fastify';
import type { App } from './endpoints.ts';
import { pathOf } from './request-path.ts';

/** A route as it was added. */
export interface KnownRoute {
  method: string;
  /** With `:name` for parameters. */
  url: string;
  schema: FastifySchema;
}

/** The routes of the service. */
export type KnownRoutes = ReturnType<typeof rememberRoutes>;

/** Remembers the routes that are added from here on. */
export function rememberRoutes(app: App) {
  /** In the order in which they were added, without the HEAD of each GET. */
  const list: KnownRoute[] = [];
  const patterns = new Map<string, { pattern: RegExp; methods: string[] }>();
  app.addHook('onRoute', ({ method, url, schema = {} }) => {
    // Wildcard routes serve the page's files; they don't count as endpoints.
    if (url.includes('*')) return;
    const known = patterns.get(url) ?? { pattern: toPattern(url), methods: [] };
    patterns.set(url, known);
    for (const name of [method].flat()) {
      known.methods.push(name);
      if (name !== 'HEAD') list.push({ method: name, url, schema });
    }
  });
  return {
    list,
    /** The methods, in capitals, that a request target accepts; empty: there is no such route. */
    methodsAt(target: string): readonly string[] {
      // As for the router, an encoded slash is part of a name.
      const path = pathOf(target.replace(/%2f/gi, '%25'));
      const found = [...patterns.values()].filter(({ pattern }) => pattern.test(path));
      return [...new Set(found.flatMap(({ methods }) => methods))].sort();
    },
  };
}

const toPattern = (url: string): RegExp => {
  const parts = url.split('/').map((part) => (part.startsWith(':') ? '[^/]+' : RegExp.escape(part)));
  return new RegExp(`^${parts.join('/')}/?$`);
};
