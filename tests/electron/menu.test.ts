import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, it } from 'vitest';
import { applicationMenu, trayMenu, type MenuActions, type MenuState } from '../../electron/menu.ts';
import type { OfferedCommand } from '../../shared/ipc.ts';

const COMMANDS: OfferedCommand[] = [
  { id: 'chat.new', label: 'New chat', group: 'go', shortcut: 'mod+shift+o' },
  { id: 'chat.rename', label: 'Rename', group: 'chat', shortcut: 'f2' },
  { id: 'settings.open', label: 'Settings', group: 'go', shortcut: 'mod+,' },
  { id: 'chat.next', label: 'Next chat', group: 'go', shortcut: 'alt+down' },
  { id: 'view.sidebar', label: 'Hide the sidebar', group: 'view', shortcut: 'mod+b' },
  { id: 'help.open', label: 'Keyboard shortcuts', group: 'help', shortcut: '?' },
];

function build(over: Partial<MenuState> = {}) {
  const done: string[] = [];
  const note = (what: string) => (which?: string) =>
    void done.push(which === undefined ? what : `${what} ${which}`);
  const actions: MenuActions = {
    run: (id, byKeys) => void done.push(byKeys ? `run ${id} by keys` : `run ${id}`),
    newChat: () => void done.push('new'),
    quickAsk: () => void done.push('quick'),
    openFolder: note('open'),
    print: () => void done.push('print'),
    about: () => void done.push('about'),
  };
  const menu = applicationMenu(
    { platform: 'linux', isDevelopment: false, commands: COMMANDS, ...over },
    actions,
  );
  const flatten = (items: MenuItemConstructorOptions[]): MenuItemConstructorOptions[] =>
    items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? flatten(item.submenu) : [])]);
  const find = (id: string): MenuItemConstructorOptions | undefined =>
    flatten(menu).find((item) => item.id === id);
  const click = (id: string, triggeredByAccelerator = false): void =>
    (find(id)?.click as ((...args: unknown[]) => void) | undefined)?.({}, {}, { triggeredByAccelerator });
  return { menu, all: flatten(menu), find, click, done };
}

