/** What models get of the files of a message, in each provider's format, over the API alone. */
import { expect, it, onTestFinished } from 'vitest';
import type { Chat } from '../../shared/api/chat.ts';
import type { Message } from '../../shared/api/message.ts';
import type { Provider } from '../../shared/providers.ts';
import { startModelServer, type ModelServer, type WireName } from '../support/model-servers/model-server.ts';
import { PROVIDER_WIRES } from '../support/model-servers/provider-wires.ts';
import { docxOf, paragraph, pdfOf, table } from '../support/documents.ts';
import { base64, PNG } from '../support/files.ts';
import { startTestService, type TestService } from '../support/service.ts';

const SEES = 'fake-vision';

interface Setup {
  api: TestService;
  server: ModelServer;
  chat: Chat;
  /** Sends a message, waits for its reply, and gives what the model was asked, as it went over the wire. */
  ask: (content: string, files: Record<string, Buffer | string>) => Promise<string>;
}

async function setUp({
  provider = 'openai_compatible',
  wire = 'openai',
  model = SEES,
  contextTokens = 100_000,
}: { provider?: Provider; wire?: WireName; model?: string; contextTokens?: number } = {}): Promise<Setup> {
  const server = await startModelServer(wire, { models: [SEES, 'fake-model'], contextTokens });
  onTestFinished(() => server.close());
  const api = await startTestService();
  const place = { provider, baseUrl: server.baseUrl, name: 'Box', apiKey: 'sk-test' };
  expect((await api.post('/api/v1/connections', place)).status).toBe(201);
  const chat = await api.createChat();
  const patched = {
    method: 'PATCH',
    path: `/api/v1/chats/${chat.id}`,
    json: { model: `box/${model}`, title: 'Files' },
  };
  expect((await api.request(patched)).status).toBe(200);
  return {
    api,
    server,
    chat,
    async ask(content, files) {
      const attachments = Object.entries(files).map(([name, data]) => ({ name, data: base64(data) }));
      await api.send(chat.id, content, { attachments });
      expect((await api.settled(chat.id)).status).toBe('idle');
      return JSON.stringify(server.asked().at(-1)?.body);
    },
  };
}

const DATA = base64(PNG);
const PICTURES: Record<WireName, string> = {
  openai: `{"type":"image_url","image_url":{"url":"data:image/png;base64,${DATA}"}}`,
  azure: `{"type":"image_url","image_url":{"url":"data:image/png;base64,${DATA}"}}`,
  mistral: `{"type":"image_url","image_url":"data:image/png;base64,${DATA}"}`,
  anthropic: `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"${DATA}"}}`,
  google: `{"inlineData":{"mimeType":"image/png","data":"${DATA}"}}`,
  ollama: `"images":["${DATA}"]`,
};

it.each(PROVIDER_WIRES)(
  '%s: gets pictures as pictures, and text with its file’s name',
  async (provider, wire) => {
    const { ask } = await setUp({ provider, wire });
    const sent = await ask('What is it?', { 'dot.png': PNG, 'prices.csv': 'city,price\nRome,12' });
    expect(sent).toContain(PICTURES[wire]);
    expect(sent).toContain('[Picture: dot.png]');
    expect(sent).toContain(
      JSON.stringify(
        '<file name="prices.csv" type="text/csv">\ncity,price\nRome,12\n</file>\n\nWhat is it?',
      ).slice(1, -1),
    );
  },
);

it('a PDF and a DOCX are read, and their text stays with their message', async () => {
  const { ask } = await setUp();
  const docx = docxOf(
    paragraph('Plan', 'Heading1') +
      table([
        ['a', 'b'],
        ['1', '2'],
      ]),
  );
  const first = await ask('Read them', { 'invoice.pdf': pdfOf([['Total 42']]), 'plan.docx': docx });
  expect(first).toContain(
    JSON.stringify('<file name="invoice.pdf" type="application/pdf">\nTotal 42\n</file>').slice(1, -1),
  );
  expect(first).toContain('# Plan\\n\\n| a | b |\\n| --- | --- |\\n| 1 | 2 |');
  const second = await ask('And now?', {});
  expect(second).toContain('Total 42');
  expect(second).toContain('# Plan');
});

