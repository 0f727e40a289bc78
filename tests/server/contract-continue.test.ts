/** Going on with a reply that was cut off, over HTTP, and what its model gets on the wire. */
import { expect, it } from 'vitest';
import type { Message } from '../../shared/api/message.ts';
import { CONTINUE_REQUEST } from '../../shared/continue.ts';
import { CONNECTED, startConnectedService } from '../support/connected-service.ts';
import { PARTIAL_TEXT, PLAIN_TEXT } from '../support/model-servers/scenarios.ts';
import type { TestAnswer } from '../support/service.ts';

const api = await startConnectedService();

const goOn = (chatId: string, messageId: string, options: object = {}): Promise<TestAnswer> =>
  api.post(`/api/v1/chats/${chatId}/messages/${messageId}/continue`, undefined, options);
const problem = (answer: TestAnswer): [number, string] => [answer.status, answer.error().code];

/** A chat whose reply breaks off in the midst of its text. */
async function cutOff(model = CONNECTED): Promise<{ chatId: string; reply: Message }> {
  const { id: chatId } = await api.createChat();
  await api.request({ method: 'PATCH', path: `/api/v1/chats/${chatId}`, json: { model } });
  api.model.play('fault-midway');
  await api.send(chatId, 'hello', { mode: 'chat', parameters: { temperature: 0.25 } });
  await api.settled(chatId);
  const [, reply] = await api.messages(chatId);
  if (reply === undefined) throw new Error('There is no reply.');
  return { chatId, reply };
}

it('asks the model to go on, with the text so far as its own; the rest is a reply of its own', async () => {
  const { chatId, reply } = await cutOff();
  expect(reply).toMatchObject({ status: 'error', content: PARTIAL_TEXT });
  api.model.play('plain');
  const once = { headers: { 'idempotency-key': 'k' } };
  for (let repeat = 0; repeat < 2; repeat += 1)
    expect((await goOn(chatId, reply.id, once)).json<{ chat: { status: string } }>().chat.status).toBe(
      'pending',
    );
  await api.settled(chatId);
  const [, before, request, after, ...more] = await api.messages(chatId);
  expect(more).toEqual([]);
  expect(before).toEqual(reply);
  expect(request).toMatchObject({ role: 'user', content: CONTINUE_REQUEST, mode: 'chat' });
  expect(after).toMatchObject({ content: PLAIN_TEXT, status: 'complete', replyTo: request?.id });
  const asked = api.model.asked().find(({ body }) => JSON.stringify(body).includes(CONTINUE_REQUEST))
    ?.body as {
    messages: { role: string; content: unknown }[];
    temperature: number;
  };
  expect(asked.temperature).toBe(0.25);
  expect(asked.messages.slice(-3)).toEqual([
    { role: 'user', content: 'hello' },
    { role: 'assistant', content: PARTIAL_TEXT },
    { role: 'user', content: CONTINUE_REQUEST },
  ]);
});

it('goes on with one that the model’s length limit cut off, as often as it does', async () => {
  const { id: chatId } = await api.createChat();
  await api.request({ method: 'PATCH', path: `/api/v1/chats/${chatId}`, json: { model: CONNECTED } });
  api.model.play('over-long');
  await api.send(chatId, 'hello');
  await api.settled(chatId);
  for (const scenario of ['over-long', 'plain'] as const) {
    const cut = (await api.messages(chatId)).at(-1);
    expect(cut).toMatchObject({ status: 'complete', stopReason: 'length', content: PARTIAL_TEXT });
    api.model.play(scenario);
    expect((await goOn(chatId, cut?.id ?? '')).status).toBe(200);
    await api.settled(chatId);
  }
  expect((await api.messages(chatId)).slice(-2)).toMatchObject([
    { role: 'user', content: CONTINUE_REQUEST },
    { content: PLAIN_TEXT, stopReason: 'end' },
  ]);
});

it('goes on with one that was stopped, too', async () => {
  const { id: chatId } = await api.createChat();
  await api.request({ method: 'PATCH', path: `/api/v1/chats/${chatId}`, json: { model: CONNECTED } });
  api.model.play('stall');
  await api.send(chatId, 'hello');
  await expect
    .poll(async () => (await api.messages(chatId))[1]?.content, { timeout: 10_000 })
    .toBe(PARTIAL_TEXT);
  const [, reply] = await api.messages(chatId);
  expect(problem(await goOn(chatId, reply?.id ?? ''))).toEqual([409, 'chat_busy']);
  await api.post(`/api/v1/chats/${chatId}/stop`);
  api.model.play('plain');
  expect((await goOn(chatId, reply?.id ?? '')).status).toBe(200);
  await api.settled(chatId);
  expect((await api.messages(chatId)).at(-1)?.content).toBe(PLAIN_TEXT);
});

it('refuses a reply that is whole, no longer the last, of a built-in model, or isn’t there', async () => {
  const { chatId, reply } = await cutOff();
  expect(problem(await goOn(chatId, 'nothing'))).toEqual([404, 'message_not_found']);
  expect(problem(await goOn(chatId, reply.replyTo ?? ''))).toEqual([409, 'conflict']);
  api.model.play('plain');
  await api.send(chatId, 'again');
  await api.settled(chatId);
  expect(problem(await goOn(chatId, reply.id))).toEqual([409, 'conflict']);
  expect(problem(await goOn(chatId, (await api.messages(chatId)).at(-1)?.id ?? ''))).toEqual([
    409,
    'conflict',
  ]);
  const { id: scripted } = await api.createChat();
  await api.request({
    method: 'PATCH',
    path: `/api/v1/chats/${scripted}`,
    json: { model: 'rehearsal:length-limit' },
  });
  await api.send(scripted, 'hello');
  await api.settled(scripted);
  const [, played] = await api.messages(scripted);
  expect(played?.stopReason).toBe('length');
  expect(problem(await goOn(scripted, played?.id ?? ''))).toEqual([400, 'invalid_request']);
});
