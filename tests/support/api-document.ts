/** The API's own document, and checks of answers against it. */
import { readFile } from 'node:fs/promises';
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';
import { buildApp, type AppDeps } from '../../server/app.ts';
import type { App } from '../../server/plugins/endpoints.ts';
import type { ApiDocument } from '../../server/routes/openapi/document.ts';
import { DEFAULT_SETTINGS } from '../../shared/default-settings.ts';
import { DOCUMENT } from './bundled.ts';

/** The service's routes, over parts that are never called; the caller closes it. */
export async function appOfRoutes(): Promise<App> {
  const settings = { current: () => DEFAULT_SETTINGS };
  const deps = {
    version: '1',
    pageDir: null,
    settings,
    streams: { close: () => undefined },
    waits: { close: () => undefined },
    statelessTurns: { close: () => undefined },
  };
  const app = buildApp(deps as unknown as AppDeps);
  await app.ready();
  return app;
}

let document: Promise<ApiDocument> | null = null;

/** The answer of `GET /openapi.json`. */
export function apiDocument(): Promise<ApiDocument> {
  document ??= (async () => {
    const app = await appOfRoutes();
    try {
      const answer = await app.inject({ url: '/openapi.json', headers: { host: 'localhost:80' } });
      return answer.json<ApiDocument>();
    } finally {
      await app.close();
    }
  })();
  return document;
}

/** A part of the document. */
export type Part = Record<string, unknown>;

/** An operation of the document. */
export interface Operation {
  method: string;
  /** With `{name}` for variable parts. */
  path: string;
  described: Part;
}

/** All operations, fixed paths before patterns that would match them, too. */
export const operationsOf = ({ paths }: ApiDocument): Operation[] =>
  Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, described]) => ({
        method: method.toUpperCase(),
        path,
        described,
      })),
    )
    .sort((a, b) => a.path.split('{').length - b.path.split('{').length);

/** The part that a reference points to, or the part itself. */
export function resolved(whole: ApiDocument, part: unknown): Part {
  const { $ref } = part as { $ref?: string };
  if ($ref === undefined) return part as Part;
  let found: unknown = whole;
  for (const name of $ref.slice(2).split('/')) found = (found as Part)[name];
  if (found === undefined) throw new Error(`The document has no ${$ref}.`);
  return resolved(whole, found);
}

/** The parts of an answer that are checked. */
export interface CheckedAnswer {
  status: number;
  headers: Readonly<Record<string, unknown>>;
  text: string;
}

/** Checks answers and events against the document. */
export interface ApiChecks {
  /** Throws when the document doesn't describe the answer; a path that isn't in it may answer anything. */
  answer(method: string, target: string, answer: CheckedAnswer): void;
  /** Throws when no stream has such an event. */
  event(name: string, data: unknown): void;
}

let checks: Promise<ApiChecks> | null = null;

/** The checks of the service's document, as it was written before the first test. */
export function apiChecks(): Promise<ApiChecks> {
  checks ??= readFile(DOCUMENT, 'utf8').then((text) => createChecks(JSON.parse(text) as ApiDocument));
  return checks;
}

function createChecks(whole: ApiDocument): ApiChecks {
  const fits = createFits(whole);
  const operations = operationsOf(whole).map((operation) => ({
    ...operation,
    pattern: new RegExp(`^${operation.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));
  const events = new Map<string, unknown>();
  for (const { described } of operations) {
    const { content = {} } = resolved(whole, (described['responses'] as Part)['200'] ?? {}) as {
      content?: Record<string, { 'x-events'?: Part }>;
    };
    for (const entry of Object.entries(content['text/event-stream']?.['x-events'] ?? {}))
      events.set(...entry);
  }

  return {
    answer(method, target, { status, headers, text }) {
      const path = target.split(/[?#]/)[0] ?? '';
      const wanted = method === 'HEAD' ? 'GET' : method;
      const operation = operations.find((one) => one.method === wanted && one.pattern.test(path));
      if (operation === undefined) return;
      const where = `${method} ${operation.path}: ${status}`;
      const responses = operation.described['responses'] as Part;
      if (responses[status] === undefined) throw new Error(`${where} is not in the document. ${text}`);
      if (headers['x-request-id'] === undefined) throw new Error(`${where} came without X-Request-Id.`);
      const { content } = resolved(whole, responses[status]) as { content?: Record<string, Part> };
      if (method === 'HEAD' || status === 304) return;
      if (content === undefined) throw new Error(`${where} has no body in the document.`);
      const type = String(headers['content-type']).split(';')[0] ?? '';
      const media = content[type] ?? content['*/*'];
      if (media === undefined) throw new Error(`${where} is not told to be ${type}.`);
      if (type !== 'application/json' || content[type] === undefined) return;
      const body: unknown = JSON.parse(text);
      const problem = fits(media['schema'], body);
      if (problem !== null)
        throw new Error(`${where} is not as the document says: ${problem}\n${text.slice(0, 2_000)}`);
      const code = (body as { error?: { code: string } }).error?.code;
      if (status >= 400 && (media['examples'] as Part)[code ?? ''] === undefined) {
        throw new Error(`${where} is not told to come with ${code}.`);
      }
    },
    event(name, data) {
      const problem = events.has(name) ? fits(events.get(name), data) : 'there is no such event';
      if (problem !== null)
        throw new Error(`Event ${name}: ${problem}\n${JSON.stringify(data).slice(0, 2_000)}`);
    },
  };
}

/** What is wrong with a value according to a schema of the document; null: nothing. Anything the document doesn't mention is wrong, too. */
export function createFits(whole: ApiDocument): (schema: unknown, value: unknown) => string | null {
  // A separate test checks that the document itself is valid.
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
  ajv.addSchema({ $id: 'api', components: { schemas: closed(whole, whole.components['schemas']) } });
  const validators = new Map<unknown, ReturnType<typeof ajv.compile>>();
  return (schema, value) => {
    let validate = validators.get(schema);
    if (validate === undefined) {
      validate = ajv.compile(closed(whole, schema) as AnySchemaObject);
      validators.set(schema, validate);
    }
    return validate(value) ? null : ajv.errorsText(validate.errors);
  };
}

/** The schema, allowing nothing that it doesn't name. */
function closed(whole: ApiDocument, schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((one) => closed(whole, one));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { allOf, $ref } = schema as { allOf?: unknown[]; $ref?: unknown };
  if (Array.isArray(allOf)) return closed(whole, merged(allOf.map((part) => resolved(whole, part))));
  if (typeof $ref === 'string') return { $ref: `api${$ref}` };
  const parts = Object.entries(schema).map(([name, part]) => [name, closed(whole, part)]);
  const copy = Object.fromEntries(parts) as Part;
  const isClosed = copy['type'] === 'object' && copy['properties'] !== undefined;
  return isClosed ? { additionalProperties: false, ...copy } : copy;
}

const merged = (parts: readonly Part[]): Part => ({
  type: 'object',
  required: parts.flatMap(({ required }) => (required ?? []) as string[]),
  properties: Object.assign({}, ...parts.map(({ properties }) => properties)) as unknown,
});
