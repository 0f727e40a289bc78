/** Pictures and files in OpenAI's format: to a connected model, to the offline assistant, and into a chat. */
import OpenAI from 'openai';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  startConnectedService,
  CONNECTED,
  type ConnectedService,
} from '../../../support/connected-service.ts';
import { startModelServer } from '../../../support/model-servers/model-server.ts';
import { PROVIDER_WIRES } from '../../../support/model-servers/provider-wires.ts';
import { LOCAL, startWebServer } from '../../../support/web-server.ts';
import { pdfOf } from '../../../support/documents.ts';
import { base64, namesOnDisk, PNG } from '../../../support/files.ts';

const service = await startConnectedService({ hostTools: { web: LOCAL } });

const PICTURE = `data:image/png;base64,${base64(PNG)}`;
const complete = (content: unknown[], more: object = {}): ReturnType<ConnectedService['post']> =>
  service.post('/v1/chat/completions', { model: CONNECTED, messages: [{ role: 'user', content }], ...more });

it('a connected model gets pictures of a chat completion', async () => {
  const content = [
    { type: 'text', text: 'Look' },
    { type: 'image_url', image_url: { url: PICTURE } },
  ];
  expect((await complete(content)).status).toBe(200);
  expect(JSON.stringify(service.lastAsked())).toContain(`"image_url":{"url":"${PICTURE}"}`);
});

it('and those of a response', async () => {
  const content = [
    { type: 'input_text', text: 'Look' },
    { type: 'input_image', image_url: PICTURE },
  ];
  const input = [{ role: 'user', content }];
  expect((await service.post('/v1/responses', { model: CONNECTED, input, store: false })).status).toBe(200);
  expect(JSON.stringify(service.lastAsked())).toContain(`"image_url":{"url":"${PICTURE}"}`);
});

it.each(['/v1/chat/completions', '/v1/responses'])('%s takes a picture of more than 1 MiB', async (path) => {
  const url = `data:image/png;base64,${base64(Buffer.concat([PNG, Buffer.alloc(2 ** 20)]))}`;
  const body = path.endsWith('completions')
    ? { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }] }
    : { input: [{ role: 'user', content: [{ type: 'input_image', image_url: url }] }], store: false };
  expect((await service.post(path, { model: CONNECTED, ...body })).status).toBe(200);
  expect(JSON.stringify(service.lastAsked())).toContain(url);
});

it('a file of more than 1 MiB becomes one of the message', async () => {
  const text = `city,price\n${'Rome,10\n'.repeat(2 ** 17)}`;
  const file = { filename: 'prices.csv', file_data: `data:text/csv;base64,${base64(text)}` };
  const answer = await complete([{ type: 'file', file }], { model: 'offline-assistant', store: true });
  expect(answer.status).toBe(200);
  const [message] = await service.messages(String(answer.headers['x-parley-chat']));
  expect(message?.attachments).toMatchObject([{ name: 'prices.csv', bytes: text.length }]);
});

it('words can have as much, in one text or in thousands', async () => {
  const long = 'words '.repeat(2 ** 20);
  expect((await complete([{ type: 'text', text: long }])).status).toBe(200);
  expect(JSON.stringify(service.lastAsked())).toContain(long);
  const messages = Array.from({ length: 3_001 }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `${index} ${'x'.repeat(1_500)}`,
  }));
  const answer = await service.post('/v1/chat/completions', { model: CONNECTED, messages });
  expect(answer.status).toBe(200);
});

it.each([
  ['words beyond 27 MiB', { content: 'x'.repeat(28 * 2 ** 20) }],
  ['a million small values', { content: 'Hi', metadata: Array.from({ length: 2 ** 20 }, () => []) }],
])('but not %s, which clients shorten', async (_, { content, ...more }) => {
  const body = { model: CONNECTED, messages: [{ role: 'user', content }], ...more };
  const answer = await service.post('/v1/chat/completions', body);
  expect(answer.status).toBe(413);
  expect(answer.json()).toMatchObject({ error: { code: 'context_length_exceeded' } });
});

describe('a picture can be an address', () => {
  const startSite = async () => {
    const site = await startWebServer(({ url }, response) =>
      url === '/a.png' ? response.end(PNG) : response.writeHead(404).end(),
    );
    const url = `${site.origin}/a.png`;
    return { ...site, url, picture: { type: 'image_url', image_url: { url, detail: 'low' } } };
  };
  const bytes = PNG.toString('base64');

  it.each(PROVIDER_WIRES)('that the server of %s gets, or the picture itself', async (provider, wire) => {
    const { url, picture, seen } = await startSite();
    const server = await startModelServer(wire);
    onTestFinished(() => server.close());
    const name = `Of ${wire} ${provider === 'openai' ? 'itself' : ''}`;
    const connection = { provider, name, baseUrl: server.baseUrl, apiKey: 'sk-test-123456' };
    const made = await service.post('/api/v1/connections', connection);
    const { slug } = made.json<{ connection: { slug: string } }>().connection;
    expect((await complete([picture], { model: `${slug}/fake-model` })).status).toBe(200);
    const takesAddress = provider !== 'ollama' && provider !== 'google';
    expect(JSON.stringify(server.asked().at(-1)?.body)).toContain(takesAddress ? url : bytes);
    expect(seen).toHaveLength(takesAddress ? 0 : 1);
  });

  it('for agents and chats, which get the picture itself', async () => {
    const { picture } = await startSite();
    const cook = { name: 'Cook', instructions: 'You cook.', model: CONNECTED, tools: [] };
    await service.post('/api/v1/agents', { agentType: 'cook', ...cook });
    for (const body of [{ model: 'agent:cook' }, { store: true }]) {
      const before = service.model.asked().length;
      expect((await complete([picture], body)).status).toBe(200);
      expect(JSON.stringify(service.model.asked().slice(before))).toContain(bytes);
    }
    const offline = await complete([picture], { model: 'offline-assistant' });
    expect(offline.text).toContain('I can’t look at pictures');
  });

  it('of the public internet only, for keys that may reach it', async () => {
    const { origin, picture, seen } = await startSite();
    for (const address of [`${origin}/gone.png`, 'http://10.0.0.1/a.png', 'http://169.254.169.254/a.png']) {
      const refused = await complete([{ ...picture, image_url: address }], { model: 'agent:cook' });
      expect([refused.status, refused.json<{ error: { param: string } }>().error.param]).toEqual([
        400,
        'messages',
      ]);
    }
    const { apiKey } = (await service.post('/api/v1/keys', { name: 'Other' })).json<{ apiKey: string }>();
    const messages = [{ role: 'user', content: [picture] }];
    const before = seen.length;
    const refused = await service.post(
      '/v1/chat/completions',
      { model: 'agent:cook', messages },
      { key: apiKey },
    );
    expect(refused.json()).toMatchObject({ error: { code: 'reach_required' } });
    expect(seen.length).toBe(before);
  });
});

