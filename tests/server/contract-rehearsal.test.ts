/** What each directive of a rehearsal leads to, as a client sees it. */
import { describe, expect, it } from 'vitest';
import { readScript } from '../../server/models/rehearsal/script.ts';
import type { Rehearsal, RehearsalList } from '../../shared/api/catalog.ts';
import type { Chat } from '../../shared/api/chat.ts';
import type { Message } from '../../shared/api/message.ts';
import { TURN_ERROR_CODES } from '../../shared/errors.ts';
import { eventually } from '../support/eventually.ts';
import { createRehearsal, script } from '../support/rehearse.ts';
import { startSharedService } from '../support/service.ts';

const api = await startSharedService();

/** The chat when it is at rest after these messages, sent one after the other, and the replies. */
async function rehearse(...contents: string[]): Promise<{ chat: Chat; replies: Message[] }> {
  const id = await createRehearsal(api);
  let chat = await api.chat(id);
  for (const content of contents) {
    await api.send(id, content);
    chat = await api.settled(id);
  }
  const messages = await api.messages(id);
  return { chat, replies: messages.filter(({ role }) => role === 'assistant') };
}

it('is listed after the model that answers unless told otherwise', async () => {
  const { models } = (await api.get('/api/v1/models')).json<{ models: unknown[] }>();
  expect(models.slice(0, 2)).toMatchObject([
    { name: 'offline-assistant', offline: true },
    { name: 'rehearsal', offline: true },
  ]);
});

describe('a ready script', () => {
  const list = async (): Promise<Rehearsal[]> =>
    (await api.get('/api/v1/rehearsals')).json<RehearsalList>().rehearsals;

  it('is a model of a chat, plays whatever is said and at any place in it, and stands in no message', async () => {
    const { id } = await api.createChat();
    await api.send(id, '2 + 2');
    await api.settled(id);
    await api.request({
      method: 'PATCH',
      path: `/api/v1/chats/${id}`,
      json: { model: 'rehearsal:length-limit' },
    });
    await api.send(id, script('not this'));
    await api.settled(id);
    await api.send(id, 'again');
    await api.settled(id);
    const replies = (await api.messages(id)).filter(({ role }) => role === 'assistant').slice(1);
    expect(replies).toMatchObject(
      [1, 2].map(() => ({ model: 'rehearsal:length-limit', stopReason: 'length' })),
    );
    expect(new Set(replies.map(({ content }) => content)).size).toBe(1);
  });

  it('answers one message, with real tools, beside another model', async () => {
    const { id } = await api.createChat();
    await api.post(`/api/v1/chats/${id}/messages`, { content: 'Measure it', model: 'rehearsal:tools' });
    await api.settled(id);
    const reply = (await api.messages(id)).at(-1);
    expect(reply?.steps?.map(({ tool, status }) => [tool, status])).toEqual([
      ['calculate', 'done'],
      ['calculate', 'done'],
      ['convert_units', 'done'],
    ]);
    expect((await api.chat(id)).model).toBe('offline-assistant');
  });

  it('is listed with words and a script that can be read, and plays in a first message as well', async () => {
    const rehearsals = await list();
    expect(rehearsals.length).toBeGreaterThan(5);
    for (const { script: text, title, description, prompt } of rehearsals) {
      expect(readScript(text)).toHaveLength(1);
      expect([title, description, prompt].every((words) => words.trim() !== '')).toBe(true);
    }
    const failing = rehearsals.find(({ model }) => model === 'rehearsal:failure');
    const { replies } = await rehearse(['````rehearsal', failing?.script, '````'].join('\n'));
    expect(replies[0]).toMatchObject({ status: 'error', error: { code: 'model_overloaded' } });
  });

  it.each(['rehearsal:', 'rehearsal:nobody', 'rehearsal:tools ', 'rehearsal:TOOLS'])(
    'is not %j',
    async (model) => {
      const { id } = await api.createChat();
      const answer = await api.request({ method: 'PATCH', path: `/api/v1/chats/${id}`, json: { model } });
      expect(answer.status).toBe(400);
    },
  );
});

