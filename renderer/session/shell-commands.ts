/** The shell's commands for the palette and the keyboard. Other parts offer their own. */
import { words } from '../lib/words/index.ts';
import type { Theme } from '../../shared/api/settings.ts';
import { THEMES } from '../../shared/choices.ts';
import { listedSections } from '../lib/address.ts';
import type { Command } from '../ui/commands.svelte.ts';
import type { Shell } from './shell.svelte.ts';

export const NEW_CHAT_KEYS = 'mod+shift+o';
const SEARCH_KEYS = 'mod+shift+f';
export const PALETTE_KEYS = 'mod+k';

const text = words.commands;

/** All of the shell's commands for its current state. */
export function shellCommands(shell: Shell): Command[] {
  return [...chatCommands(shell), ...goCommands(shell), ...viewCommands(shell), ...helpCommands(shell)];
}

function chatCommands(shell: Shell): Command[] {
  const { actions, chat } = shell;
  const start: Command = {
    id: 'chat.new',
    icon: 'plus',
    label: text.newChat,
    group: 'go',
    shortcut: NEW_CHAT_KEYS,
    keywords: text.keywords.newChat,
    run: () => shell.startNewChat(),
  };
  const make: Command = {
    id: 'project.new',
    icon: 'plus',
    label: words.projects.new,
    group: 'go',
    keywords: words.projects.keywords,
    run: () => void (shell.editing = { project: null, chats: [] }),
  };
  if (chat === null) return [start, make];
  const ofChat = actions
    .of(chat, () => shell.renameOpenChat())
    .flatMap(({ command, ...action }) =>
      command === undefined ? [] : [{ ...action, label: command, group: 'chat' as const }],
    );
  return [start, make, ...ofChat];
}

function goCommands(shell: Shell): Command[] {
  const { workspaces, isAdmin } = shell.workbench;
  const others = workspaces.items.filter(({ id }) => id !== workspaces.currentId);
  return [
    {
      id: 'search.open',
      icon: 'search',
      label: text.searchMessages,
      group: 'go',
      shortcut: SEARCH_KEYS,
      aliases: ['/'],
      keywords: text.keywords.search,
      run: () => shell.openSearch(),
    },
    {
      id: 'chats.select',
      icon: 'check',
      label: words.bulk.select,
      group: 'go',
      keywords: words.bulk.selectKeywords,
      isAvailable: () => shell.workbench.chats.items.length > 0,
      run: () => shell.selectChats(),
    },
    {
      id: 'chats.archived',
      icon: 'archive',
      label: text.archived,
      group: 'go',
      run: () => shell.openArchive(),
    },
    {
      id: 'chats.read_all',
      icon: 'check',
      label: words.bulk.markAllRead,
      group: 'go',
      keywords: words.bulk.readKeywords,
      run: () => shell.actions.markAllRead(),
    },
    {
      id: 'chat.next',
      icon: 'down',
      label: text.nextChat,
      group: 'go',
      shortcut: 'alt+down',
      run: () => shell.step(1),
    },
    {
      id: 'chat.previous',
      icon: 'send',
      label: text.previousChat,
      group: 'go',
      shortcut: 'alt+up',
      run: () => shell.step(-1),
    },
    ...others.map(({ id, name }): Command => ({
      id: `workspace.open.${id}`,
      icon: 'switch',
      label: words.workspaces.switchTo(name),
      group: 'go',
      keywords: text.keywords.workspace,
      run: () => shell.switchWorkspace(id),
    })),
    ...(isAdmin ? workspaceCommands(shell) : []),
    {
      id: 'settings.open',
      icon: 'settings',
      label: text.settings,
      group: 'go',
      shortcut: 'mod+,',
      keywords: text.keywords.settings,
      run: () => shell.go({ view: 'settings', section: 'appearance' }),
    },
    ...listedSections().map((section): Command => ({
      id: `settings.${section}`,
      icon: 'settings',
      label: text.section(text.sections[section]),
      group: 'go',
      keywords: text.keywords.settings,
      run: () => shell.go({ view: 'settings', section }),
    })),
    ...(isAdmin ? [connectCommand(shell)] : []),
    {
      id: 'rehearsals.open',
      icon: 'text',
      label: words.composer.commands.rehearsals,
      group: 'go',
      keywords: words.composer.commands.rehearsalKeywords,
      run: () => void (shell.layer = 'rehearsals'),
    },
  ];
}

function connectCommand(shell: Shell): Command {
  return {
    id: 'models.connect',
    icon: 'model',
    label: text.connectModel,
    group: 'go',
    shortcut: 'alt+shift+m',
    keywords: text.keywords.connectModel,
    run: () => {
      shell.workbench.modelServers.wish = { open: 'new' };
      shell.go({ view: 'settings', section: 'models' });
    },
  };
}

function workspaceCommands(shell: Shell): Command[] {
  const keywords = text.keywords.workspace;
  return [
    {
      id: 'workspace.new',
      icon: 'plus',
      label: words.workspaces.new,
      group: 'go',
      keywords,
      run: () => void (shell.layer = 'new_workspace'),
    },
    {
      id: 'workspace.rename',
      icon: 'pencil',
      label: words.workspaces.rename,
      group: 'go',
      keywords,
      isAvailable: () => shell.workbench.workspaces.current !== null,
      run: () => void (shell.layer = 'rename_workspace'),
    },
  ];
}

function viewCommands(shell: Shell): Command[] {
  const { settings, isAdmin } = shell.workbench;
  const labels: Record<Theme, string> = {
    system: text.themeSystem,
    light: text.themeLight,
    dark: text.themeDark,
  };
  return [
    {
      id: 'view.sidebar',
      icon: 'sidebar',
      label: text.sidebar,
      group: 'view',
      shortcut: 'mod+b',
      keywords: text.keywords.sidebar,
      run: () => shell.setSidebar(!shell.sidebarOpen),
    },
    ...THEMES.map((theme): Command => ({
      id: `view.theme.${theme}`,
      icon: 'theme',
      label: labels[theme],
      group: 'view',
      keywords: text.keywords.theme,
      isAvailable: () => isAdmin && settings.current.theme !== theme,
      run: () => settings.update({ theme }),
    })),
  ];
}

function helpCommands(shell: Shell): Command[] {
  return [
    {
      id: 'palette.open',
      icon: 'command',
      label: text.palette,
      group: 'help',
      shortcut: PALETTE_KEYS,
      run: () => void (shell.layer = 'palette'),
    },
    {
      id: 'help.open',
      icon: 'help',
      label: text.help,
      group: 'help',
      shortcut: '?',
      keywords: text.keywords.help,
      run: () => void (shell.layer = 'help'),
    },
  ];
}
