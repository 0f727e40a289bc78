/** Answers with pictures, which Parley can’t show. */
import { expect, it } from 'vitest';
import type { Provider } from '../../../../shared/providers.ts';
import { runModelTurn } from '../../../support/model-servers/model-turn.ts';
import { startRawServer } from '../../../support/model-servers/raw-server.ts';

const URL = 'data:image/png;base64,iVBORw0KGgo=';
const inline = { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } };
const picture = { type: 'image_url', image_url: { url: URL } };
const chat = (delta: object): object => ({ choices: [{ index: 0, delta, finish_reason: 'stop' }] });
const google = (...parts: object[]): object => ({
  candidates: [{ content: { parts }, finishReason: 'STOP' }],
});
const whole = { choices: [{ message: { content: null, images: [picture] }, finish_reason: 'stop' }] };
const NOTE = '[The model sent a picture or another file here, which Parley can’t show.]';

it.each<[Provider, object, string]>([
  ['google', google(inline), NOTE],
  ['google', google({ text: 'Here:' }, inline, { text: '\n\nNice?' }), `Here:\n\n${NOTE}\n\nNice?`],
  ['google', google({ fileData: { mimeType: 'image/png', fileUri: 'https://x.example/a' } }), NOTE],
  ['google', google({ ...inline, thought: true }, { text: 'Done.' }), 'Done.'],
  ['openai_compatible', chat({ content: '', images: [picture] }), NOTE],
  ['openai_compatible', chat({ content: 'Here:', images: [picture] }), `Here:\n\n${NOTE}`],
  ['openai_compatible', chat({ content: [{ type: 'text', text: 'Here:' }, picture] }), `Here:\n\n${NOTE}`],
  ['openai_compatible', chat({ content: [{ type: 'output_image', image: URL }] }), NOTE],
  ['openai_compatible', whole, NOTE],
  ['mistral', chat({ content: [{ type: 'tool_file', file_id: 'f1', file_type: 'png' }] }), NOTE],
  ['ollama', { message: { content: '', images: ['iVBORw0KGgo='] }, done: true, done_reason: 'stop' }, NOTE],
])('%s: %j', async (provider, event, content) => {
  const body = provider === 'ollama' ? JSON.stringify(event) : `data: ${JSON.stringify(event)}\n\n`;
  const server = await startRawServer(() => ({ body }));
  const { result } = await runModelTurn('a picture, please', server.access(provider));
  expect(result).toMatchObject({ outcome: 'replied', stopReason: 'end' });
  expect(result.content.trim()).toBe(content);
});