describe('a script of a chat’s first message', () => {
  it('is played part by part, and then from the beginning, whatever is asked', async () => {
    const { chat, replies } = await rehearse(script('one', '---', 'two'), 'hm?', script('not this'));
    expect(chat).toMatchObject({ status: 'idle', model: 'rehearsal' });
    expect(replies.map(({ content, status, model }) => [content, status, model])).toEqual([
      ['one', 'complete', 'rehearsal'],
      ['two', 'complete', 'rehearsal'],
      ['one', 'complete', 'rehearsal'],
    ]);
  });

  it('stays where it is when a message is edited or tried again', async () => {
    const id = await createRehearsal(api);
    await api.send(id, script('one', '---', 'two', '---', 'three'));
    await api.settled(id);
    await api.send(id, 'next');
    await api.settled(id);
    const asked = (await api.messages(id)).findLast(({ role }) => role === 'user');
    await api.post(`/api/v1/chats/${id}/messages/${asked?.id ?? ''}/edit`, { content: 'next, please' });
    await api.settled(id);
    await api.post(`/api/v1/chats/${id}/retry`, {});
    await api.settled(id);
    expect((await api.messages(id)).map(({ content }) => content).slice(1)).toEqual([
      'one',
      'next, please',
      'two',
    ]);
  });

  it('goes on after more messages than a model is shown', async () => {
    const parts = Array.from({ length: 30 }, (_, part) => ['---', `part ${part + 1}`])
      .flat()
      .slice(1);
    const { replies } = await rehearse(script(...parts), ...Array.from({ length: 24 }, () => 'next'));
    expect(replies.at(-1)?.content).toBe('part 25');
  });
});

it('tells tokens, and what tools gave', async () => {
  const { replies } = await rehearse(
    script('::tool calculate {"expression":"2+2"}', 'Four.', '::usage 12 3'),
  );
  expect(replies[0]).toMatchObject({
    status: 'complete',
    content: 'Four.',
    stopReason: 'end',
    usage: { inputTokens: 12, outputTokens: 3 },
    steps: [{ tool: 'calculate', status: 'done', input: { expression: '2+2' } }],
  });
});

it('shows a tool that refuses, and one that there isn’t, as failed steps', async () => {
  const { chat, replies } = await rehearse(
    script('::tool calculate {"expression":"1/0"}', '::tool fly', 'Well.'),
  );
  expect(chat.status).toBe('idle');
  expect(replies[0]).toMatchObject({
    status: 'complete',
    steps: [{ status: 'failed' }, { status: 'failed' }],
  });
});

it('tells what it thinks apart from what it says', async () => {
  const { replies } = await rehearse(script('::think', 'Hm.', '::end', 'Yes.'));
  expect(replies[0]).toMatchObject({ status: 'complete', reasoning: 'Hm.', content: 'Yes.' });
});

it.each(TURN_ERROR_CODES)('fails with %s', async (code) => {
  const { chat, replies } = await rehearse(script('So far.', `::fail ${code} We ran out of luck`));
  expect(chat.status).toBe('failed');
  expect(replies[0]).toMatchObject({
    status: 'error',
    content: 'So far.',
    error: { code, message: 'We ran out of luck' },
  });
});

it('is cut off', async () => {
  const { chat, replies } = await rehearse(script('So f', '::cut', '---', 'Again.'), 'again');
  expect(chat.status).toBe('idle');
  expect(replies).toMatchObject([
    { status: 'error', content: 'So f', error: { code: 'model_unreachable' } },
    { status: 'complete', content: 'Again.' },
  ]);
});

it('reaches a length limit', async () => {
  const { chat, replies } = await rehearse(script('So f', '::length'));
  expect(chat.status).toBe('idle');
  expect(replies[0]).toMatchObject({ status: 'complete', content: 'So f', stopReason: 'length' });
});

it('reaches the agent’s step limit', async () => {
  const rounds = Array.from({ length: 13 }, (_, round) => [`${round}`, '::tool list_notes']).flat();
  const { replies } = await rehearse(script(...rounds));
  expect(replies[0]).toMatchObject({ status: 'complete', stopReason: 'step_limit' });
});

it('says which line of the script is wrong', async () => {
  const { chat, replies } = await rehearse(script('a', '::dance'));
  expect(chat.status).toBe('failed');
  expect(replies[0]).toMatchObject({
    status: 'error',
    content: '',
    error: { code: 'model_failed', message: expect.stringMatching(/^Line 3 of the script: .+\.$/) as string },
  });
});

it.each(['::stall', '::pause 30s'])('waits in %s until it is stopped, and then goes on', async (wait) => {
  const id = await createRehearsal(api);
  await api.send(id, script('Wait', wait, '---', 'Next.'));
  await eventually(async () => {
    expect(await api.chat(id)).toMatchObject({ status: 'processing' });
    expect((await api.messages(id)).at(-1)).toMatchObject({
      status: 'streaming',
      content: expect.stringMatching(/^Wait/) as string,
    });
  });
  await api.post(`/api/v1/chats/${id}/stop`);
  expect(await api.settled(id)).toMatchObject({ status: 'stopped' });
  expect((await api.messages(id)).at(-1)).toMatchObject({ status: 'complete', stopReason: 'stopped' });
  await api.send(id, 'go on');
  expect(await api.settled(id)).toMatchObject({ status: 'idle' });
  expect((await api.messages(id)).at(-1)).toMatchObject({ status: 'complete', content: 'Next.' });
});
