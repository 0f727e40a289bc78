/** What a tool of the MCP endpoint is, and what it works with. */
import {
  fromJsonSchema,
  type CallToolResult,
  type McpServer,
  type ToolAnnotations,
} from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import { Type, type Static, type TObject } from 'typebox';
import type { ChatService } from '../../chats/chat-service.ts';
import type { DataService } from '../../data/data-service.ts';
import type { ChatWaits } from '../../events/chat-waits.ts';
import type { Exchanges } from '../../events/exchanges.ts';
import { AppError } from '../../errors.ts';
import { toAppError, type OnError } from '../../plugins/error-handler.ts';
import { findWorkspaceId, requireWorkspaceId } from '../../plugins/workspace.ts';
import type { SearchService } from '../../search/search-service.ts';
import type { Ending } from './open-requests.ts';

/** What tools call. */
export interface ToolDeps {
  chats: ChatService;
  search: SearchService;
  data: DataService;
  exchanges: Exchanges;
  waits: ChatWaits;
  /** The key of the request, as {@link ChatWaits.enter} tells keys apart. */
  holder: string;
  /** Whether the key of the request is still in force. */
  isInForce: () => boolean;
  /** Called with internal errors. */
  onError: OnError;
}

/** The request in which a tool is called, or a resource asked for. */
export interface Call extends ToolDeps {
  request: FastifyRequest;
  /** Fires when nobody waits for the answer any more. */
  signal: AbortSignal;
  /** Whether the client wants what it asked for to be stopped; where a lost connection says so, that counts. */
  isCancelled: () => boolean;
  /** Tells the client how it goes, in seconds, if it wants to know. */
  tellProgress: (seconds: number, totalSeconds: number, message: string) => void;
}

/** What a tool gives: words for the model, and the same as data. */
export interface ToolAnswer<T> {
  text: string;
  data: T;
  /** The data tells of a failure. */
  isError?: boolean;
}

/** A tool, with its schemas compiled. */
export interface Tool {
  name: string;
  register: (server: McpServer, callOf: (progress: Call['tellProgress']) => Call) => void;
}

/** The input that names a workspace. */
export const Workspace = Type.Optional(
  Type.String({ description: 'The id of a workspace. Only needed with a key for all workspaces.' }),
);

/** What makes a tool. */
export interface ToolSpec<Input extends TObject, Output extends TObject> {
  name: string;
  title: string;
  description: string;
  input: Input;
  output: Output;
  annotations: ToolAnnotations;
  run: (input: Static<Input>, call: Call) => Promise<ToolAnswer<Static<Output>>>;
}

/** Makes a tool. What it throws becomes an answer in words; what isn't meant for clients is told to `onError` alone. */
export function defineTool<Input extends TObject, Output extends TObject>(
  spec: ToolSpec<Input, Output>,
): Tool {
  const { name, title, description, annotations } = spec;
  const inputSchema = fromJsonSchema<Static<Input>>({ ...spec.input });
  const outputSchema = fromJsonSchema<Static<Output>>({ ...spec.output });
  const shown = { title, description, annotations, inputSchema, outputSchema };
  return {
    name,
    register(server, callOf) {
      server.registerTool(name, shown, async (input, { mcpReq }): Promise<CallToolResult> => {
        const progressToken = mcpReq._meta?.progressToken;
        const call = callOf((progress, total, message) => {
          if (progressToken === undefined) return;
          const params = { progressToken, progress, total, message };
          // Who has left hears nothing.
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
          return { content: [{ type: 'text', text: explain(error, call) }], isError: true };
        }
      });
    },
  };
}

/** What a client is told of anything that was thrown; faults of ours are reported. */
export function explain(thrown: unknown, { signal, request, onError }: Call): string {
  if (signal.aborted) return 'The call was ended.';
  const error = toAppError(thrown);
  if (error.code === 'internal_error') onError(error.cause ?? error, request.id);
  return error.message;
}

/** Whether the request ends since its client wants that; a lost connection says so in newer versions of the protocol alone. */
export const isCancellation = ({ reason }: AbortSignal, era: 'legacy' | 'modern'): boolean =>
  (reason as Ending | undefined) === 'cancelled' ||
  (era === 'modern' && (reason as Ending | undefined) === 'left');

const asNamed = (
  { request }: Call,
  workspaceId: string | undefined,
): Parameters<typeof findWorkspaceId>[0] => ({
  raw: request.raw,
  server: request.server,
  headers: request.headers,
  query: request.query,
  body: { ...(workspaceId !== undefined && { workspaceId }) },
});

/** The workspace that a call is about, as with any request of the API; null: any. */
export const workspaceOf = (call: Call, named?: string): string | null =>
  findWorkspaceId(asNamed(call, named));

/** As {@link workspaceOf}, but there must be one. */
export const oneWorkspaceOf = (call: Call, named?: string): string =>
  requireWorkspaceId(asNamed(call, named));

/** Throws once the call is to end: nobody waits for it, or the key is no longer in force. */
export function requireWanted({ signal, isInForce }: Call): void {
  signal.throwIfAborted();
  if (!isInForce()) throw new AppError('unauthorized');
}
