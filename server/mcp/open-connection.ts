/**
 * A connection to a tool server, which is offered nothing: no sampling, no elicitation, no roots. Only this module needs the large
 * MCP library, loaded with the first server.
 */
import {
  Client,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  type JsonSchemaValidatorResult,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { DOUBT_WORDS, DoubtError } from '../tools/tool.ts';
import { memoized } from '../lib/memoized.ts';
import { unlessAborted } from '../lib/unless-aborted.ts';
import { VERSION } from '../lib/version.ts';
import { readResult } from './call-result.ts';
import { asToolError, GRACE_MS, McpFault, STOP_GRACE_MS, type ConnectionOpening } from './connection.ts';
import { explainAddress, explainProgram, isTimeout, oldSse } from './explain-fault.ts';
import { explainCall } from './explain-call.ts';
import { AddressTransport, BROKE_OFF, TOO_LARGE } from './http-transport.ts';
import { inOneLine } from '../net/error-words.ts';
import { boundTools, type ToolListing } from './listed-tools.ts';
import { createMasks, createStrictMask, type SecretValues } from '../secrets/mask.ts';
import { readStderr } from './stderr-tail.ts';
import { ProgramTransport } from './stdio-transport.ts';
import { tidyMessages } from './tidy-message.ts';

/** How long before its program's end a connection may be seen to close. */
const ENDING_MS = 500;
/** The library's own limit, longer than any call: the caller sets the real one. */
const NO_LIMIT_MS = 24 * 60 * 60_000;
/** Most pages of a list of tools: far more than the tools that are kept fill, for a server that never ends it. */
const MAX_PAGES = 100;
/** Error codes of a server that speaks no protocol version with `initialize`. */
const NO_SUCH_VERSION = [-32_022, -32_601];
const NO_SECRETS: SecretValues = {};
const NO_SUCH_VERSION_IN_BODY = /"code"\s*:\s*-32(?:022|601)\b/;

const passAll = <T>(input: unknown): JsonSchemaValidatorResult<T> => ({
  valid: true,
  data: input as T,
  errorMessage: undefined,
});

type McpTransport = ProgramTransport | AddressTransport;

/** An open connection to a tool server. */
export type McpConnection = ReturnType<typeof toConnection>;

interface Opened {
  client: Client;
  transport: McpTransport;
  /** The last lines of a program's stderr; null: it is no program. */
  lastWords: (() => string) | null;
}

/** Opens a connection, in the newest version of the protocol that both speak. Rejects with {@link McpFault}. */
export async function openConnection(options: ConnectionOpening): Promise<McpConnection> {
  const deadline = performance.now() + options.openMs;
  let opened: Opened;
  try {
    // Most servers speak the older versions, and some exit when asked for a newer one first.
    opened = await attempt(options, 'legacy', deadline);
  } catch (error) {
    if (!(error instanceof McpFault) || !wantsAnotherVersion(error.cause)) throw error;
    opened = await attempt(options, 'auto', deadline);
  }
  return toConnection(options, opened);
}

async function attempt(
  options: ConnectionOpening,
  mode: VersionNegotiationMode,
  deadline: number,
): Promise<Opened> {
  const { values, signal, log, onToolsChanged } = options;
  const mask = createStrictMask(values);
  const transport = createTransport(options);
  const lastWords = transport instanceof ProgramTransport ? readStderr(transport.stderr, mask, log) : null;
  const client = new Client(
    { name: 'parley', title: 'Parley', version: VERSION },
    {
      capabilities: {},
      versionNegotiation: { mode },
      inputRequired: { autoFulfill: false },
      listMaxPages: MAX_PAGES,
      listChanged: { tools: { autoRefresh: false, onChanged: () => onToolsChanged() } },
      // Results are only data to us: whether they match the server's own schema doesn't matter.
      jsonSchemaValidator: { getValidator: () => passAll },
    },
  );
  // Also for a server that doesn't announce this notification.
  client.setNotificationHandler('notifications/tools/list_changed', () => onToolsChanged());
  const timeout = Math.max(1, Math.ceil(deadline - performance.now()));
  try {
    const connecting = client.connect(transport, { timeout, ...(signal === undefined ? {} : { signal }) });
    // While it negotiates the version, the library ignores the signal.
    await (signal === undefined ? connecting : unlessAborted(signal, connecting));
    return { client, transport, lastWords };
  } catch (error) {
    const fault = await explain(error, options, transport, lastWords, false);
    await transport.end(signal?.aborted === true ? STOP_GRACE_MS : GRACE_MS).catch(() => undefined);
    throw fault;
  }
}

function createTransport({ server, values, noticeMs, findRoute, auth }: ConnectionOpening): McpTransport {
  const { command, args, url } = server;
  return tidyMessages(
    url === null
      ? new ProgramTransport(command ?? '', args, values)
      : new AddressTransport(url, values, { noticeMs, findRoute, auth }),
  );
}

async function explain(
  error: unknown,
  { server, values, auth }: ConnectionOpening,
  transport: McpTransport,
  lastWords: Opened['lastWords'],
  hasOpened: boolean,
): Promise<McpFault> {
  if (transport.refusal !== null) return new McpFault('failed', transport.refusal, error);
  const signInFault = auth?.faultOf(error) ?? null;
  if (signInFault !== null) return signInFault;
  const mask = createStrictMask({ ...values, ...auth?.secrets() });
  if (error instanceof SdkError && error.code === SdkErrorCode.ListPaginationExceeded) {
    return new McpFault('failed', `The tool server’s list of tools has more than ${MAX_PAGES} pages.`, error);
  }
  if (error instanceof ProtocolError && !(error.code === BROKE_OFF || error.code === TOO_LARGE)) {
    const words = inOneLine(error.message.replace(/^MCP error -?\d+: /, ''), mask);
    return new McpFault('failed', `The tool server reports: “${words}”.`, error);
  }
  if (transport instanceof AddressTransport) {
    if (error instanceof SdkHttpError && error.status < 500 && (await transport.speaksOldSse()))
      return new McpFault('wrong_address', oldSse(new URL(server.url ?? '').host), error);
    return explainAddress(error, server, Object.keys(values).length > 0, mask);
  }
  if (transport.pid === null) await transport.endsWithin(ENDING_MS);
  return explainProgram(transport.missing ?? error, server, {
    ending: transport.ending,
    quotation: lastWords?.() ?? '',
    hasSpoken: transport.hasSpoken,
    hasOpened,
  });
}

function wantsAnotherVersion(error: unknown): boolean {
  if (error instanceof ProtocolError) return NO_SUCH_VERSION.includes(error.code);
  if (!(error instanceof SdkHttpError) || error.status !== 400) return false;
  return typeof error.data.text === 'string' && NO_SUCH_VERSION_IN_BODY.test(error.data.text);
}

function toConnection(options: ConnectionOpening, { client, transport, lastWords }: Opened) {
  const { server, values, auth } = options;
  const masksWith = memoized((ofSignIn: SecretValues) => createMasks({ ...values, ...ofSignIn }));
  const masks = (): ReturnType<typeof createMasks> => masksWith(auth?.secrets() ?? NO_SECRETS);
  const { promise: closed, resolve: onClosed } = Promise.withResolvers<undefined>();
  let isOpen = true;
  const over = (): void => {
    isOpen = false;
    onClosed(undefined);
  };
  client.onclose = over;

  return {
    /** False once it can't be used any more. */
    get isOpen(): boolean {
      return isOpen;
    },
    /** Resolves once it can't be used any more. */
    closed,
    /** Process id of the program; null: there is none. */
    pid: transport instanceof ProgramTransport ? transport.pid : null,
    /** Its tools, bounded. Rejects with McpFault. */
    async list(timeoutMs: number): Promise<ToolListing> {
      try {
        const { tools } = await client.listTools(undefined, {
          cacheMode: 'refresh',
          timeout: timeoutMs,
          signal: AbortSignal.timeout(timeoutMs),
        });
        return boundTools(server.slug, tools, masks().mask);
      } catch (error) {
        throw await explain(error, options, transport, lastWords, true);
      }
    },
    /**
     * Null: the server no longer knows this connection and did nothing; the call may be repeated on a new one. Rejects with
     * ToolError, or with the signal's reason once that fires; the server is then asked to stop. `onProgress` is called when
     * the server reports progress.
     */
    async call(
      tool: string,
      input: Readonly<Record<string, unknown>>,
      signal: AbortSignal,
      onProgress?: () => void,
    ): Promise<{ output: unknown } | null> {
      try {
        const result = await client.callTool(
          { name: tool, arguments: input },
          {
            signal,
            timeout: NO_LIMIT_MS,
            ...(onProgress !== undefined && { onprogress: () => onProgress() }),
          },
        );
        return { output: readResult(result, masks().mask) };
      } catch (error) {
        signal.throwIfAborted();
        if (transport.refusal !== null) {
          throw new DoubtError(`${transport.refusal} ${DOUBT_WORDS}`, { cause: error });
        }
        const signInFault = auth?.faultOf(error) ?? null;
        if (signInFault !== null) throw asToolError(signInFault);
        const fault = explainCall(error, server.name, masks().strictMask);
        if (fault.isOver) over();
        if (fault.error !== null) throw fault.error;
        return null;
      }
    },
    /** Whether the server answers anything within this many milliseconds. */
    async isAlive(timeout: number): Promise<boolean> {
      try {
        await client.ping({ timeout });
        return true;
      } catch (error) {
        // A refusal is an answer too.
        return !isTimeout(error);
      }
    },
    /** Resolves when it is closed and its program gone, after at most three times `graceMs`. */
    async end(graceMs: number): Promise<void> {
      over();
      await transport.end(graceMs);
      await client.close().catch(() => undefined);
    },
  };
}
