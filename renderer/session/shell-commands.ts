/** The shell's commands for the palette and the keyboard. Other parts offer their own. */
import { words } from '../lib/words/index.ts';
import { THEMES } from '../../shared/choices.ts';
import { listedSections, type SettingsSection } from '../lib/address.ts';
import { commandsIn, type Command } from '../ui/commands.svelte.ts';
import type { Shell } from './shell.svelte.ts';

export const NEW_CHAT_KEYS = 'mod+shift+o';
export const PALETTE_KEYS = 'mod+k';

const text = words.commands;
const { keywords } = text;
const go = commandsIn('go');
const view = commandsIn('view');
const help = commandsIn('help');

/** All of the shell's commands for its current state. */
export function shellCommands(shell: Shell): Command[] {
  const { actions, chat } = shell;
  const ofChat = chat === null ? [] : actions.of(chat, () => shell.renameOpenChat());
  return [
    ...goCommands(shell),
    ...ofChat.flatMap(({ command, ...action }) =>
      command === undefined ? [] : [{ ...action, label: command, group: 'chat' as const }],
    ),
    ...viewCommands(shell),
    help('palette.open', 'command', words.palette.label, () => shell.show('palette'), {
      shortcut: PALETTE_KEYS,
    }),
    help('help.open', 'help', text.help, () => shell.show('help'), {
      shortcut: '?',
      keywords: keywords.help,
    }),
  ];
}

function goCommands(shell: Shell): Command[] {
  const { chats, modelServers, workspaces, isAdmin } = shell.workbench;
  const { bulk, composer, projects } = words;
  const others = workspaces.items.filter(({ id }) => id !== workspaces.currentId);
  const openSettings = (section: SettingsSection) => (): void => shell.go({ view: 'settings', section });
  const connect = (): void => {
    modelServers.wanted = { open: 'new' };
    openSettings('models')();
  };
  const connectMore = { shortcut: 'alt+shift+m', keywords: keywords.connectModel };
  return [
    go('chat.new', 'plus', words.sidebar.newChat, () => shell.startNewChat(), {
      shortcut: NEW_CHAT_KEYS,
      keywords: keywords.newChat,
    }),
    go('project.new', 'plus', projects.new, () => shell.editProject(null), { keywords: projects.keywords }),
    go('search.open', 'search', words.search.label, () => shell.openSearch(), {
      shortcut: 'mod+shift+f',
      aliases: ['/'],
      keywords: keywords.search,
    }),
    go('chats.select', 'check', bulk.select, () => shell.selectChats(), {
      keywords: bulk.selectKeywords,
      isAvailable: () => chats.items.length > 0,
    }),
    go('chats.archived', 'archive', text.archived, () => shell.openArchive()),
    go('chats.read_all', 'check', bulk.markAllRead, () => shell.actions.markAllRead(), {
      keywords: bulk.readKeywords,
    }),
    go('chat.next', 'down', text.nextChat, () => shell.step(1), { shortcut: 'alt+down' }),
    go('chat.previous', 'send', text.previousChat, () => shell.step(-1), { shortcut: 'alt+up' }),
    ...others.map(({ id, name }) =>
      go(`workspace.open.${id}`, 'switch', words.workspaces.switchTo(name), () => shell.switchWorkspace(id), {
        keywords: keywords.workspace,
      }),
    ),
    ...(isAdmin ? workspaceCommands(shell) : []),
    go('settings.open', 'settings', words.sidebar.settings, openSettings('appearance'), {
      shortcut: 'mod+,',
      keywords: keywords.settings,
    }),
    ...listedSections().map((section) =>
      go(`settings.${section}`, 'settings', text.section(text.sections[section]), openSettings(section), {
        keywords: keywords.settings,
      }),
    ),
    ...(isAdmin ? [go('models.connect', 'model', text.connectModel, connect, connectMore)] : []),
    go('rehearsals.open', 'text', composer.commands.rehearsals, () => shell.show('rehearsals'), {
      keywords: composer.commands.rehearsalKeywords,
    }),
  ];
}

function workspaceCommands(shell: Shell): Command[] {
  const { workspaces } = shell.workbench;
  const more = { keywords: keywords.workspace };
  return [
    go('workspace.new', 'plus', words.workspaces.new, () => shell.show('new_workspace'), more),
    go('workspace.rename', 'pencil', words.workspaces.rename, () => shell.show('rename_workspace'), {
      ...more,
      isAvailable: () => workspaces.current !== null,
    }),
  ];
}

function viewCommands(shell: Shell): Command[] {
  const { settings, isAdmin } = shell.workbench;
  return [
    view('view.sidebar', 'sidebar', text.sidebar, () => shell.setSidebar(!shell.sidebarOpen), {
      shortcut: 'mod+b',
      keywords: keywords.sidebar,
    }),
    ...THEMES.map((theme) =>
      view(`view.theme.${theme}`, 'theme', text.themes[theme], () => settings.update({ theme }), {
        keywords: keywords.theme,
        isAvailable: () => isAdmin && settings.current.theme !== theme,
      }),
    ),
  ];
}
