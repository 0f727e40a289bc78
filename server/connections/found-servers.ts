import type { FoundServer, Provider } from '../../shared/api/connection.ts';
import { isLoopback } from '../../shared/model-addresses.ts';
import { requestJson, type RequestLimits } from '../net/request-json.ts';
import { fieldsOf, listOf } from '../lib/fields.ts';
import { baseAddressOf, type ServerAddress } from './server-address.ts';
import { RECORDS } from './providers/index.ts';
import { llamaProps } from './providers/openai-compatible.ts';

/** A kind of model server that people run on their own computers. */
export interface LocalServer {
  provider: Provider;
  /** Null: several kinds use that port; the answer may show which it is. */
  name: string | null;
  port: number;
}

/** The ports that they listen on unless told otherwise. */
export const LOCAL_SERVERS: readonly LocalServer[] = [
  { provider: 'ollama', name: 'Ollama', port: 11_434 },
  { provider: 'openai_compatible', name: 'LM Studio', port: 1_234 },
  { provider: 'openai_compatible', name: 'Jan', port: 1_337 },
  { provider: 'openai_compatible', name: 'GPT4All', port: 4_891 },
  { provider: 'openai_compatible', name: 'KoboldCpp', port: 5_001 },
  // llama.cpp and LocalAI; vLLM; text-generation-webui.
  { provider: 'openai_compatible', name: null, port: 8_080 },
  { provider: 'openai_compatible', name: null, port: 8_000 },
  { provider: 'openai_compatible', name: null, port: 5_000 },
];

const LIMITS: RequestLimits = { connectMs: 300, wholeMs: 300, maxBytes: 1024 * 1024 };
const LLAMA_CPP = 'llama.cpp';
const OWNERS: Readonly<Record<string, string>> = { llamacpp: LLAMA_CPP, vllm: 'vLLM' };

/** Looks for these servers on this computer, all at once, and leaves out those that are connected already. */
export async function findServers(
  servers: readonly LocalServer[],
  connected: readonly ServerAddress[],
  signal: AbortSignal,
): Promise<FoundServer[]> {
  const taken = new Set(connected.flatMap(loopbackPort));
  const wanted = servers.filter(({ port }) => !taken.has(port));
  const found = await Promise.all(wanted.map((server) => inspect(server, { ...LIMITS, signal })));
  return found.filter((server) => server !== null);
}

async function inspect(
  { provider, name, port }: LocalServer,
  limits: RequestLimits,
): Promise<FoundServer | null> {
  const { listPath, readPage, versionPath, ...record } = RECORDS[provider];
  const baseUrl = `http://127.0.0.1:${port}${versionPath}`;
  const headers = record.headers(null);
  const answer = await requestJson({ url: baseUrl + listPath, headers, limits });
  if (answer.state !== 'answered') return null;
  const isClosed = (answer.status === 401 || answer.status === 403) && isKeyRefusal(answer.json);
  if (isClosed) {
    const title = name ?? `Model server on port ${port}`;
    return { provider, name: title, baseUrl, models: [], needsKey: true };
  }
  if (answer.status !== 200) return null;
  const page = readPage(answer.json);
  if (page === null || !isModelServer(provider, answer.json)) return null;
  const models = page.models.map(({ id }) => id);
  const owner = nameFrom(answer.json);
  return {
    provider,
    name: name ?? owner ?? `Model server on port ${port}`,
    baseUrl,
    models,
    // It lists its models to everybody but wants a key for everything else.
    ...(owner === LLAMA_CPP &&
      (await llamaProps({ address: baseUrl, headers }, limits)).needsKey && { needsKey: true as const }),
  };
}

/** Many programs answer with a list of something; a model server calls it a list of models or names models in it. */
const isModelServer = (provider: Provider, json: unknown): boolean =>
  provider === 'ollama' ||
  fieldsOf(json)['object'] === 'list' ||
  entriesOf(json).some((entry) => fieldsOf(entry)['object'] === 'model');

/** Recognizes a model server's refusal without a key; other programs answer 401 in other ways. */
const isKeyRefusal = (json: unknown): boolean =>
  /api[ _-]?key|authenticat|unauthori[sz]ed/i.test(JSON.stringify(fieldsOf(json)['error'] ?? null));

const entriesOf = (json: unknown): readonly unknown[] => listOf(fieldsOf(json)['data']) ?? [];

const nameFrom = (json: unknown): string | null =>
  entriesOf(json)
    .map((entry) => OWNERS[String(fieldsOf(entry)['owned_by'])])
    .find((name) => name !== undefined) ?? null;

function loopbackPort(server: ServerAddress): number[] {
  const address = baseAddressOf(server);
  if (!isLoopback(address)) return [];
  const { port, protocol } = new URL(address);
  return [port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)];
}
