import { expect, test } from 'vitest';
import type { Chat } from '../../../shared/api/chat.ts';
import { paletteGroups, type PaletteGroup, type PaletteSources } from '../../../renderer/palette/entries.ts';

const chat = (title: string): Chat => ({
  id: title,
  title,
  status: 'idle',
  model: 'offline-assistant',
  createdAt: '2026-11-20T12:00:00.000Z',
  updatedAt: '2026-11-20T12:00:00.000Z',
  workspaceId: 'w',
  agentType: 'orchestrator',
  pinned: false,
  archived: false,
});
const sources: PaletteSources = {
  commands: [
    { id: 'chat.new', label: 'New chat', group: 'go', run: () => undefined },
    { id: 'chat.delete', label: 'Delete chat', group: 'chat', run: () => undefined },
    { id: 'palette.open', label: 'Command palette', group: 'help', run: () => undefined },
  ],
  chats: ['Trip to Rome', 'New flat', 'Third', 'Fourth', 'Fifth', 'Sixth'].map(chat),
  openId: 'Third',
  openChat: () => undefined,
  searchFor: () => undefined,
};
const listed = (groups: PaletteGroup[]): string[][] =>
  groups.map(({ key, entries }) => [key, ...entries.map(({ label }) => label)]);

test('before anything is typed there are the latest other chats and all commands but the palette itself', () => {
  expect(listed(paletteGroups('', sources))).toEqual([
    ['chats', 'Trip to Rome', 'New flat', 'Fourth', 'Fifth', 'Sixth'],
    ['chat', 'Delete chat'],
    ['go', 'New chat'],
  ]);
});

test('the kind with the best fit comes first, and searching the messages is always last', () => {
  expect(listed(paletteGroups('new c', sources))).toEqual([
    ['commands', 'New chat'],
    ['search', 'Search messages for “new c”'],
  ]);
  expect(listed(paletteGroups('rome', sources))).toEqual([
    ['chats', 'Trip to Rome'],
    ['search', 'Search messages for “rome”'],
  ]);
  expect(listed(paletteGroups('new flat', sources))[0]).toEqual(['chats', 'New flat']);
  expect(listed(paletteGroups('xyzzy', sources))).toEqual([['search', 'Search messages for “xyzzy”']]);
});

test('two chats of one title are two entries', () => {
  const twice = { ...sources, chats: [chat('Same'), { ...chat('Same'), id: 'other' }] };
  const [group] = paletteGroups('same', twice);
  expect(new Set(group?.entries.map(({ key }) => key)).size).toBe(2);
});
