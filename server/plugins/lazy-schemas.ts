/**
 * Most endpoints are not asked for in the first second, and many never: what checks their requests and writes their
 * answers is compiled when it is first needed, in a millisecond or so, instead of all of it at every start.
 */
import AjvCompiler from '@fastify/ajv-compiler';
import type { FastifySchemaCompiler, RouteOptions } from 'fastify';
import type { FastifySerializerCompiler, FastifyValidationResult } from 'fastify/types/schema.js';
import type { App } from './route.ts';

/**
 * How requests are checked. Nothing is coerced, filled in or removed; all errors are told, and `verbose` gives them what
 * would be right.
 */
export const CHECKS = {
  coerceTypes: false,
  useDefaults: false,
  removeAdditional: false,
  allErrors: true,
  verbose: true,
  // Whether the schemas are sound is for a test to say: checking them costs more than compiling them.
  validateSchema: false,
  // What would be right, for an error's sentence: see validation-words.ts.
  keywords: ['expected'],
};

/**
 * Of what holds more values than this, only the first error is told: a list of a hundred thousand that is wrong all through
 * would take seconds otherwise, and an answer a hundred times as long.
 */
const MOST_VALUES = 1_000;

/** The first thing that every client asks for. It is compiled at the start, which also sets up the compilers. */
const AT_ONCE = { method: 'GET', url: '/api/v1/chats' };

/** A schema of a route. */
export interface RouteSchema {
  /** For what is sent to the route, or for what it answers. */
  kind: 'request' | 'answer';
  schema: unknown;
  /** Compiles it, if it isn't yet; throws when it can't be. The app has to be ready. */
  readonly compile: () => void;
}

const schemasOf = new WeakMap<App, RouteSchema[]>();

/** Makes routes that are added from here on compile their schemas when they are first used. */
export function setupLazySchemas(app: App): void {
  const all: RouteSchema[] = [];
  schemasOf.set(app, all);

  const briefCompiler = once(() => AjvCompiler()({}, { customOptions: { ...CHECKS, allErrors: false } }));
  const validatorCompiler: FastifySchemaCompiler<unknown> = (route) => {
    const validator = once(() => requireCompiler(app.validatorCompiler)(route));
    const briefValidator = once(() => (briefCompiler() as FastifySchemaCompiler<unknown>)(route));
    all.push({ kind: 'request', schema: route.schema, compile: validator });
    const validate: FastifyValidationResult = (data: unknown) => {
      const compiled = hasMore(data, MOST_VALUES) ? briefValidator() : validator();
      const result = compiled(data);
      // Where Fastify looks for what is wrong.
      validate.errors = compiled.errors ?? null;
      return result;
    };
    return validate;
  };
  const serializerCompiler: FastifySerializerCompiler<unknown> = (route) => {
    const serializer = once(() => requireCompiler(app.serializerCompiler)(route));
    all.push({ kind: 'answer', schema: route.schema, compile: serializer });
    return (data: unknown) => serializer()(data);
  };

  app.addHook('onRoute', (route: RouteOptions) => {
    if (route.url === AT_ONCE.url && route.method === AT_ONCE.method) return;
    route.validatorCompiler = validatorCompiler;
    route.serializerCompiler = serializerCompiler;
  });
}

/** All that is compiled when it is first needed, for a test that none of it is broken. The app has to be ready. */
export const lazySchemas = (app: App): readonly RouteSchema[] => schemasOf.get(app) ?? [];

/** Whether `data` holds more than so many values, however they lie in one another. */
function hasMore(data: unknown, most: number): boolean {
  const waiting = [data];
  let count = 0;
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    const inner: unknown[] = Array.isArray(value) ? value : Object.values(value);
    count += inner.length;
    if (count > most) return true;
    waiting.push(...inner);
  }
  return false;
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

function requireCompiler<T>(compiler: T | undefined): T {
  if (compiler === undefined) throw new Error(`No route at ${AT_ONCE.url} has set the compilers up.`);
  return compiler;
}
