/** What a tool of the MCP endpoint is, and what it works with. */
import {
  fromJsonSchema,
  type JsonSchemaType,
  type CallToolResult,
  type McpServer,
  type ToolAnnotations,
} from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import { Type, type Static, type TObject } from 'typebox';
import { text } from '../../../shared/api/common.ts';
import type { ChatService } from '../../chats/chat-service.ts';
import type { DataService } from '../../data/data-service.ts';
import type { ChatWaits } from '../../events/chat-waits.ts';
import type { Exchanges } from '../../events/exchanges.ts';
import { toAppError, type OnError } from '../../plugins/error-handler.ts';
import { findWorkspaceId, requireWorkspaceId } from '../../plugins/workspace.ts';
import type { SearchService } from '../../search/search-service.ts';

/** Why a request is no longer answered: its client cancelled it or has disconnected, or the service is stopping. */
export type CallEnd = 'cancelled' | 'left' | 'stopping';

/** What tools call. */
export interface ToolDeps {
  chats: ChatService;
  search: SearchService;
  data: DataService;
  exchanges: Exchanges;
  waits: ChatWaits;
  /** The key of the request, as {@link ChatWaits.enter} distinguishes keys. */
  holder: string;
  /** Whether the key of the request is still in force. */
  isInForce: () => boolean;
  /** Called with internal errors. */
  onError: OnError;
}

/** The request in which a tool is called or a resource is read. */
export interface McpCall extends ToolDeps {
  request: FastifyRequest;
  /** Fires when nobody waits for the answer any more. */
  signal: AbortSignal;
  /** Whether the client wants the work to stop. In newer versions of the protocol, disconnecting says so. */
  isCancelled: () => boolean;
  /** Reports progress in seconds, if the client asked for it. */
  reportProgress: (seconds: number, totalSeconds: number, message: string) => void;
}

/** A tool's result: text for the model, and the same as data. */
export interface ToolAnswer<T> {
  text: string;
  data: T;
  /** The data describes a failure. */
  isError?: boolean;
}

/** The input that names a workspace. */
export const WorkspaceInput = Type.Optional(
  text('The id of a workspace. Only needed with a key for all workspaces.'),
);

/** How a tool is defined. */
export interface ToolSpec<Input extends TObject, Output extends TObject> {
  name: string;
  title: string;
  description: string;
  input: Input;
  output: Output;
  annotations: ToolAnnotations;
  run: (input: Static<Input>, call: McpCall) => Promise<ToolAnswer<Static<Output>>>;
}

/** The schema without what isn't JSON Schema, which some model servers refuse. */
const standard = (schema: TObject): JsonSchemaType =>
  JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => (key === 'expected' ? undefined : value)),
  ) as JsonSchemaType;

/** Defines a tool: returns what adds it to a server. What it throws becomes a result in words; internal errors only go to `onError`. */
export function defineMcpTool<Input extends TObject, Output extends TObject>(
  spec: ToolSpec<Input, Output>,
): (server: McpServer, callOf: (progress: McpCall['reportProgress']) => McpCall) => void {
  const { name, title, description, annotations } = spec;
  const inputSchema = fromJsonSchema<Static<Input>>(standard(spec.input));
  const outputSchema = fromJsonSchema<Static<Output>>(standard(spec.output));
  const shown = { title, description, annotations, inputSchema, outputSchema };
  return (server, callOf) => {
    server.registerTool(name, shown, async (input, { mcpReq }): Promise<CallToolResult> => {
      const progressToken = mcpReq._meta?.progressToken;
      const call = callOf((progress, total, message) => {
        if (progressToken === undefined) return;
        const params = { progressToken, progress, total, message };
        // The client may have disconnected.
        mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
      });
      try {
        const { text, data, isError } = await spec.run(input, call);
        return {
          content: [{ type: 'text', text }],
          structuredContent: { ...data },
          ...(isError && { isError }),
        };
      } catch (error) {
        return { content: [{ type: 'text', text: explainThrown(error, call) }], isError: true };
      }
    });
  };
}

/** The message for a client about anything that was thrown; internal errors are reported. */
export function explainThrown(thrown: unknown, { signal, request, onError }: McpCall): string {
  if (signal.aborted) return 'The call was ended.';
  const error = toAppError(thrown);
  if (error.code === 'internal_error') onError(error.cause ?? error, request.id);
  return error.message;
}

const asNamed = (
  { request }: McpCall,
  workspaceId: string | undefined,
): Parameters<typeof findWorkspaceId>[0] => ({
  raw: request.raw,
  server: request.server,
  headers: request.headers,
  query: request.query,
  body: { ...(workspaceId !== undefined && { workspaceId }) },
});

/** The workspace that a call is about, as with any request of the API; null: any. */
export const workspaceOf = (call: McpCall, named?: string): string | null =>
  findWorkspaceId(asNamed(call, named));

/** As {@link workspaceOf}, but there must be one. */
export const oneWorkspaceOf = (call: McpCall, named?: string): string =>
  requireWorkspaceId(asNamed(call, named));
