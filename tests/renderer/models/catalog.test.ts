import { expect, it } from 'vitest';
import type { Model } from '../../../shared/api/catalog.ts';
import { Catalog } from '../../../renderer/models/catalog.svelte.ts';

const model = (name: string): Model => ({
  name,
  offline: false,
  connection: null,
  contextTokens: null,
  parameters: [],
});

it('keeps the later answer when an earlier one comes after it', async () => {
  const answers: ((models: Model[]) => void)[] = [];
  const catalog = new Catalog({
    listAgents: () => Promise.resolve([]),
    listModels: () => new Promise((resolve) => answers.push(resolve)),
  });
  const first = catalog.refresh();
  const second = catalog.refresh();
  answers[1]?.([model('old'), model('new')]);
  await second;
  answers[0]?.([model('old')]);
  await first;
  expect(catalog.models.map(({ name }) => name)).toEqual(['old', 'new']);
  expect(catalog.isGone('new')).toBe(false);
});
