import { MAX_LISTED_MODELS } from '../../shared/limits.ts';
import type { ListedModel } from '../store/connection-repository.ts';
import { requestJson, type JsonAnswer, type RequestLimits } from '../net/request-json.ts';
import type { ModelAccess } from './model-access.ts';
import { baseAddressOf, headersFor, type ServerAddress } from './server-address.ts';
import { RECORDS } from './providers/index.ts';

/** A server and its credentials. */
export type ModelServer = ServerAddress & Pick<ModelAccess, 'apiKey' | 'headers'>;

/** The result of asking for a list of models. `not_listed` with a successful answer: it was not a list. */
export type ModelListing =
  | { state: 'listed'; models: ListedModel[] }
  | { state: 'not_listed'; answer: JsonAnswer };

/** More pages than any provider has. */
const MAX_PAGES = 10;

/**
 * Asks a server which models it offers: only those for chats, if it says what they are for, at most {@link
 * MAX_LISTED_MODELS}, in its order. `limits` apply to the whole, however many requests it takes. `brief`: leaves out
 * details that need a request per model.
 */
export async function listServerModels(
  server: ModelServer,
  limits: RequestLimits,
  { brief = false } = {},
): Promise<ModelListing> {
  const deadline = performance.now() + limits.wholeMs;
  const left = (): RequestLimits => ({ ...limits, wholeMs: Math.max(1, deadline - performance.now()) });
  const { listPath, readPage, addDetails } = RECORDS[server.provider];
  const [address, headers] = [baseAddressOf(server), headersFor(server)];
  const models = new Map<string, ListedModel>();
  let next: string | null = '';
  let list: unknown = null;
  for (let page = 0; next !== null && page < MAX_PAGES && models.size < MAX_LISTED_MODELS; page += 1) {
    const answer = await requestJson({ url: `${address}${listPath}${next}`, headers, limits: left() });
    list = answer.state === 'answered' && answer.status === 200 ? answer.json : null;
    const read = readPage(list);
    if (read === null) return { state: 'not_listed', answer };
    for (const model of read.models) if (!models.has(model.id)) models.set(model.id, model);
    next = read.next;
  }
  const listed = [...models.values()].slice(0, MAX_LISTED_MODELS);
  if (brief || addDetails === undefined) return { state: 'listed', models: listed };
  return { state: 'listed', models: await addDetails(listed, { address, headers, limits: left(), list }) };
}
