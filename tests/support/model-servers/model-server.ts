/** Model servers for tests: real HTTP, each on its own port, behaving as a scenario says. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { ANTHROPIC_WIRE } from './anthropic-wire.ts';
import { AZURE_WIRE } from './azure-wire.ts';
import { GOOGLE_WIRE } from './google-wire.ts';
import { MISTRAL_WIRE } from './mistral-wire.ts';
import { OLLAMA_WIRE } from './ollama-wire.ts';
import { OPENAI_WIRE } from './openai-wire.ts';
import { actFor, scenarioFor, type ScenarioName } from './scenarios.ts';
import { isRecord, type Answer, type Asked, type Json, type Wire } from './wire.ts';

/** The formats by name. */
export const WIRES = {
  openai: OPENAI_WIRE,
  ollama: OLLAMA_WIRE,
  anthropic: ANTHROPIC_WIRE,
  google: GOOGLE_WIRE,
  mistral: MISTRAL_WIRE,
  azure: AZURE_WIRE,
} as const;
export type WireName = keyof typeof WIRES;

/** A request that the server got. */
export interface RecordedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** As sent; undefined when it is no JSON. */
  body: unknown;
  /** The body's text. */
  text: string;
  /** The request to the model; null: it was for something else. */
  asked: Asked | null;
  /** When it came, by `performance.now()`. */
  at: number;
  /** The client closed the connection before the answer was complete; never resolves otherwise. */
  clientClosed: Promise<number>;
  /** The same, so far. */
  isClientGone: boolean;
}

/** How a fake model server behaves. */
export interface ModelServerOptions {
  /** Its behaviour unless a message names another scenario; `plain` unless given. */
  scenario?: ScenarioName;
  /** Its models; `fake-model` unless given. Requests for others get a 404. */
  models?: readonly string[];
  /** How much its models read, in OpenAI's format and Ollama's; untold, or 8,192, unless given. */
  contextTokens?: number;
  /** It counts tokens, reports them, and refuses what is longer than `contextTokens`, as llama.cpp does; only in OpenAI's format. */
  isStrict?: boolean;
  /** The name it reports for the model that answers; the requested one unless given. */
  answersAs?: string;
  /** The key it requires; any or none unless given. */
  apiKey?: string;
  /** Why it refuses a request to the model, with the status; a text: 400; null: it takes it. */
  refuses?: (body: Json) => string | { status: number; body: unknown } | null;
}

/** A fake model server. */
export interface ModelServer {
  /** For a connection's `baseUrl`. */
  baseUrl: string;
  requests: RecordedRequest[];
  /** Requests to the model. */
  asked(): RecordedRequest[];
  /** What {@link ModelServerOptions.refuses} gave, in order. */
  refusals: string[];
  play(scenario: ScenarioName): void;
  close(): Promise<void>;
}

