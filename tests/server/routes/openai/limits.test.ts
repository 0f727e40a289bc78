/** What ends the work of a request, and how many there may be. */
import OpenAI from 'openai';
import { expect, it, onTestFinished } from 'vitest';
import { connectModel, CONNECTED } from '../../../support/connected-service.ts';
import { PLAIN_TEXT } from '../../../support/model-servers/scenarios.ts';
import { startModelServer, type ModelServer } from '../../../support/model-servers/model-server.ts';
import { createScriptedRuntime } from '../../../support/scripted-runtime.ts';
import { createTempDir, startTestService, type TestService } from '../../../support/service.ts';
import { runService } from '../../../support/service-process.ts';
import type { AgentRuntime } from '../../../../server/agents/turn.ts';

const USER = { messages: [{ role: 'user' as const, content: 'Hello' }] };
const clientOf = ({ service }: TestService): OpenAI =>
  new OpenAI({ baseURL: `${service.url}/v1`, apiKey: service.apiKey, maxRetries: 0 });

async function startModel(): Promise<ModelServer> {
  const model = await startModelServer('openai');
  onTestFinished(() => model.close());
  return model;
}

async function start(
  runtime?: AgentRuntime,
): Promise<{ service: TestService; client: OpenAI; model: ModelServer }> {
  const model = await startModel();
  const service = await startTestService(runtime === undefined ? {} : { runtime });
  await connectModel(service, model);
  return { service, client: clientOf(service), model };
}

it('a client that goes away ends the model’s work, streamed or not, but not that of a chat', async () => {
  const { service, client, model } = await start();
  model.play('endless');
  const stream = await client.chat.completions.create({ model: CONNECTED, ...USER, stream: true });
  for await (const { choices } of stream) if ((choices[0]?.delta.content ?? '') !== '') break;
  await model.asked()[0]?.clientClosed;

  const leaving = new AbortController();
  const whole = client.chat.completions.create({ model: CONNECTED, ...USER }, { signal: leaving.signal });
  await expect.poll(() => model.asked().length).toBe(2);
  leaving.abort();
  await expect(whole).rejects.toThrow('aborted');
  await model.asked()[1]?.clientClosed;

  const kept = await client.responses.create({ model: CONNECTED, input: 'Hello', store: true, stream: true });
  let id = '';
  for await (const event of kept) {
    if (event.type === 'response.created') id = event.response.id.split('_')[1] ?? '';
    if (event.type === 'response.output_text.delta') break;
  }
  await expect.poll(async () => (await service.messages(id))[1]?.content).toMatch(/word9 /);
  expect(model.asked()[2]?.isClientGone).toBe(false);
});

it('sixteen at once are all answered, each with its own', async () => {
  const { client, model } = await start();
  model.play('echo');
  const asked = Array.from({ length: 16 }, (_, index) =>
    client.chat.completions.create({
      model: index % 2 === 0 ? CONNECTED : 'offline-assistant',
      messages: [{ role: 'user', content: index % 2 === 0 ? `This is ${index}.` : `What is ${index}*1000?` }],
    }),
  );
  const answers = (await Promise.all(asked)).map(({ choices }) => choices[0]?.message.content ?? '');
  answers.forEach((answer, index) =>
    expect(answer).toContain(
      index % 2 === 0 ? `user: This is ${index}.` : index === 0 ? '0' : `${index},000`,
    ),
  );
});

it('more than a key may have under way are refused until some are answered, and chats go on meanwhile', async () => {
  const runtime = createScriptedRuntime();
  const { service, client } = await start(runtime);
  const errors: unknown[] = [];
  const asked = Array.from({ length: 101 }, () =>
    client.chat.completions
      .create({ model: 'offline-assistant', ...USER })
      .then(({ choices }) => choices[0]?.message.content)
      .catch((error: unknown) => {
        errors.push(error);
        return null;
      }),
  );
  await expect.poll(() => errors.length).toBe(1);
  expect(errors).toMatchObject([{ status: 429, code: 'rate_limit_exceeded', type: 'rate_limit_error' }]);
  expect(runtime.turns.length).toBe(16);

  const chat = await service.createChat();
  await service.send(chat.id, 'Hi');
  (await runtime.turnOf(chat.id)).reply('Here you are.');
  expect((await service.settled(chat.id)).status).toBe('idle');

  for (let count = 0; count < 100; count += 1) {
    await expect.poll(() => runtime.running().length).toBeGreaterThan(0);
    runtime.running()[0]?.reply('At last.');
  }
  const answers = await Promise.all(asked);
  expect(answers.filter((answer) => answer === 'At last.').length).toBe(100);
});

it('a stop of the service ends what is under way, and says so', async () => {
  const runtime = createScriptedRuntime();
  const { service, client } = await start(runtime);
  const whole = client.chat.completions.create({ model: 'offline-assistant', ...USER });
  const outcome = expect(whole).rejects.toMatchObject({ status: 503, code: 'shutting_down' });
  await expect.poll(() => runtime.turns.length).toBe(1);
  await service.service.close();
  await outcome;
});

it('a thread that is lost before anything was told is another try’s, alone, and an error after it', async () => {
  const runtime = createScriptedRuntime();
  const { client } = await start(runtime);
  const asked = client.chat.completions.create({ model: 'offline-assistant', ...USER });
  await expect.poll(() => runtime.turns.length).toBe(1);
  runtime.turns[0]?.loseThread();
  await expect.poll(() => runtime.turns.length).toBe(2);
  expect(runtime.turns[1]?.request.alone).toBe(true);
  runtime.turns[1]?.reply('Here you are.');
  expect((await asked).choices[0]?.message.content).toBe('Here you are.');

  const stream = client.chat.completions.create({ model: 'offline-assistant', ...USER, stream: true });
  await expect.poll(() => runtime.turns.length).toBe(3);
  runtime.turns[2]?.stream('Once upon');
  const reading = (async () => {
    for await (const { choices } of await stream)
      if (choices[0]?.delta.content !== '') runtime.turns[2]?.loseThread();
  })();
  await expect(reading).rejects.toMatchObject({ code: 'agent_crashed' });
});

it('what is kept outlives a kill of the service: it is answered after the next start', async () => {
  const model = await startModel();
  const dataDir = await createTempDir();
  const first = await runService(dataDir);
  await connectModel(first.api, model);
  model.play('endless');
  const openai = ({ baseUrl, apiKey }: typeof first): OpenAI =>
    new OpenAI({ baseURL: `${baseUrl}/v1`, apiKey, maxRetries: 0 });
  const stream = await openai(first).responses.create({
    model: CONNECTED,
    input: 'Hello',
    store: true,
    stream: true,
  });
  let id = '';
  const reading = (async () => {
    for await (const event of stream) {
      if (event.type === 'response.created') id = event.response.id;
      if (event.type === 'response.output_text.delta') first.child.kill('SIGKILL');
    }
  })();
  await expect(reading).rejects.toThrow();
  model.play('plain');
  const second = await runService(dataDir);
  await expect
    .poll(async () => (await openai(second).responses.retrieve(id)).output_text, { timeout: 20_000 })
    .toBe(PLAIN_TEXT);
});
