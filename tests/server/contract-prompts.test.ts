import { describe, expect, it } from 'vitest';
import type { Prompt, PromptAnswer, PromptList } from '../../shared/api/prompt.ts';
import { MAX_CONTENT_CHARACTERS, MAX_PROMPTS, MAX_PROMPT_NAME_CHARACTERS } from '../../shared/limits.ts';
import {
  createTempDir,
  keyElsewhere,
  outcome,
  startSharedService,
  startTestService,
  type TestAnswer,
} from '../support/service.ts';

type Shared = Awaited<ReturnType<typeof startSharedService>>;
type Client = Pick<Shared, 'request' | 'get' | 'post'>;

const api = await startSharedService();

const EXPLAIN = { name: 'Explain', text: 'Explain {{topic}} to {{ reader }}, and {{topic}} again.' };
const create = (body: unknown, client: Client = api): Promise<TestAnswer> =>
  client.post('/api/v1/prompts', body);
const created = async (body: unknown, client: Client = api): Promise<Prompt> => {
  const answer = await create(body, client);
  expect(answer.status, answer.text).toBe(201);
  return answer.json<PromptAnswer>().prompt;
};
const list = async (client: Client = api): Promise<Prompt[]> =>
  (await client.get('/api/v1/prompts')).json<PromptList>().prompts;
const update = (id: string, json: unknown): Promise<TestAnswer> =>
  api.request({ method: 'PATCH', path: `/api/v1/prompts/${id}`, json });
const remove = (id: string): Promise<TestAnswer> =>
  api.request({ method: 'DELETE', path: `/api/v1/prompts/${id}` });

describe('prompts', () => {
  it('are kept over restarts, by name, with the names of their placeholders', async () => {
    const dataDir = await createTempDir();
    const first = await startTestService({ dataDir });
    const zebra = await created({ name: ' zebra ', text: ' as it is\n' }, first);
    const explain = await created(EXPLAIN, first);
    expect(zebra).toMatchObject({ name: 'zebra', text: ' as it is\n', placeholders: [] });
    expect(explain).toMatchObject({ ...EXPLAIN, placeholders: ['topic', 'reader'] });
    await first.service.close();
    const second = await startTestService({ dataDir });
    expect(await list(second)).toEqual([explain, zebra]);
  });

  it('can be changed in part, and deleted for good', async () => {
    const prompt = await created(EXPLAIN);
    const renamed = (await update(prompt.id, { name: 'Explain it' })).json<PromptAnswer>().prompt;
    expect(renamed).toEqual({ ...prompt, name: 'Explain it', updatedAt: renamed.updatedAt });
    const rewritten = (await update(prompt.id, { text: 'Sum up {{what}}' })).json<PromptAnswer>().prompt;
    expect(rewritten).toMatchObject({ name: 'Explain it', placeholders: ['what'] });
    expect(await list()).toContainEqual(rewritten);
    expect((await remove(prompt.id)).json<PromptAnswer>().prompt).toEqual(rewritten);
    expect(await list()).not.toContainEqual(rewritten);
    expect(outcome(await remove(prompt.id))).toEqual([404, 'prompt_not_found']);
    expect(outcome(await update(prompt.id, { name: 'x' }))).toEqual([404, 'prompt_not_found']);
  });

  it('need a name and a text of bounded length', async () => {
    const wrong = [
      {},
      { name: 'x' },
      { text: 'x' },
      { name: ' ', text: 'x' },
      { name: 'x', text: ' \n' },
      { name: 'x'.repeat(MAX_PROMPT_NAME_CHARACTERS + 1), text: 'x' },
      { name: 'x', text: 'x'.repeat(MAX_CONTENT_CHARACTERS + 1) },
    ];
    for (const body of wrong) expect(outcome(await create(body))).toEqual([400, 'invalid_request']);
    const { id } = await created({ name: 'é'.repeat(80), text: 'x'.repeat(MAX_CONTENT_CHARACTERS) });
    expect(outcome(await update(id, { text: '' }))).toEqual([400, 'invalid_request']);
  });

  it('are those of one workspace, of which each keeps so many', async () => {
    const own = await created(EXPLAIN);
    const key = await keyElsewhere(api);
    expect((await api.get('/api/v1/prompts', { key })).json()).toEqual({ prompts: [] });
    const foreign = await api.request({ method: 'DELETE', path: `/api/v1/prompts/${own.id}`, key });
    expect(outcome(foreign)).toEqual([404, 'prompt_not_found']);
    const send = (): Promise<TestAnswer> =>
      api.request({ method: 'POST', path: '/api/v1/prompts', json: EXPLAIN, key });
    const answers = await Promise.all(Array.from({ length: MAX_PROMPTS }, send));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(outcome(await send())).toEqual([409, 'conflict']);
    expect((await create(EXPLAIN)).status).toBe(201);
  });
});
