import { SvelteMap } from 'svelte/reactivity';
import { beforeEach, expect, it } from 'vitest';
import type { ToolInfo } from '../../../shared/api/agent.ts';
import type { Prompt } from '../../../shared/api/prompt.ts';
import { NOTHING_WRITTEN, type Writing } from '../../../renderer/chats/writing.ts';
import { ServiceConnection } from '../../../renderer/api/connection.svelte.ts';
import { Uploads } from '../../../renderer/chats/uploads.svelte.ts';
import { Toasts } from '../../../renderer/ui/toasts.svelte.ts';
import { aFile } from '../support/conversations.ts';
import { Composition } from '../../../renderer/composer/composition.svelte.ts';
import { SlashList } from '../../../renderer/composer/tool-list.svelte.ts';
import { inWords } from '../../../shared/tool-title.ts';
import { Tools } from '../../../renderer/models/tools.svelte.ts';

const tool = (name: string): ToolInfo => ({
  name,
  title: inWords(name),
  group: 'built_in',
  description: `About ${name}.`,
  tokens: 1,
  input: {},
});
const TOOLS = ['sort_list', 'sort_table', 'hash_text'].map(tool);

/** Questions for the tools that wait to be answered. */
let asked: PromiseWithResolvers<ToolInfo[]>[];
let tools: Tools;
const prompts = { items: [] as Prompt[], load: async () => undefined };
const written = new SvelteMap<string, Writing>();
let box: Composition;
let list: SlashList;

beforeEach(() => {
  asked = [];
  tools = new Tools({
    listTools: () => {
      const answer = Promise.withResolvers<ToolInfo[]>();
      asked.push(answer);
      return answer.promise;
    },
  });
  written.clear();
  const drafts = {
    read: (key: string) => written.get(key) ?? NOTHING_WRITTEN,
    write: (key: string, writing: Writing) => void written.set(key, writing),
    addFile: () => undefined,
  };
  const api = { open: () => Promise.reject(new Error('unused')) };
  const uploads = new Uploads({ api, connection: new ServiceConnection(), toasts: new Toasts() });
  box = new Composition({ drafts, uploads }, () => 'new');
  list = new SlashList(
    tools,
    prompts,
    () => box.text,
    (text, replaces) => box.insert(text, replaces),
  );
});

function type(text: string): void {
  box.text = text;
  list.noteInput();
}

async function known(): Promise<void> {
  asked[0]?.resolve(TOOLS);
  await tools.load();
}

const NOTHING_HELD = { isComposing: false, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
const press = (key: string): boolean => list.noteKey({ ...NOTHING_HELD, key } as KeyboardEvent);

it('keeps Enter to itself while it loads, so that no message is sent that is only the beginning of a name', async () => {
  type('/');
  type('/so');
  expect(press('Enter')).toBe(true);
  expect(list.chosen).toBeNull();
  await known();
  expect(press('Enter')).toBe(true);
  expect(list.chosen?.name).toBe('sort_list');
});

it('leaves Enter to the message box when nothing fits, or the tools can’t be had', async () => {
  type('/so');
  asked[0]?.reject(new Error('gone'));
  await tools.load();
  expect(press('Enter')).toBe(false);
  type('/');
  asked.at(-1)?.resolve(TOOLS);
  await tools.load();
  type('/zzz');
  expect(list.open).toBe(true);
  expect(press('Enter')).toBe(false);
});

it('asks once for all keys that are typed meanwhile', () => {
  for (const written of ['/', '/s', '/so']) type(written);
  expect(asked).toHaveLength(1);
});

it('comes back with the next slash, after Escape and whatever emptied the box then', async () => {
  type('/');
  await known();
  expect(press('Escape')).toBe(true);
  expect(list.open).toBe(false);
  type('/s');
  expect(list.open).toBe(false);
  // It was sent: nothing was typed in between.
  box.clear();
  type('/');
  expect(list.open).toBe(true);
});

it('comes back with the next slash after a form that was opened elsewhere is given up', async () => {
  type('');
  list.chosen = tool('hash_text');
  list.chosen = null;
  list.close();
  type('/');
  await known();
  expect(list.open).toBe(true);
});

it('shows nothing for a draft that nobody typed just now', () => {
  box.text = '/so';
  expect(list.open).toBe(false);
  expect(press('Enter')).toBe(false);
});

it('goes when the focus leaves the box, and comes back with what is typed next', async () => {
  type('/');
  await known();
  list.noteBlur();
  expect(list.open).toBe(false);
  type('/s');
  expect(list.open).toBe(true);
  press('Escape');
  list.noteBlur();
  type('/so');
  expect(list.open).toBe(false);
});

it.each(['/usr/bin/python', '/etc/', '/~', '/*', '//', '/a.b'])(
  'leaves %j alone, which is no name',
  (written) => {
    type(written);
    expect(list.open).toBe(false);
  },
);

it('marks the best match again when the filter changes', async () => {
  type('/');
  await known();
  press('ArrowDown');
  press('ArrowDown');
  expect(list.marked?.key).toBe('hash_text');
  type('/so');
  expect(list.marked?.key).toBe('sort_list');
  press('ArrowUp');
  expect(list.marked?.key).toBe('sort_table');
  press('ArrowDown');
  expect(list.marked?.key).toBe('sort_list');
});

it('a form takes the file with it whose text went into it, and no others', () => {
  written.set('new', { text: '/uuid', files: [aFile('a'), aFile('b')] });
  box.clearText(false);
  expect([box.text, box.files]).toEqual(['', [aFile('a'), aFile('b')]]);
  box.clearText(true);
  expect(box.files).toEqual([]);
});

it('has the prompts before the tools, and chooses them by the same keys', async () => {
  const kept = { id: 'p', name: 'Sort out', text: 'Sort out {{what}}', placeholders: ['what'] };
  prompts.items = [{ ...kept, createdAt: '', updatedAt: '' }];
  type('/');
  await known();
  expect(list.entries.map(({ key }) => key)).toEqual(['prompt-p', 'sort_list', 'sort_table', 'hash_text']);
  expect(press('Enter')).toBe(true);
  expect([list.prompt?.id, list.chosen]).toEqual(['p', null]);
  prompts.items = [];
});

it('inserts a prompt that has nothing to fill in at once: for the slash that found it, or after a draft', async () => {
  const brief = { id: 'b', name: 'Brief', text: 'Be brief.', placeholders: [], createdAt: '', updatedAt: '' };
  prompts.items = [brief];
  type('/brief');
  await known();
  expect(press('Enter')).toBe(true);
  expect([box.text, list.prompt, list.open]).toEqual(['Be brief.', null, false]);
  type('A draft. ');
  list.choosePrompt(brief);
  expect(box.text).toBe('A draft.\n\nBe brief.');
  prompts.items = [];
});
