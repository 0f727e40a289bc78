import { expect, test } from 'vitest';
import type { Model } from '../../../shared/api/catalog.ts';
import {
  groupModels,
  modelName,
  slugOf,
  suggestedModels,
  typedGroups,
} from '../../../renderer/models/model-name.ts';

const aModel = (name: string, connection: string | null): Model => ({
  name,
  connection,
  offline: connection === null,
  contextTokens: null,
  parameters: [],
});
const MODELS = [
  aModel('router/meta/llama-3.3', 'Router'),
  aModel('offline-assistant', null),
  aModel('ollama/llama3.2', 'Ollama'),
  aModel('router/qwen', 'Router'),
];
const listed = (query?: string): string[][] =>
  groupModels(MODELS, query).map(({ key, models }) => [key, ...models.map(({ name }) => modelName(name))]);

test('a model is called as its provider calls it, slashes and all, and a built-in one by its name', () => {
  expect(modelName('offline-assistant')).toBe('Offline assistant');
  expect(modelName('ollama/llama3.2')).toBe('llama3.2');
  expect(modelName('router/meta/llama-3.3')).toBe('meta/llama-3.3');
  expect(modelName('unknown')).toBe('unknown');
  expect(modelName('constructor')).toBe('constructor');
});

test('the slug is what stands before the first slash; built-in models have none', () => {
  expect(slugOf('router/meta/llama-3.3')).toBe('router');
  expect(slugOf('offline-assistant')).toBeNull();
});

test('built-in models come first, the others by connection in the order they are listed', () => {
  expect(listed()).toEqual([
    ['', 'Offline assistant'],
    ['router', 'meta/llama-3.3', 'qwen'],
    ['ollama', 'llama3.2'],
  ]);
});

test('a query finds by all its words, also by the name of the connection', () => {
  expect(listed('LLAMA')).toEqual([
    ['router', 'meta/llama-3.3'],
    ['ollama', 'llama3.2'],
  ]);
  expect(listed('router q')).toEqual([['router', 'qwen']]);
  expect(listed('assistant')).toEqual([['', 'Offline assistant']]);
  expect(listed('nothing')).toEqual([]);
});

test('two connections of one name stay apart', () => {
  const groups = groupModels([aModel('box/a', 'Box'), aModel('box-2/a', 'Box')]);
  expect(groups.map(({ key }) => key)).toEqual(['box', 'box-2']);
});

test('suggests the preferred model, then one of each connection, three in all, and only connected ones', () => {
  const all = [...MODELS, aModel('rehearsal', null)];
  expect(suggestedModels(all, 'offline-assistant')).toEqual([
    'router/meta/llama-3.3',
    'ollama/llama3.2',
    'router/qwen',
  ]);
  expect(suggestedModels(all, 'router/qwen')).toEqual([
    'router/qwen',
    'router/meta/llama-3.3',
    'ollama/llama3.2',
  ]);
  expect(suggestedModels([aModel('offline-assistant', null)], 'offline-assistant')).toEqual([]);
});

test('what is typed names a model of each server that lists none, unless no model could be called so', () => {
  const servers = [
    { slug: 'box', name: 'Box' },
    { slug: 'lan', name: 'Attic' },
  ];
  const typed = (query: string): unknown[] =>
    typedGroups(servers, query).map(({ connection, models }) => [
      connection,
      ...models.map(({ name }) => name),
    ]);
  expect(typed(' org/m-7b ')).toEqual([
    ['Box', 'box/org/m-7b'],
    ['Attic', 'lan/org/m-7b'],
  ]);
  expect(typed('')).toEqual([]);
  expect(typed('two words')).toEqual([]);
  expect(typed('x'.repeat(201))).toEqual([]);
});
