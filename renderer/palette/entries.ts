/** The palette's entries for a query. */
import type { Chat } from '../../shared/api/chat.ts';
import { rankEntries } from '../lib/fuzzy.ts';
import { words } from '../lib/words/index.ts';
import type { IconName } from '../ui/icons.ts';
import type { Command } from '../ui/commands.svelte.ts';

/** Most chats listed without and with a query, and most tools. */
const RECENT_CHATS = 5;
const FOUND_CHATS = 8;
const FOUND_TOOLS = 5;

/** An entry of the palette. */
export interface PaletteEntry extends Pick<Command, 'label' | 'keywords' | 'shortcut' | 'run'> {
  /** Unique in the list. */
  key: string;
  kind: 'command' | 'chat' | 'search';
  icon: IconName;
  /** For a chat: when it last changed. */
  time?: string;
}

/** Lines under one heading. */
export interface PaletteGroup {
  key: string;
  heading: string;
  entries: PaletteEntry[];
}

/** The available commands. */
export interface PaletteSources {
  commands: readonly Command[];
  /** Newest first. */
  chats: readonly Chat[];
  /** The open chat: it isn't listed without a query. */
  openId: string | null;
  openChat: (chat: Chat) => void;
  searchFor: (query: string) => void | Promise<void>;
}

const GROUPS = ['chat', 'go', 'view', 'help'] as const;

/**
 * The groups for a query: the best match first, then tools, and the search of the messages last. Without a query, the latest
 * chats and all commands.
 */
export function paletteGroups(query: string, sources: PaletteSources): PaletteGroup[] {
  const commands = sources.commands.filter(({ id }) => id !== 'palette.open');
  const ofGroup = (group: Command['group']): PaletteEntry[] =>
    commands.filter((command) => command.group === group).map(commandEntry);
  const sought = query.trim();
  if (sought === '') {
    const recent = sources.chats.filter(({ id }) => id !== sources.openId).slice(0, RECENT_CHATS);
    return [
      ...group(
        'chats',
        words.ui.chats,
        recent.map((chat) => chatEntry(chat, sources)),
      ),
      ...GROUPS.flatMap((name) => group(name, words.palette.groups[name], ofGroup(name))),
    ];
  }
  const chats = sources.chats.map((chat) => chatEntry(chat, sources));
  const fitting = rankEntries(sought, [...GROUPS.flatMap(ofGroup), ...chats]);
  const foundChats = fitting.filter(({ kind }) => kind === 'chat').slice(0, FOUND_CHATS);
  const foundCommands = fitting.filter(({ kind }) => kind === 'command');
  const found = [
    ...group('commands', words.palette.commands, foundCommands),
    ...group('chats', words.ui.chats, foundChats),
  ];
  // The kind with the best match comes first.
  if (fitting[0]?.kind === 'chat') found.reverse();
  const tools = rankEntries(sought, ofGroup('tools')).slice(0, FOUND_TOOLS);
  const search: PaletteEntry = {
    key: 'search',
    label: words.palette.searchFor(sought),
    kind: 'search',
    icon: 'search',
    run: () => sources.searchFor(sought),
  };
  return [
    ...found,
    ...group('tools', words.commands.sections.tools, tools),
    ...group('search', words.search.placeholder, [search]),
  ];
}

const group = (key: string, heading: string, entries: PaletteEntry[]): PaletteGroup[] =>
  entries.length === 0 ? [] : [{ key, heading, entries }];

const commandEntry = (command: Command): PaletteEntry => ({
  icon: 'chevron',
  ...command,
  key: `command ${command.id}`,
  kind: 'command',
});

const chatEntry = (chat: Chat, { openChat }: PaletteSources): PaletteEntry => ({
  key: `chat ${chat.id}`,
  label: chat.title,
  kind: 'chat',
  icon: 'chat',
  time: chat.updatedAt,
  run: () => openChat(chat),
});