it('the offline assistant says that it can’t look at them', async () => {
  const answer = await complete([{ type: 'image_url', image_url: { url: PICTURE } }], {
    model: 'offline-assistant',
  });
  expect(answer.text).toContain('I can’t look at pictures');
});

it('files become those of the message where an exchange is kept', async () => {
  const csv = base64('city,price\nRome,10\nRome,20');
  const file = { filename: 'prices.csv', file_data: `data:text/csv;base64,${csv}` };
  const content = [
    { type: 'text', text: 'average price per city' },
    { type: 'file', file },
  ];
  const answer = await complete(content, { model: 'offline-assistant', store: true });
  expect(answer.text).toMatch(/Rome \| 15\b/);
  const [message] = await service.messages(String(answer.headers['x-parley-chat']));
  expect(message?.attachments).toMatchObject([{ name: 'prices.csv', kind: 'text' }]);
});

const pdf = (text: string): object => {
  const data = `data:application/pdf;base64,${base64(pdfOf([[text]]))}`;
  return { filename: 'report.pdf', file_data: data };
};

it('a connected model gets the text of files where nothing is kept, and nothing of them is', async () => {
  const before = await namesOnDisk(service.dataDir);
  const client = new OpenAI({ baseURL: service.baseURL, apiKey: service.apiKey, maxRetries: 0 });
  const csv = { filename: 'prices.csv', file_data: `data:text/csv;base64,${base64('city,price\nRome,10')}` };
  await client.chat.completions.create({
    model: CONNECTED,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'file', file: csv },
          { type: 'file', file: pdf('Sales went up') },
          { type: 'text', text: 'Compare' },
        ],
      },
    ],
  });
  const asked = JSON.stringify(service.lastAsked());
  expect(asked).toContain(
    JSON.stringify('<file name="prices.csv" type="text/csv">\ncity,price\nRome,10\n</file>').slice(1, -1),
  );
  expect(asked).toContain('Sales went up');
  expect(asked).toMatch(/<\/file>\\n\\nCompare"/);
  await client.responses.create({
    model: CONNECTED,
    store: false,
    input: [{ role: 'user', content: [{ type: 'input_file', ...pdf('Costs went down') }] }],
  });
  expect(JSON.stringify(service.lastAsked())).toContain('Costs went down');
  expect(await namesOnDisk(service.dataDir)).toEqual(before);
});

it('the offline assistant works on them, and what can’t be read is told it', async () => {
  const file = { filename: 'prices.csv', file_data: base64('city,price\nRome,10\nRome,20') };
  const offline = { model: 'offline-assistant' };
  const part = { type: 'text', text: 'average price per city' };
  expect((await complete([part, { type: 'file', file }], offline)).text).toMatch(/Rome \| 15\b/);
  const locked = { filename: 'a.pdf', file_data: base64(pdfOf([['x']], { isLocked: true })) };
  expect((await complete([{ type: 'file', file: locked }])).status).toBe(200);
  expect(JSON.stringify(service.lastAsked())).toContain('is protected by a password');
});

it('the limits of files are those of messages', async () => {
  const small = { type: 'file', file: { filename: 'a.txt', file_data: 'SGk=' } };
  expect((await complete(Array.from({ length: 11 }, () => small))).text).toContain('10 files at most');
  const odd = { filename: 'a.zip', file_data: base64(Buffer.from([0x50, 0x4b, 3, 4, 0, 0])) };
  expect((await complete([{ type: 'file', file: odd }])).status).toBe(415);
  const long = { filename: 'a.txt', file_data: base64('word '.repeat(200_000)) };
  expect((await complete([{ type: 'file', file: long }])).status).toBe(200);
  const asked = JSON.stringify(service.lastAsked());
  expect(asked.length).toBeLessThan(410_000);
  expect(asked).toContain('only so much of it was read');
});

it.each([
  [
    'the address of a file',
    { type: 'file', file: { file_data: 'https://example.com/a.pdf' } },
    /fetches no other files/,
  ],
  ['nothing', { type: 'image_url', image_url: {} }, /must be the data itself/],
  ['an id', { type: 'file', file: { file_id: 'file-1' } }, /must be the data itself/],
  ['an empty file', { type: 'file', file: { filename: 'a.txt', file_data: '====' } }, /is empty/],
])('%s is refused in words', async (_, part, words) => {
  const answer = await complete([{ type: 'text', text: 'Look' }, part]);
  expect(answer.status).toBe(400);
  expect(answer.text).toMatch(words);
});
