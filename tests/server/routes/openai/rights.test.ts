/** Which tools a turn gets that came by OpenAI's format. */
import OpenAI from 'openai';
import { expect, it } from 'vitest';
import type { CreatedKey } from '../../../../shared/api/key.ts';
import { UNASKED_WORDS } from '../../../../shared/choices.ts';
import { createRecordingSource } from '../../../support/recording-source.ts';
import { startTestService } from '../../../support/service.ts';

const SCRIPT =
  '```rehearsal\n::tool look {"text":""}\n::tool add_line {"text":"one"}\n::tool remember_note {"text":"two"}\nDone.\n```';

it('what is not kept reaches nothing, whatever the key; what is kept gets what the key may, and asks nobody', async () => {
  const source = createRecordingSource();
  const api = await startTestService({ hostTools: { sources: [source] } });
  const { workspaceId, url } = api.service;
  const clientWith = async (rights: object): Promise<OpenAI> => {
    const made = await api.post('/api/v1/keys', { name: 'program', workspaceId, ...rights });
    return new OpenAI({ baseURL: `${url}/v1`, apiKey: made.json<CreatedKey>().apiKey, maxRetries: 0 });
  };
  const play = async (client: OpenAI, chat: Record<string, string>): Promise<string | null> => {
    const body = { model: 'rehearsal', messages: [{ role: 'user' as const, content: SCRIPT }] };
    const { response } = await client.chat.completions.create(body, { headers: chat }).withResponse();
    return response.headers.get('x-parley-chat');
  };
  const stepsOf = async (chatId: string | null): Promise<string[]> =>
    (await api.messages(chatId ?? ''))[1]?.steps?.map(({ tool, status, error }) =>
      `${tool} ${status} ${error ?? ''}`.trim(),
    ) ?? [];

  const plain = await clientWith({});
  const reaching = await clientWith({ reach: true });
  for (const client of [plain, reaching]) expect(await play(client, {})).toBeNull();
  expect([source.looks, source.lines]).toEqual([0, []]);
  const notes = { model: 'offline-assistant', input: 'show my notes', store: true };
  expect((await plain.responses.create(notes)).output_text).not.toContain('two');

  const [look, addLine] = await stepsOf(await play(plain, { 'X-Parley-Chat': 'new' }));
  expect([look, addLine]).toEqual([
    'look failed There is no tool called “look” here.',
    'add_line failed There is no tool called “add_line” here.',
  ]);
  const reached = await stepsOf(await play(reaching, { 'X-Parley-Chat': 'new' }));
  expect(reached.slice(0, 2)).toEqual(['look done', `add_line failed ${UNASKED_WORDS}`]);
});