it.each([
  ['locked', pdfOf([['Secret']], { isLocked: true }), 'is protected by a password'],
  ['scanned', pdfOf([[]]), 'holds no text, only pictures, as a scan does'],
  ['cut off', pdfOf([['Half']]).subarray(0, 60), 'is damaged, or not what it seems'],
])('of a PDF that is %s the model is told so', async (_, pdf, reason) => {
  const { ask } = await setUp();
  expect(await ask('Read it', { 'a.pdf': pdf })).toContain(`[The file “a.pdf” ${reason}.]`);
});

it('a message may be nothing but a file', async () => {
  const { ask, api, chat } = await setUp();
  expect(await ask('', { 'notes.txt': 'Buy milk' })).toContain('Buy milk');
  const [, reply] = await api.messages(chat.id);
  expect(reply).toMatchObject({ status: 'complete' } satisfies Partial<Message>);
});

it('a text that is too long is cut to what the model reads, with a way to read on', async () => {
  const { ask, server } = await setUp({ contextTokens: 8_000 });
  server.play('reads-file');
  const lines = Array.from({ length: 3_000 }, (_, line) => `line ${line} of a long file`).join('\n');
  const sent = await ask('What does it say?', { 'long.txt': lines });
  const [first] = server.asked();
  expect(JSON.stringify(first?.body)).toMatch(
    /\[Cut here: these are \d+ of \d+ characters\. To read on: read_more \{\\+"output\\+":1,/,
  );
  expect(JSON.stringify(first?.body).length).toBeLessThan(8_000 * 4);
  expect(sent).toContain('\\"output\\":1,\\"from\\":');
});

it('a chat that goes on with a model that can’t see has its pictures left out, in words', async () => {
  const { ask, api, chat } = await setUp({ provider: 'ollama', wire: 'ollama' });
  expect(await ask('Look', { 'dot.png': PNG })).toContain(DATA);
  const json = { model: 'box/fake-model' };
  await api.request({ method: 'PATCH', path: `/api/v1/chats/${chat.id}`, json });
  const sent = await ask('And now?', {});
  expect(sent).not.toContain(DATA);
  expect(sent).toContain('[The file “dot.png” is a picture, which this model can’t look at.]');
});

it('pictures for a model that can’t see are refused before anything is stored', async () => {
  const { api, chat } = await setUp({ provider: 'ollama', wire: 'ollama', model: 'fake-model' });
  const attachments = [{ name: 'dot.png', data: base64(PNG) }];
  const send = (body: object): ReturnType<TestService['post']> =>
    api.post(`/api/v1/chats/${chat.id}/messages`, body);
  const refused = await send({ content: 'Look', attachments });
  expect(refused.status).toBe(400);
  expect(refused.json<{ error: { message: string } }>().error.message).toBe(
    'The model “box/fake-model” can’t look at pictures (“dot.png”). Choose one that can, or send the message without them.',
  );
  expect(await api.messages(chat.id)).toEqual([]);
  expect((await send({ content: 'Look', attachments, model: 'box/fake-vision' })).status).toBe(200);
  expect((await send({ content: 'Read', attachments: [{ name: 'a.txt', data: base64('Hi') }] })).status).toBe(
    200,
  );
});

it('the offline assistant takes them, and says that it can’t look at them', async () => {
  const api = await startTestService();
  const chat = await api.createChat();
  const attachments = [
    { name: 'dot.png', data: base64(PNG) },
    { name: 'prices.csv', data: base64('city,price\nRome,10\nRome,20') },
  ];
  await api.send(chat.id, 'average price per city', { attachments });
  await api.settled(chat.id);
  const [, reply] = await api.messages(chat.id);
  expect(reply?.content).toMatch(/Rome \| 15\b[\s\S]*I can’t look at pictures \(“dot\.png”\)/);
});