/** Starts a server that speaks that format. */
export async function startModelServer(
  wireName: WireName,
  options: ModelServerOptions = {},
): Promise<ModelServer> {
  const wire: Wire = WIRES[wireName];
  const models = options.models ?? ['fake-model'];
  let scenario = options.scenario ?? 'plain';
  const requests: RecordedRequest[] = [];
  const refusals: string[] = [];
  const counts = new Map<string, number>();
  const sockets = new Set<Socket>();
  const timers = new Set<NodeJS.Timeout>();
  const brokenOff = new WeakSet<ServerResponse>();
  const pause = (ms: number): Promise<void> => new Promise((resolve) => timers.add(setTimeout(resolve, ms)));

  const server = createServer((request, response) => {
    void serve(request, response).catch(() => request.socket.destroy());
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readText(request);
    const body = parsed(text);
    const path = (request.url ?? '').replace(/\?.*$/, '');
    const asked = wire.read(path, body);
    record(request, response, path, { text, body }, asked);
    if (options.apiKey !== undefined && !holdsKey(request.headers, options.apiKey)) {
      refuse(response, 401, 'Incorrect API key provided.');
      return;
    }
    if (asked === null) {
      const described = wire.describe(path, models, body, options.contextTokens);
      if (described === null) refuse(response, 404, 'Not found');
      else sendJson(response, 200, described);
      return;
    }
    if (!models.includes(asked.model)) {
      const missing = { status: 404, message: `The model '${asked.model}' does not exist.` };
      const { status, message } = wire.noModel?.(asked.model) ?? missing;
      refuse(response, status, message);
      return;
    }
    const refusal = options.refuses?.(isRecord(body) ? body : {}) ?? null;
    if (refusal !== null) {
      refusals.push(typeof refusal === 'string' ? refusal : JSON.stringify(refusal.body));
      if (typeof refusal === 'string') refuse(response, 400, refusal);
      else sendJson(response, refusal.status, refusal.body);
      return;
    }
    const inputTokens = options.isStrict === true ? await countRequest(body) : 0;
    if (inputTokens > (options.contextTokens ?? Infinity)) {
      const reads = options.contextTokens ?? 0;
      const message = `request (${inputTokens} tokens) exceeds the available context size (${reads} tokens), try increasing it`;
      const error = { code: 400, message, type: 'exceed_context_size_error', n_ctx: reads };
      sendJson(response, 400, { error });
      return;
    }
    const name = scenarioFor(asked, scenario);
    const before = counts.get(name) ?? 0;
    counts.set(name, before + 1);
    const act = actFor(name, asked, before);
    if (act.kind === 'hang_up') {
      brokenOff.add(response);
      request.socket.destroy();
    } else if (act.kind === 'refusal') refuse(response, act.status, act.message, act.headers);
    else {
      const tokens = { inputTokens, outputTokens: 20 };
      await answer(response, asked, options.isStrict === true ? { ...act, tokens } : act);
    }
  }

  function record(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    { text, body }: { text: string; body: unknown },
    asked: Asked | null,
  ): void {
    const { promise, resolve } = Promise.withResolvers<number>();
    const recorded: RecordedRequest = {
      method: request.method ?? '',
      path,
      headers: request.headers,
      body,
      text,
      asked,
      at: performance.now(),
      clientClosed: promise,
      isClientGone: false,
    };
    response.on('close', () => {
      if (response.writableEnded || brokenOff.has(response)) return;
      recorded.isClientGone = true;
      resolve(performance.now());
    });
    requests.push(recorded);
  }

  async function answer(response: ServerResponse, asked: Asked, act: Answer): Promise<void> {
    if (act.firstAfterMs !== undefined) await pause(act.firstAfterMs);
    if (!asked.stream) {
      sendJson(response, 200, wire.whole(asked, act));
      return;
    }
    response.writeHead(200, { 'content-type': wire.contentType, 'cache-control': 'no-cache' });
    response.flushHeaders();
    const { pieces, end } = wire.pieces({ ...asked, model: options.answersAs ?? asked.model }, act);
    for (const piece of pieces) {
      if (response.destroyed) return;
      if (act.everyMs !== undefined) await pause(act.everyMs);
      response.write(piece);
    }
    switch (act.instead) {
      case undefined:
        response.end(end.join(''));
        break;
      case 'stall':
        break;
      case 'break':
        // What was written before has to go out first.
        await pause(30);
        brokenOff.add(response);
        response.socket?.destroy();
        break;
      case 'truncate':
        response.end();
        break;
      case 'malform':
        response.end(wire.malformed + end.join(''));
        break;
      case 'fault':
        response.end(act.report === undefined ? wire.fault : reported(act.report));
        break;
    }
  }

  const reported = (report: unknown): string =>
    wire.contentType.includes('ndjson')
      ? `${JSON.stringify(report)}\n`
      : `data: ${JSON.stringify(report)}\n\n`;

  function refuse(response: ServerResponse, status: number, message: string, headers = {}): void {
    sendJson(response, status, wire.refusal(status, message), headers);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}${wire.basePath}`,
    requests,
    refusals,
    asked: () => requests.filter(({ asked }) => asked !== null),
    play(name) {
      scenario = name;
    },
    async close() {
      for (const timer of timers) clearTimeout(timer);
      for (const socket of sockets) socket.destroy();
      if (!server.listening) return;
      server.close();
      await once(server, 'close');
    },
  };
}

/** The size of a request, by a simple tokenizer. */
export async function countRequest(body: unknown): Promise<number> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  const { messages, tools } = isRecord(body) ? body : {};
  return countTokens(JSON.stringify([messages, tools ?? []]));
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of request.setEncoding('utf8')) text += String(piece);
  return text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function holdsKey(headers: IncomingHttpHeaders, key: string): boolean {
  return (
    headers.authorization === `Bearer ${key}` ||
    headers['x-api-key'] === key ||
    headers['x-goog-api-key'] === key ||
    headers['api-key'] === key
  );
}

function sendJson(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
