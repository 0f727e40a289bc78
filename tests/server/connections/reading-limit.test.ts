import { afterEach, beforeEach, expect, it } from 'vitest';
import { readingLimit } from '../../../server/connections/known-models.ts';
import { createConnection, updateListedModels } from '../../../server/store/connection-repository.ts';
import type { Provider } from '../../../shared/api/connection.ts';
import { openTempStore, type TempStore } from '../../support/store.ts';

let temp: TempStore;
beforeEach(async () => {
  temp = await openTempStore();
});
afterEach(() => temp.remove());

async function connect(slug: string, provider: Provider, contextTokens: number | null): Promise<void> {
  const createdAt = '2026-03-01T10:00:00.000Z';
  const place = { id: slug, provider, name: slug, slug, baseUrl: null, hasKey: false, headerNames: [] };
  await temp.store.write((writer) => {
    createConnection(writer, { ...place, createdAt });
    updateListedModels(writer, place, [{ id: 'm', contextTokens }], createdAt);
  });
}

const limit = (model: string): number => temp.store.read((reader) => readingLimit(reader, model));

it('is what the server lists', async () => {
  await connect('box', 'openai_compatible', 8_192);
  expect(limit('box/m')).toBe(8_192);
});

it('is what the provider makes likely where nobody says', async () => {
  await connect('box', 'openai_compatible', null);
  await connect('claude', 'anthropic', null);
  expect([limit('box/m'), limit('box/another'), limit('claude/m'), limit('gone/m')]).toEqual([
    32_000, 32_000, 200_000, 32_000,
  ]);
});
