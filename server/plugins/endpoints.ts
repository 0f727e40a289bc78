/**
 * The one way to add an endpoint to the API. Its input and responses are declared once, to validate requests, serialize
 * responses, type the handler, and generate the API's document.
 */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteShorthandOptions,
} from 'fastify';
import type { IncomingMessage } from 'node:http';
import type { Static, TProperties, TSchema } from 'typebox';
import { WorkspaceQuery } from '../../shared/api/common.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { callerOf, requireAdmin, requireApprove, requireReach, type Caller } from '../auth/caller.ts';
import { found } from '../errors.ts';
import { dropNullFields } from './null-fields.ts';
import { missingIn, paramsOf, type ParamsOf } from './path-params.ts';
import type { Access } from './route-doc.ts';
import { findWorkspaceId, requireWorkspaceId } from './workspace.ts';

/** The app as routes see it: schemas give the types of what arrives and what is sent. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/**
 * Which workspace the request is about: `required` refuses a request that names none, `found` makes that null. Null or
 * absent: not relevant, or the handler does it itself.
 */
type WorkspaceUse = 'required' | 'found' | null | undefined;

type WorkspaceOf<W> = W extends 'required' ? string : W extends 'found' ? string | null : undefined;

/** A request as its handler gets it: checked. */
export interface CheckedRequest<Url extends string, Query extends TSchema, Body extends TSchema, W> {
  params: ParamsOf<Url>;
  query: Static<Query>;
  /** An absent body is `{}`. */
  body: Static<Body>;
  workspaceId: WorkspaceOf<W>;
  caller: Caller;
  request: FastifyRequest<{ Params: ParamsOf<Url>; Querystring: Static<Query>; Body: Static<Body> }>;
  reply: FastifyReply;
}

/** The type of an endpoint's response by its success schemas; a handler that sends it itself returns the reply. */
type Answer<R> =
  R extends Readonly<Record<number, infer S extends TSchema>> ? Static<S> | FastifyReply : never;

/** What the only field of a response holds. */
type Result<R> =
  R extends Readonly<Record<number, infer S extends TSchema>> ? Static<S>[keyof Static<S>] : never;

/** An endpoint; see route-doc.ts for what is for the document alone. */
export interface Endpoint<
  Url extends string,
  Query extends TSchema,
  Body extends TSchema,
  R extends Readonly<Record<number, TSchema>>,
  W extends WorkspaceUse,
>
  extends
    Pick<
      FastifySchema,
      'description' | 'errors' | 'openAiErrors' | 'answers' | 'bodyContent' | 'requestHeaders'
    >,
    Pick<RouteShorthandOptions, 'bodyLimit' | 'onSend'> {
  /** That of its group unless given. */
  access?: Access;
  /** Runs before the body is read; for endpoints without `access`. */
  before?: (request: FastifyRequest) => Promise<void>;
  /** That of its group unless given. */
  workspace?: W;
  /** Those of the path that mean something else here than in `path-params.ts`. */
  params?: TProperties;
  /** Default: the parameter `workspaceId`, if the endpoint has `workspace`; otherwise none. */
  query?: Query;
  body?: Body;
  /** Its successes. The first is sent unless the handler sets another status. */
  response?: R;
  /** The response, unless there is `result`. */
  handle?: (call: CheckedRequest<Url, Query, Body, W>) => Promise<Answer<R>> | Answer<R>;
  /** What the response's only field holds. Null: the path's last parameter names nothing, which is a 404. */
  result?: (call: CheckedRequest<Url, Query, Body, W>) => Promise<Result<R> | null>;
}

/** Adds endpoints of one group of the document. */
export type Endpoints<G extends WorkspaceUse> = Record<
  'get' | 'post' | 'put' | 'patch' | 'delete',
  AddEndpoint<G>
>;

/** `operationId`: what generated clients call it; it never changes. `summary`: what it does, in a few words. */
type AddEndpoint<G extends WorkspaceUse> = <
  Url extends string,
  Query extends TSchema,
  Body extends TSchema,
  R extends Readonly<Record<number, TSchema>>,
  W extends WorkspaceUse = G,
>(
  url: Url,
  operationId: string,
  summary: string,
  endpoint: Endpoint<Url, Query, Body, R, W>,
) => void;

const CHECKS: Readonly<Record<Access, (message: IncomingMessage) => void>> = {
  admin: requireAdmin,
  approve: requireApprove,
  // These endpoints contact another server without a person's approval.
  outgoing(message) {
    requireReach(message);
    requireApprove(message);
  },
};

/** The endpoints under that tag of the document, for an app or a part of it. `group` is the default for each of them. */
export function createEndpoints<G extends WorkspaceUse = undefined>(
  app: App,
  tag: string,
  group: { access?: Access; workspace?: G } = {},
): Endpoints<G> {
  const adder =
    (method: string): AddEndpoint<G> =>
    (url, operationId, summary, endpoint) => {
      const { handle, result, bodyLimit, onSend, response, query, body, before, ...rest } = endpoint;
      const { errors = [], access = group.access, workspace = group.workspace, params: own, ...doc } = rest;
      const [status = 200] = Object.keys(response ?? {}).map(Number);
      const querystring = query ?? (workspace ? WorkspaceQuery : undefined);
      const params = paramsOf(url, own);
      const { properties = {} } = (response?.[status] ?? {}) as { properties?: object };
      const [field = ''] = Object.keys(properties);
      const missing = missingIn(url).at(-1) ?? 'not_found';
      const check = access && CHECKS[access];
      const onRequest = check ? async ({ raw }: FastifyRequest) => check(raw) : before;
      app.route({
        method,
        url,
        schema: {
          ...doc,
          ...{ operationId, summary, tags: [tag] },
          errors: workspace === 'required' ? ['workspace_required', ...errors] : errors,
          ...(access && { access }),
          ...(params && { params }),
          ...(querystring && { querystring }),
          ...(body && { body }),
          ...(response && { response }),
        },
        ...(onRequest && { onRequest }),
        ...(body && { preValidation: readBody }),
        ...(bodyLimit !== undefined && { bodyLimit }),
        ...(onSend && { onSend }),
        handler: (request, reply) => {
          const caller = callerOf(request.raw);
          if (status !== 200) reply.code(status);
          const workspaceId =
            workspace && (workspace === 'required' ? requireWorkspaceId : findWorkspaceId)(request);
          const call = { params: request.params, query: request.query, body: request.body };
          // Fastify has checked the schemas.
          const checked = { ...call, workspaceId, caller, request, reply } as never;
          return handle?.(checked) ?? result?.(checked).then((value) => ({ [field]: found(value, missing) }));
        },
      });
    };
  return {
    get: adder('GET'),
    post: adder('POST'),
    put: adder('PUT'),
    patch: adder('PATCH'),
    delete: adder('DELETE'),
  };
}

/** Treats no body as `{}`, so that the schema says what is missing, and a null field as an absent one. */
function readBody(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  request.body ??= {};
  dropNullFields(request.body, request.routeOptions.schema?.body as JsonSchema);
  done();
}
