/**
 * The one way to add an endpoint to the API. Its input and responses are declared once, to validate requests, serialize
 * responses, type the handler, and generate the API's document.
 */
import type { FastifyReply, FastifyRequest, FastifySchema, RouteShorthandOptions } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { WorkspaceQuery } from '../../shared/api/common.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { callerOf, type Caller } from '../auth/caller.ts';
import { dropNullFields } from './null-fields.ts';
import { adminOnly, approveOnly, outgoingOnly, type App } from './route.ts';
import { findWorkspaceId, requireWorkspaceId } from './workspace.ts';

/** What a caller's key needs, beyond being valid. */
type Access = 'admin' | 'approve' | 'outgoing';

/**
 * Which workspace the request is about: `required` refuses a request that names none, `found` makes that null. Absent:
 * not relevant, or the handler does it itself.
 */
type WorkspaceUse = 'required' | 'found';

type WorkspaceOf<W> = W extends 'required' ? string : W extends 'found' ? string | null : undefined;

/** A request as its handler gets it: checked. */
export interface Call<Params extends TSchema, Query extends TSchema, Body extends TSchema, W> {
  params: Static<Params>;
  query: Static<Query>;
  /** An absent body is `{}`. */
  body: Static<Body>;
  workspaceId: WorkspaceOf<W>;
  caller: Caller;
  request: FastifyRequest<{ Params: Static<Params>; Querystring: Static<Query>; Body: Static<Body> }>;
  reply: FastifyReply;
}

/** The type of an endpoint's response by its success schemas; a handler that sends it itself returns the reply. */
type Answer<R> =
  R extends Readonly<Record<number, infer S extends TSchema>> ? Static<S> | FastifyReply : never;

/** An endpoint; see route-doc.ts for what is for the document alone. */
export interface Endpoint<
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
  R extends Readonly<Record<number, TSchema>>,
  W extends WorkspaceUse | undefined,
>
  extends
    Pick<
      FastifySchema,
      | 'operationId'
      | 'summary'
      | 'description'
      | 'errors'
      | 'openAiErrors'
      | 'answers'
      | 'bodyContent'
      | 'requestHeaders'
    >,
    Pick<RouteShorthandOptions, 'bodyLimit' | 'onSend'> {
  /** That of its group unless given. */
  access?: Access;
  /** Runs before the body is read; for endpoints without `access`. */
  before?: (request: FastifyRequest) => Promise<void>;
  workspace?: W;
  params?: Params;
  /** The query parameter `workspaceId` alone, unless given, where `workspace` is. */
  query?: Query;
  body?: Body;
  /** Its successes. The first is sent unless the handler sets another status. */
  response?: R;
  handle: (call: Call<Params, Query, Body, W>) => Promise<Answer<R>> | Answer<R>;
}

/** Adds endpoints of one group of the document. */
export type Endpoints = Record<'get' | 'post' | 'put' | 'patch' | 'delete', AddEndpoint>;

type AddEndpoint = <
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
  R extends Readonly<Record<number, TSchema>>,
  W extends WorkspaceUse | undefined = undefined,
>(
  url: string,
  endpoint: Endpoint<Params, Query, Body, R, W>,
) => void;

const CHECKS = { admin: adminOnly, approve: approveOnly, outgoing: outgoingOnly };

/** The endpoints under that tag of the document, for an app or a part of it. `access` is the default for each of them. */
export function createEndpoints(app: App, tag: string, access?: Access): Endpoints {
  const adder =
    (method: string): AddEndpoint =>
    (url, endpoint) => {
      const { handle, workspace, bodyLimit, onSend, response, params, query, body, ...rest } = endpoint;
      const { access: own = access, before, errors = [], ...doc } = rest;
      const [status = 200] = Object.keys(response ?? {}).map(Number);
      const querystring = query ?? (workspace && WorkspaceQuery);
      const onRequest = own === undefined ? before : CHECKS[own];
      app.route({
        method,
        url,
        schema: {
          ...doc,
          tags: [tag],
          errors: workspace === 'required' ? ['workspace_required', ...errors] : errors,
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
          return handle({ ...call, workspaceId, caller, request, reply } as never);
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

/** Makes no body the same as `{}`, so that the schema says what is missing, and a field that is null the same as none. */
function readBody(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  request.body ??= {};
  dropNullFields(request.body, request.routeOptions.schema?.body as JsonSchema);
  done();
}
