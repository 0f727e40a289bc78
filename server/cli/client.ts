/** The command line's way to the service: the HTTP API, as any other program uses it. */
import type { ErrorBody } from '../../shared/api/common.ts';
import { CommandError, EXIT } from './exit-codes.ts';
import { findService, NoServiceError, silentAt } from './find-service.ts';
import { isForPeople, withoutControls } from './terminal.ts';

/** Options that every command about the service takes. */
export interface ServiceOptions {
  dataDir: string;
  /** Absent: the local key. */
  key?: string;
  /** Absent: where the data folder's service is. */
  url?: string;
  /** The workspace, for a key that is bound to none. */
  workspace?: string;
}

/** Options of commands that can print JSON. */
export interface ListOptions extends ServiceOptions {
  json?: true;
}

/** The content of a request. */
export interface RequestParts {
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as it is, as a file of JSON. */
  body?: Blob;
  /** Undefined values are left out. */
  query?: Record<string, string | number | undefined>;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** The service refused a request. */
export class RefusedError extends CommandError {
  override name = 'RefusedError';
  readonly status: number;
  readonly code: string;

  constructor(status: number, { code, message, details = [] }: Partial<ErrorBody['error']>) {
    const reasons = details
      .map((detail) => detail.message)
      .filter((text) => message?.includes(text) !== true);
    const words = withoutControls([message ?? `The service answered ${status}.`, ...reasons].join(' '));
    super(words, status === 401 || status === 403 ? EXIT.keyRefused : EXIT.failed);
    this.status = status;
    this.code = code ?? '';
  }
}

/** A service and a key. Every call throws {@link RefusedError} when it is refused. */
export type Client = ReturnType<typeof createClient>;

/** Finds the service and returns a client with the key that the options name. */
export async function connect(options: ServiceOptions): Promise<Client> {
  const { url, key, workspace } = options;
  if (url === undefined) {
    const find = async (): Promise<Target> => {
      const { baseUrl, apiKey } = await findService(options.dataDir);
      return { baseUrl, key: key ?? apiKey };
    };
    return createClient(await find(), find, workspace);
  }
  if (key === undefined)
    throw new CommandError('--url also needs a key: --key or PARLEY_API_KEY.', EXIT.usage);
  const target = { baseUrl: originOf(url), key };
  return createClient(target, async () => target, workspace);
}

/** How long a response may take to start. */
const PATIENCE_MS = 30_000;

/** What goes into a header as it is. */
const PLAIN = /^[\x21-\x7e]+$/;

function originOf(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new CommandError(
      `--url takes an address such as http://127.0.0.1:4141, not "${text}".`,
      EXIT.usage,
    );
  return url.origin;
}

/** Where a service is, and the key to use there. */
interface Target {
  baseUrl: string;
  key: string;
}

/** `find` looks for the service again once it could not be reached: a restart may give it another port. */
function createClient(target: Target, find: () => Promise<Target>, workspace: string | undefined) {
  let { baseUrl, key } = target;
  let isLost = false;
  if (!PLAIN.test(key))
    throw new CommandError(
      'That is not a key: it contains a space or other invalid characters.',
      EXIT.keyRefused,
    );
  if (workspace !== undefined && !PLAIN.test(workspace))
    throw new CommandError(`There is no workspace "${withoutControls(workspace)}"; check its id.`);
  async function request(method: string, path: string, parts: RequestParts = {}): Promise<Response> {
    if (isLost) ({ baseUrl, key } = await find());
    isLost = false;
    const { json, body, query = {}, headers = {}, signal } = parts;
    const url = new URL(path, baseUrl);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const content = json === undefined ? body : JSON.stringify(json);
    const patience = new AbortController();
    // Requests that change something may take longer.
    const timer = method === 'GET' ? setTimeout(() => patience.abort(), PATIENCE_MS) : undefined;
    let answer: Response;
    try {
      answer = await fetch(url, {
        method,
        redirect: 'error',
        headers: {
          authorization: `Bearer ${key}`,
          ...(workspace !== undefined && { 'x-workspace-id': workspace }),
          ...(content !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(content !== undefined && { body: content }),
        signal: AbortSignal.any([patience.signal, ...(signal ? [signal] : [])]),
      });
    } catch (error) {
      signal?.throwIfAborted();
      isLost = true;
      throw patience.signal.aborted ? new NoServiceError(silentAt(baseUrl)) : unreachable(baseUrl, error);
    } finally {
      clearTimeout(timer);
    }
    if (!answer.ok) throw await refusalOf(answer, baseUrl);
    return answer;
  }
  /** The response's body, typed by the caller. */
  const parsed = async <T>(method: string, path: string, parts?: RequestParts): Promise<T> => {
    const answer = await request(method, path, parts);
    try {
      return (await answer.json()) as T;
    } catch (error) {
      throw unreachable(baseUrl, error);
    }
  };
  return {
    /** Where the service is, as last found. */
    get baseUrl() {
      return baseUrl;
    },
    /** The response itself, for its headers or to stream its body. */
    request,
    get: <T>(path: string, parts?: RequestParts) => parsed<T>('GET', path, parts),
    post: <T>(path: string, parts?: RequestParts) => parsed<T>('POST', path, parts),
    patch: <T>(path: string, parts: RequestParts) => parsed<T>('PATCH', path, parts),
    delete: <T>(path: string) => parsed<T>('DELETE', path),
  };
}

function unreachable(baseUrl: string, error: unknown): NoServiceError {
  const { cause = error } = error as Error;
  const { code, message } = cause as NodeJS.ErrnoException;
  return new NoServiceError(`Parley can't be reached at ${baseUrl} (${code ?? message}).`, { cause: error });
}

async function refusalOf(answer: Response, baseUrl: string): Promise<CommandError> {
  const body = (await answer.json().catch(() => null)) as Partial<ErrorBody> | null;
  return typeof body?.error?.message === 'string'
    ? new RefusedError(answer.status, body.error)
    : new NoServiceError(`What answers at ${baseUrl} is not Parley's API (status ${answer.status}).`);
}

/** Foreign text: unchanged for programs, made harmless for a terminal. */
export const forReader = (text: string): string => (isForPeople() ? withoutControls(text) : text);
