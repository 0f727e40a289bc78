import type { ModelAccess } from '../connections/model-access.ts';
import { baseAddressOf, headersFor } from '../connections/server-address.ts';
import type { LoadedModel } from '../connections/providers/provider.ts';
import { RECORDS } from '../connections/providers/index.ts';
import { httpFetch } from '../net/http-fetch.ts';
import { KEEPS_METHOD, MAX_REDIRECTS } from '../net/request-json.ts';
import { FaultError } from './model-fault.ts';
import { PATIENCE, type Patience } from './patience.ts';
import { streamPatiently, type PatientModel } from './patient-stream.ts';
import { tidyAnswer, type AnswerListener } from './answers/tidy-answer.ts';
import { bodyWithoutRefused } from './refused-fields.ts';
import { withMarkedInPlace } from './request-messages.ts';
import { createServerRequests } from './server-requests.ts';
import type { StreamingModel } from './model.ts';

/** A connected model for one turn; nothing is loaded before its first call. Failures are ModelErrors, of the call or within its stream. */
export function createConnectedModel(
  access: ModelAccess,
  changes: Partial<Patience> = {},
  onWaiting: (what: string) => void = () => undefined,
): StreamingModel {
  const patience = { ...PATIENCE, ...changes };
  const { provider, modelId, apiKey, contextTokens } = access;
  let loading: Promise<LoadedModel> | null = null;
  const load = (): Promise<LoadedModel> =>
    RECORDS[provider].load({
      baseURL: baseAddressOf(access),
      apiKey: apiKey ?? '',
      modelId,
      ...(contextTokens !== undefined && { contextTokens }),
      fetch: createModelFetch(access, {
        onReport: (error) => (model.report = { error }),
        onLife: () => model.onLife(),
      }),
    });
  const model: PatientModel = {
    access,
    patience,
    load: () => (loading ??= load()),
    report: null,
    onLife: () => undefined,
    onWaiting,
    requests: createServerRequests(access),
  };
  const { unknownModelWrites } = RECORDS[provider];
  return {
    async doStream({ maxOutputTokens, ...options }) {
      const limit = maxOutputTokens ?? (modelId.includes('claude-') ? undefined : unknownModelWrites);
      const limited = { ...options, ...(limit !== undefined && { maxOutputTokens: limit }) };
      return { stream: await streamPatiently(model, limited) };
    },
  };
}

/** Headers in which libraries put a key, even if there is none. */
const KEY_HEADERS = ['authorization', 'x-api-key', 'x-goog-api-key'];

const MAX_ERROR_BYTES = 64 * 1024;

/**
 * `fetch` for a connection's requests, which are texts. It follows redirects only within the same server: a key is only
 * for the one it was entered for. Credentials are added here and replace those of the libraries. A successful answer is tidied.
 */
export function createModelFetch(
  access: Pick<ModelAccess, 'provider' | 'apiKey' | 'headers' | 'route' | 'refused'>,
  listener: AnswerListener,
): typeof fetch {
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    for (const name of KEY_HEADERS) headers.delete(name);
    for (const [name, value] of Object.entries(headersFor(access))) headers.set(name, value);
    const { method = 'GET', body = null, signal = null } = init ?? {};
    if (body !== null && typeof body !== 'string') throw new TypeError('A model request is text.');
    const sent = body && withMarkedInPlace(bodyWithoutRefused(body, access.refused ?? []));
    const { route } = access;
    const request = { method, headers, body: sent, signal, ...(route && { route }) };
    let url = new URL(input instanceof Request ? input.url : input);
    for (let count = 0; ; count += 1) {
      const response = await httpFetch(url, request);
      const { status, body: answered } = response;
      if (status < 300) return tidyAnswer(response, access.provider, listener);
      const location = response.headers.get('location');
      if (status >= 400 || location === null)
        return new Response(answered && ReadableStream.from(upTo(MAX_ERROR_BYTES, answered)), response);
      await answered?.cancel();
      const to = URL.parse(location, url.href);
      const isOwn = to?.origin === url.origin;
      if (to === null || !isOwn || !KEEPS_METHOD.includes(status) || count >= MAX_REDIRECTS)
        throw new FaultError('redirected', isOwn ? to.href : to?.origin);
      url = to;
    }
  };
}

/** The beginning of a body. What follows isn't read: some servers repeat the whole request in an error. */
async function* upTo(maxBytes: number, body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  let room = maxBytes;
  for await (const bytes of body) {
    yield bytes.subarray(0, room);
    room -= bytes.length;
    if (room <= 0) return;
  }
}
