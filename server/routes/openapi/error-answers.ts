import type { ApiErrorCode } from '../../../shared/errors.ts';
import { ERRORS } from '../../errors.ts';
import type { KnownRoute } from '../../plugins/known-routes.ts';
import type { Json } from './components.ts';

/** What a path's parameter names, and the error where there is none of it. */
const NOT_FOUND: Readonly<Record<string, ApiErrorCode>> = {
  agentType: 'agent_not_found',
  approvalId: 'approval_not_found',
  chatId: 'chat_not_found',
  connectionId: 'connection_not_found',
  fileId: 'not_found',
  folderId: 'folder_not_found',
  noteId: 'note_not_found',
  projectId: 'project_not_found',
  promptId: 'prompt_not_found',
  keyId: 'key_not_found',
  messageId: 'message_not_found',
  name: 'backup_not_found',
  serverId: 'mcp_server_not_found',
  sessionId: 'session_not_found',
  tool: 'permission_not_found',
  workspaceId: 'workspace_not_found',
};

/** Every request can meet these. */
const ALWAYS: readonly ApiErrorCode[] = [
  'origin_forbidden',
  'wrong_host',
  'too_many_requests',
  'internal_error',
  'shutting_down',
];

/** The errors that an operation can answer with: those that follow from what it is, and its own. */
export function errorsOf(
  { method, url, schema, needs }: KnownRoute,
  isOpen: boolean,
): readonly ApiErrorCode[] {
  const parameters = [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const isRead = method === 'GET';
  const codes: (ApiErrorCode | undefined | false)[] = [
    ...ALWAYS,
    !isOpen && 'unauthorized',
    needs === 'admin' && 'forbidden',
    (needs === 'approve' || needs === 'outgoing') && 'approve_required',
    needs === 'outgoing' && 'reach_required',
    (!isRead || parameters.length > 0 || schema.querystring !== undefined) && 'invalid_request',
    ...parameters.map((name) => NOT_FOUND[name]),
    ...(namesWorkspace(schema.querystring) ? (['workspace_forbidden', 'workspace_not_found'] as const) : []),
    ...(isRead
      ? []
      : ([
          'invalid_json',
          'body_too_large',
          'unsupported_media_type',
          'storage_unavailable',
          'storage_full',
        ] as const)),
    ...(schema.errors ?? []),
  ];
  return [...new Set(codes.filter((code) => code !== undefined && code !== false))];
}

/** Whether a request can say which workspace it is about. */
export const namesWorkspace = (querystring: unknown): boolean =>
  Object.hasOwn((querystring as { properties?: object } | undefined)?.properties ?? {}, 'workspaceId');

/**
 * The answers of these errors, by status: references to what is added to `shared`, since most operations have most of them in
 * common.
 */
export function errorAnswers(codes: readonly ApiErrorCode[], shared: Json): Json {
  const byStatus = Object.groupBy(codes, (code) => ERRORS[code].status);
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, group = []]) => {
      const name = group.join('.');
      shared[name] ??= errorAnswer(group);
      return [status, { $ref: `#/components/responses/${name}` }];
    }),
  );
}

/** An example of each error. */
export const errorExamples = (): Json =>
  Object.fromEntries(
    Object.entries(ERRORS).map(([code, { message }]) => [
      code,
      { value: { error: { code, message, requestId: 'req-4f2a9c-17' } } },
    ]),
  );

function errorAnswer(codes: readonly ApiErrorCode[]): Json {
  const statuses = codes.map((code) => ERRORS[code].status);
  const headers = ['X-Request-Id'];
  if (statuses.includes(401)) headers.push('WWW-Authenticate');
  if (statuses.includes(405)) headers.push('Allow');
  if (statuses.includes(429)) headers.push('Retry-After');
  const examples = codes.map((code): [string, Json] => [code, { $ref: `#/components/examples/${code}` }]);
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].message}`).join('\n\n'),
    headers: headerRefs(headers),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

/** References to headers that the document describes once. */
export const headerRefs = (names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
