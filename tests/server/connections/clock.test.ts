/** A clock that is set while a server is asked changes nothing about how long it is waited for. */
import { afterEach, expect, it, vi } from 'vitest';
import { REQUEST_LIMITS } from '../../../server/net/request-json.ts';
import { listServerModels } from '../../../server/connections/list-models.ts';
import { byPath, startListingServer } from '../../support/listing-server.ts';

const DAY_MS = 24 * 60 * 60_000;

afterEach(() => vi.restoreAllMocks());

/** From here on each look at the clock finds it a day later. */
const setAhead = (): void => {
  let at = performance.timeOrigin;
  vi.spyOn(Date, 'now').mockImplementation(() => (at += DAY_MS));
};

it('a redirection within a server is followed though the clock leaps ahead meanwhile', async () => {
  const server = await startListingServer(({ path }) => {
    if (path === '/moved/models') return { json: { data: [{ id: 'one' }] } };
    setAhead();
    return { status: 307, headers: { location: '/moved/models' }, json: {} };
  });
  const place = { provider: 'openai_compatible', baseUrl: server.origin, apiKey: null } as const;
  expect(await listServerModels(place, REQUEST_LIMITS)).toMatchObject({ models: [{ id: 'one' }] });
});

it('an Ollama is asked for details though the clock leaps ahead meanwhile', async () => {
  const server = await startListingServer((request) => {
    setAhead();
    return byPath({
      '/api/tags': { json: { models: [{ model: 'one' }] } },
      '/api/show': { json: { capabilities: ['completion'], parameters: 'num_ctx 4096' } },
    })(request);
  });
  const place = { provider: 'ollama', baseUrl: server.origin, apiKey: null } as const;
  expect(await listServerModels(place, REQUEST_LIMITS)).toMatchObject({
    models: [{ id: 'one', contextTokens: 4_096 }],
  });
});
