/**
 * Compiles each route's validators and serializers when they are first needed, which takes about a millisecond, instead of all of them at
 * every start: many routes are never used. Equal schemas are compiled once in a process, whatever routes and services have them.
 */
import AjvCompiler from '@fastify/ajv-compiler';
import SerializerCompiler from '@fastify/fast-json-stringify-compiler';
import type { FastifySchemaCompiler } from 'fastify';
import type { FastifySerializerCompiler, FastifyValidationResult } from 'fastify/types/schema.js';
import type { App } from './endpoints.ts';

/**
 * How requests are validated. Nothing is coerced, filled in or removed. All errors are reported; `verbose` adds the schema to each, for
 * its message.
 */
const CHECKS = {
  coerceTypes: false,
  useDefaults: false,
  removeAdditional: false,
  allErrors: true,
  verbose: true,
  // A test checks the schemas; doing it here would cost more than compiling them.
  validateSchema: false,
  meta: false,
  // What a value should be, for error messages; see validation-words.ts.
  keywords: ['expected'],
};

/**
 * For a body with more values than this, only the first error is reported: a wrong list of a hundred thousand would take seconds and give
 * a huge answer. Queries and paths are never that long.
 */
const MOST_VALUES = 1_000;

/** A schema of a route. */
export interface RouteSchema {
  /** For what is sent to the route, or for what it answers. */
  kind: 'request' | 'answer';
  schema: unknown;
  /** Its validator or serializer, compiled if it isn't yet; throws when it can't be. */
  readonly compile: () => unknown;
}

/** Compiles equal schemas once. */
function compileOnce<Route extends { schema: unknown }, Compiled>(
  newCompiler: () => (route: Route) => Compiled,
): (route: Route) => Compiled {
  const compiler = once(newCompiler);
  const compiled = new Map<string, Compiled>();
  return (route) => {
    const key = JSON.stringify(route.schema);
    const made = compiled.get(key) ?? compiler()(route);
    compiled.set(key, made);
    return made;
  };
}

const validatorsWith = (options: typeof CHECKS) =>
  compileOnce(() => AjvCompiler()({}, { customOptions: options }) as FastifySchemaCompiler<unknown>);
const validatorOf = validatorsWith(CHECKS);
const briefValidatorOf = validatorsWith({ ...CHECKS, allErrors: false });
const serializerOf = compileOnce(() => SerializerCompiler()({}, {}) as FastifySerializerCompiler<unknown>);

const schemasOf = new WeakMap<App, RouteSchema[]>();

/** Makes routes added from here on compile their schemas on first use. */
export function setupLazySchemas(app: App): void {
  const all: RouteSchema[] = [];
  schemasOf.set(app, all);
  app.setValidatorCompiler((route) => {
    const validator = once(() => validatorOf(route));
    const briefValidator = once(() => briefValidatorOf(route));
    all.push({ kind: 'request', schema: route.schema, compile: validator });
    const validate: FastifyValidationResult = (data: unknown) => {
      const isLong = route.httpPart === 'body' && hasMore(data, MOST_VALUES);
      const compiled = isLong ? briefValidator() : validator();
      const result = compiled(data);
      // Where Fastify reads the errors.
      validate.errors = compiled.errors ?? null;
      return result;
    };
    return validate;
  });
  app.setSerializerCompiler((route) => {
    const serializer = once(() => serializerOf(route));
    all.push({ kind: 'answer', schema: route.schema, compile: serializer });
    return (data: unknown) => serializer()(data);
  });
}

/** Everything that is compiled on first use, so that a test can compile all of it. */
export const lazySchemas = (app: App): readonly RouteSchema[] => schemasOf.get(app) ?? [];

/** Whether `data` holds more than this many values, at any depth. */
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