describe('the menus', () => {
  it('show names as they are: a single “&” would mark a key', () => {
    const [id, label] = ['workspace.open.w', 'Switch to “R&D”'];
    const { find } = build({ commands: [{ id, label, group: 'go', shortcut: null }] });
    expect(find(id)?.label).toBe('Switch to “R&&D”');
  });

  it('say when it was a shortcut, which a dialog of the page has to itself', () => {
    const { click, done } = build({ platform: 'darwin' });
    click('chat.rename', true);
    click('chat.rename');
    click('chat.new', true);
    click('chat.new');
    expect(done).toEqual(['run chat.rename by keys', 'run chat.rename', 'run chat.new by keys', 'new']);
  });

  it.each(['linux', 'win32', 'darwin'] as const)(
    'print with the keys that every program has on %s',
    (platform) => {
      const { find, click, done } = build({ platform, commands: [] });
      expect(find('app.print')?.accelerator).toBe('CommandOrControl+P');
      expect(find('app.print')?.registerAccelerator).toBeUndefined();
      click('app.print', true);
      expect(done).toEqual(['print']);
    },
  );

  it('hold every command that the window offers, once, and do it', () => {
    const { all, click, done } = build();
    for (const { id } of COMMANDS) expect(all.filter((item) => item.id === id)).toHaveLength(1);
    for (const id of ['chat.rename', 'settings.open', 'chat.next', 'view.sidebar', 'help.open']) click(id);
    expect(done).toEqual([
      'run chat.rename',
      'run settings.open',
      'run chat.next',
      'run view.sidebar',
      'run help.open',
    ]);
  });

  it('show the page’s keys and leave them to the page', () => {
    const { find } = build();
    expect(find('chat.rename')).toMatchObject({ accelerator: 'F2', registerAccelerator: false });
    expect(find('chat.new')).toMatchObject({
      accelerator: 'CommandOrControl+Shift+O',
      registerAccelerator: false,
    });
    expect(find('help.open')).not.toHaveProperty('accelerator');
  });

  it('start a new chat and open folders with no window there, and have no empty menus then', () => {
    const { menu, click, done } = build({ commands: [] });
    for (const id of ['chat.new', 'app.quick-ask', 'app.logs', 'app.data', 'app.about']) click(id);
    expect(done).toEqual(['new', 'quick', 'open logs', 'open data', 'about']);
    expect(menu.map(({ label }) => label)).toEqual(['File', 'Edit', 'View', 'Window', 'Help']);
  });

  it('are laid out as each platform does', () => {
    const mac = build({ platform: 'darwin' });
    const ids = (menu?: MenuItemConstructorOptions): unknown[] =>
      (menu?.submenu as MenuItemConstructorOptions[]).map(({ id, role }) => id ?? role);
    expect(mac.menu[0]?.label).toBe('Parley');
    expect(ids(mac.menu[0])).toEqual(
      expect.arrayContaining(['app.about', 'settings.open', 'services', 'hide', 'app.quit']),
    );
    expect(ids(mac.menu[1])).toContain('close');
    const linux = build();
    expect(linux.menu[0]?.label).toBe('File');
    expect(ids(linux.menu[0])).toEqual(expect.arrayContaining(['settings.open', 'app.quit']));
    expect(ids(linux.menu.at(-1))).toContain('app.about');
  });

  it('never begin or end with a line, nor have two together', () => {
    for (const platform of ['linux', 'darwin', 'win32'] as const) {
      for (const { submenu } of build({ platform }).menu) {
        const kinds = (Array.isArray(submenu) ? submenu : []).map(({ type }) => type);
        expect(kinds[0]).not.toBe('separator');
        expect(kinds.at(-1)).not.toBe('separator');
        expect(kinds.some((kind, at) => kind === 'separator' && kinds[at + 1] === 'separator')).toBe(false);
      }
    }
  });

  it('offer tools for developers only in a checkout', () => {
    const roles = (isDevelopment: boolean): unknown[] => build({ isDevelopment }).all.map(({ role }) => role);
    expect(roles(true)).toContain('toggleDevTools');
    expect(roles(false)).not.toContain('toggleDevTools');
    expect(roles(false)).not.toContain('forceReload');
  });
});

describe('the tray’s menu', () => {
  const nothing = (): void => undefined;
  const actions = {
    show: nothing,
    newChat: nothing,
    quickAsk: nothing,
    copyAddress: nothing,
    copyKey: nothing,
    quit: nothing,
  };
  const labels = (working: number, unread: number, awaiting = 0): unknown[] =>
    trayMenu({ address: 'http://127.0.0.1:4141', working, unread, awaiting }, actions).map(
      ({ label }) => label,
    );

  it('says where Parley is and what it does', () => {
    expect(labels(0, 0).slice(0, 2)).toEqual(['Running at http://127.0.0.1:4141', 'No replies in progress']);
    expect(labels(2, 1).slice(1, 3)).toEqual(['Answering in 2 chats', 'One unread chat']);
  });

  it('says which chats wait for an answer, and doesn’t take those for at work', () => {
    expect(labels(1, 0, 1).slice(1, 2)).toEqual(['One chat needs your answer']);
    expect(labels(3, 1, 2).slice(1, 4)).toEqual([
      'Answering in one chat',
      '2 chats need your answer',
      'One unread chat',
    ]);
  });

  it('leads to the window, a new chat, the address, the key and the way out', () => {
    const ids = trayMenu({ address: 'a', working: 0, unread: 0, awaiting: 0 }, actions).map(({ id }) => id);
    expect(ids).toEqual(
      expect.arrayContaining([
        'tray.show',
        'tray.new',
        'tray.quick-ask',
        'tray.copy-address',
        'tray.copy-key',
        'tray.quit',
      ]),
    );
  });
});
