import { expect, it } from 'vitest';
import { seesByName, abilitiesIn } from '../../../server/connections/sees-pictures.ts';

it.each([
  'gpt-4o',
  'gpt-4o-mini-2024-07-18',
  'gpt-4.1-nano',
  'gpt-4-turbo',
  'gpt-5',
  'gpt-5.1-chat-latest',
  'o1',
  'o3',
  'o4-mini',
  'ft:gpt-4o-mini-2024-07-18:mine::abc',
  'chatgpt-4o-latest',
  'openai/gpt-4o',
  'claude-opus-4-1',
  'claude-3-haiku-20240307',
  'anthropic/claude-sonnet-4.5',
  'gemini-2.5-flash',
  'google/gemini-3-pro-preview',
  'gemma-3-27b-it',
  'gemma3:4b',
  'pixtral-12b',
  'mistral-small-3.2-24b-instruct',
  'meta-llama/Llama-4-Scout-17B-16E-Instruct',
  'llama3.2-vision:11b',
  'llava:7b',
  'bakllava',
  'qwen2.5vl:7b',
  'Qwen/Qwen2.5-VL-7B-Instruct',
  'qwen3-vl-8b',
  'moondream',
  'minicpm-v:8b',
  'InternVL3-8B',
  'phi-3.5-vision-instruct',
  'Phi-4-multimodal-instruct',
  'SmolVLM2-2.2B',
])('%s looks at pictures, as its name says', (id) => {
  expect(seesByName('openai_compatible', id)).toBe(true);
});

it.each([
  'llama3.2:3b',
  'llama-3.3-70b-instruct',
  'mistral-7b',
  'mistral-small-latest',
  'qwen2.5-coder:7b',
  'deepseek-r1',
  'gpt-oss:20b',
  'phi4',
  'gemma2:9b',
  'gemma-3-1b-it',
  'gemma3:270m',
  'gemma-3n-e4b-it',
  'o1-mini',
  'o3-mini',
  'gpt-4',
  'television-7b',
  'revision',
  'foo',
])('the name %s says nothing of pictures', (id) => {
  expect(seesByName('openai_compatible', id)).toBeNull();
});

it.each([
  'gpt-3.5-turbo',
  'gpt-3.5-turbo-16k',
  'gpt-4',
  'gpt-4-0613',
  'gpt-4-32k',
  'o1-mini',
  'o1-preview-2024-09-12',
  'o3-mini',
])('%s reads only text at OpenAI; elsewhere people may call anything that', (id) => {
  expect(seesByName('openai', id)).toBe(false);
  expect(seesByName('azure_openai', id)).toBeNull();
});

it.each([
  [{ architecture: { input_modalities: ['text', 'image'] } }, true],
  [{ architecture: { input_modalities: ['text'] } }, false],
  [{ input_modalities: ['image', 'text'] }, true],
  [{ capabilities: { vision: true } }, true],
  [{ capabilities: { vision: false, completion_chat: true } }, false],
  [{ capabilities: { image_input: { supported: true }, pdf_input: { supported: false } } }, true],
  [{ capabilities: null, type: 'vlm' }, true],
])('a list that says %j tells it', (entry, pictures) => {
  expect(abilitiesIn(entry)).toEqual({ pictures });
});

it.each([
  {},
  { type: 'llm' },
  { capabilities: 'completion' },
  { architecture: 'llama', input_modalities: 'image' },
])('a list that says %j doesn’t tell it', (entry) => expect(abilitiesIn(entry)).toEqual({}));

it.each([
  [{ supported_parameters: ['tools', 'reasoning'] }, { tools: true, reasoning: true }],
  [{ supported_parameters: ['temperature'] }, { tools: false, reasoning: false }],
  [
    { capabilities: { function_calling: true, vision: false, reasoning: false } },
    { pictures: false, tools: true, reasoning: false },
  ],
  [{ capabilities: { trained_for_tool_use: true } }, { tools: true }],
  [{ capabilities: ['tool_use'] }, { tools: true }],
  [{ capabilities: { thinking: { supported: true } } }, { reasoning: true }],
])('a list that says %j says what the model can do', (entry, abilities) => {
  expect(abilitiesIn(entry)).toEqual(abilities);
});
