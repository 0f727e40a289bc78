/**
 * The API's document (OpenAPI 3.1), generated from the schemas that validate requests and serialize responses. OpenAPI 3.1
 * takes JSON Schema unchanged, so this only adds parameters, each route's errors, and names.
 */
import type { FastifySchema } from 'fastify';
import type { TSchema } from 'typebox';
import { ErrorBody } from '../../../shared/api/common.ts';
import type { KnownRoute } from '../../plugins/known-routes.ts';
import { areaOf } from '../../plugins/request-path.ts';
import type { AnswerDoc } from '../../plugins/route-doc.ts';
import { createComponents, type Components, type Json } from './components.ts';
import {
  errorAnswers,
  errorExamples,
  errorsOf,
  headerRefs,
  namesWorkspace,
  openAiErrorAnswers,
} from './error-answers.ts';
import { exampleOf } from './examples.ts';
import { HEADERS, INTRODUCTION, SUCCESS, TAGS, WORKSPACE_HEADER } from './words.ts';

/** The document as plain JSON. */
export interface ApiDocument {
  openapi: '3.1.0';
  /** Operations by path, with `{name}` for parameters, and by method in lower case. */
  paths: Record<string, Record<string, Json>>;
  components: Record<string, Json>;
  [part: string]: unknown;
}

/** Whether a route is in the document: all of the API, and others that have a summary, unless they are hidden. */
export const isDocumented = ({ url, schema }: KnownRoute): boolean =>
  schema.hide !== true && (['api', 'session'].includes(areaOf(url)) || schema.summary !== undefined);

/** Describes the routes. */
export function describeApi(routes: readonly KnownRoute[], version: string): ApiDocument {
  const components = createComponents();
  const responses: Json = {};
  const paths: ApiDocument['paths'] = {};
  for (const route of routes.filter(isDocumented)) {
    const path = route.url.replaceAll(/:(\w+)/g, '{$1}');
    (paths[path] ??= {})[route.method.toLowerCase()] = describeOperation(route, components, responses);
  }
  components.toSchema(ErrorBody);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parley',
      version,
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'Where this document came from.' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'An API key, in `Authorization: Bearer <key>`.' },
      },
      headers: HEADERS,
      responses,
      examples: errorExamples(),
      schemas: components.used(),
    },
  };
}

function describeOperation(route: KnownRoute, components: Components, shared: Json): Json {
  const { url, schema } = route;
  const { summary, operationId, tags, access } = schema;
  const isOpen = areaOf(url) === 'open';
  const parameters = describeParameters(schema, components);
  const body =
    schema.body === undefined ? schema.bodyContent : { 'application/json': schema.body as TSchema };
  const description = [schema.description, access && NEEDS[access]].filter(Boolean).join('\n\n');
  return {
    operationId,
    summary,
    ...(description !== '' && { description }),
    tags,
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: {
        // Sending no body is the same as sending an empty one.
        required: Object.values(body).some(
          ({ required = [] }: { required?: string[] }) => required.length > 0,
        ),
        content: contentOf(body, components),
      },
    }),
    responses: {
      ...successes(schema, components),
      ...(areaOf(url) === 'openai' ? openAiErrorAnswers : errorAnswers)(
        errorsOf(route, isOpen),
        shared,
        schema,
      ),
    },
    security: isOpen ? [] : [{ key: access === 'admin' ? ['admin'] : [] }],
  };
}

const NEEDS = {
  admin: 'Needs a key of scope `admin`.',
  approve: 'Needs a key with `approve`, or of scope `admin`.',
  outgoing: 'Needs a key with `reach` and `approve`, or of scope `admin`.',
};

function describeParameters(schema: FastifySchema, components: Components): Json[] {
  const parameters: Json[] = [];
  const add = (where: string, object: unknown): void => {
    const { properties = {}, required = [] } = (object ?? {}) as {
      properties?: Record<string, TSchema>;
      required?: string[];
    };
    for (const [name, property] of Object.entries(properties)) {
      const { description, ...rest } = components.toSchema(property);
      parameters.push({ name, in: where, required: required.includes(name), description, schema: rest });
    }
  };
  add('path', schema.params);
  add('query', schema.querystring);
  const headers = { ...(namesWorkspace(schema.querystring) && WORKSPACE_HEADER), ...schema.requestHeaders };
  for (const [name, description] of Object.entries(headers)) {
    parameters.push({ name, in: 'header', required: false, description, schema: { type: 'string' } });
  }
  return parameters;
}

function successes({ response, answers = {} }: FastifySchema, components: Components): Json {
  const written = (response ?? {}) as Readonly<Record<number, TSchema>>;
  const statuses = [...new Set([...Object.keys(written), ...Object.keys(answers)])].map(Number);
  return Object.fromEntries(
    statuses.map((status) => [status, success(status, written[status], answers[status] ?? {}, components)]),
  );
}

function success(
  status: number,
  written: TSchema | undefined,
  { description = SUCCESS[status] ?? 'Done.', content, headers = {}, events }: AnswerDoc,
  components: Components,
): Json {
  const body = content ?? (written === undefined ? undefined : { 'application/json': written });
  const own = Object.entries(headers).map(([name, words]) => [
    name,
    { description: words, schema: { type: 'string' } },
  ]);
  return {
    description: events === undefined ? description : `${description}\n\n${eventTable(events, components)}`,
    headers: { ...headerRefs(['X-Request-Id']), ...(Object.fromEntries(own) as Json) },
    ...(body !== undefined && { content: contentOf(body, components) }),
    ...(events !== undefined && { content: { 'text/event-stream': eventStream(events, components) } }),
  };
}

const contentOf = (body: Readonly<Record<string, TSchema>>, components: Components): Json =>
  Object.fromEntries(
    Object.entries(body).map(([mediaType, one]) => {
      const example = exampleOf(one);
      return [mediaType, { schema: components.toSchema(one), ...(example !== undefined && { example }) }];
    }),
  );

/** OpenAPI 3.1 can't describe server-sent events, so the schemas of their data are in an extension, by event. */
const eventStream = (events: Readonly<Record<string, TSchema>>, components: Components): Json => ({
  schema: {
    type: 'string',
    description: 'Server-sent events; `data` is JSON, as `x-events` says for each `event`.',
  },
  'x-events': Object.fromEntries(
    Object.entries(events).map(([name, one]) => [name, components.toSchema(one)]),
  ),
});

function eventTable(events: Readonly<Record<string, TSchema>>, components: Components): string {
  const rows = Object.entries(events).map(([name, one]) => {
    const { $ref = '' } = components.toSchema(one) as { $ref?: string };
    const { description = '' } = one as { description?: string };
    return `| \`${name}\` | \`${$ref.split('/').at(-1) ?? ''}\` | ${description} |`;
  });
  return ['| `event` | `data` | Meaning |', '| --- | --- | --- |', ...rows].join('\n');
}
