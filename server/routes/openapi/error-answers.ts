/** Which errors an operation can respond with, and how the document describes them. */
import type { FastifySchema } from 'fastify';
import { ERROR_SENTENCES, type ApiErrorCode } from '../../../shared/errors.ts';
import { AppError, httpStatusOf } from '../../errors.ts';
import type { KnownRoute } from '../../plugins/known-routes.ts';
import { openAiErrorOf } from '../../plugins/openai-error.ts';
import { missingIn } from '../../plugins/path-params.ts';
import { OpenAiErrorAnswer } from '../openai/schemas.ts';
import type { Json } from './components.ts';

/** Any request can get these. */
const ALWAYS: readonly ApiErrorCode[] = [
  'origin_forbidden',
  'wrong_host',
  'too_many_requests',
  'internal_error',
  'shutting_down',
];

/** And these any request that may have a body. */
const WRITES: readonly ApiErrorCode[] = [
  'invalid_json',
  'body_too_large',
  'unsupported_media_type',
  'storage_unavailable',
  'storage_full',
];

/** The errors of an operation: those that follow from its kind, and its own. */
export function errorsOf({ method, url, schema }: KnownRoute, isOpen: boolean): readonly ApiErrorCode[] {
  const { access, querystring, errors = [] } = schema;
  const isRead = method === 'GET';
  const codes: (ApiErrorCode | false)[] = [
    ...ALWAYS,
    !isOpen && 'unauthorized',
    access === 'admin' && 'forbidden',
    (access === 'approve' || access === 'outgoing') && 'approve_required',
    access === 'outgoing' && 'reach_required',
    (!isRead || url.includes(':') || querystring !== undefined) && 'invalid_request',
    ...missingIn(url),
    ...(namesWorkspace(querystring) ? (['workspace_forbidden', 'workspace_not_found'] as const) : []),
    ...(isRead ? [] : WRITES),
    ...errors,
  ];
  return [...new Set(codes.filter((code) => code !== false))];
}

/** Whether a request can name a workspace. */
export const namesWorkspace = (querystring: unknown): boolean =>
  Object.hasOwn((querystring as { properties?: object } | undefined)?.properties ?? {}, 'workspaceId');

/**
 * The responses for these errors, by status, in the API's own format. They are references to what is added to `shared`,
 * since most operations have most of them in common.
 */
export function errorAnswers(codes: readonly ApiErrorCode[], shared: Json): Json {
  const byStatus = Object.groupBy(codes, httpStatusOf);
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, group = []]) => [
      status,
      shareAnswer(shared, group.join('.'), status, {
        description: group.map((code) => `\`${code}\`: ${ERROR_SENTENCES[code]}`).join('\n\n'),
        schema: { $ref: '#/components/schemas/Error' },
        examples: group.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
      }),
    ]),
  );
}

/** The same in OpenAI's format, for everything under `/v1`, with the codes that only this route has. */
export function openAiErrorAnswers(
  codes: readonly ApiErrorCode[],
  shared: Json,
  { openAiErrors = {} }: FastifySchema,
): Json {
  const errors = [
    ...codes.map((code) => openAiErrorOf(new AppError(code))),
    ...Object.entries(openAiErrors).flatMap(([status, own]) =>
      own.map((code) => ({ status: Number(status), code })),
    ),
  ];
  return Object.fromEntries(
    Object.entries(Object.groupBy(errors, ({ status }) => status)).map(([status, group = []]) => {
      const names = [...new Set(group.map(({ code }) => code))];
      const list = names.map((code) => `\`${code}\``).join(', ');
      const answer = shareAnswer(shared, ['openai', status, ...names].join('.'), status, {
        description: `An error as in OpenAI’s API; \`message\` says what to do. \`code\` is one of ${list}.`,
        schema: OpenAiErrorAnswer,
        examples: names.map((code) => [code, { value: openAiExample(Number(status), code) }]),
      });
      return [status, answer];
    }),
  );
}

/** An example of each error. */
export const errorExamples = (): Json =>
  Object.fromEntries(
    Object.entries(ERROR_SENTENCES).map(([code, message]) => [
      code,
      { value: { error: { code, message, requestId: 'req-4f2a9c-17' } } },
    ]),
  );

const openAiExample = (status: number, code: string): Json => ({
  error: {
    message: 'What went wrong, and what to do.',
    type: status >= 500 ? 'server_error' : status === 429 ? 'rate_limit_error' : 'invalid_request_error',
    param: null,
    code,
  },
});

const HEADERS_OF: Readonly<Record<string, string>> = {
  401: 'WWW-Authenticate',
  405: 'Allow',
  429: 'Retry-After',
};

/** Adds a response under that name, unless it is there, and returns a reference to it. */
function shareAnswer(
  shared: Json,
  name: string,
  status: string,
  { description, schema, examples }: { description: string; schema: object; examples: [string, Json][] },
): Json {
  const own = HEADERS_OF[status];
  shared[name] ??= {
    description,
    headers: headerRefs(['X-Request-Id', ...(own === undefined ? [] : [own])]),
    content: { 'application/json': { schema, examples: Object.fromEntries(examples) } },
  };
  return { $ref: `#/components/responses/${name}` };
}

/** References to headers that the document describes once. */
export const headerRefs = (names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
