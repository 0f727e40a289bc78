import type { IpcMain } from 'electron';
import { beforeEach, describe, expect, it, vi, type Mock } from 'vitest';
import type { Orders } from '../../electron/orders.ts';
import { setupPageRequests, type PageRequestDeps } from '../../electron/page-requests.ts';
import type { PageWindow } from '../../electron/page-window.ts';
import { channelOf, type DesktopState, type PageRequest, type WindowKind } from '../../shared/ipc.ts';

const ORIGIN = 'http://127.0.0.1:4141';
const STATE: DesktopState = {
  openAtLogin: null,
  quickAsk: 'off',
  hasTray: false,
  canNotify: true,
  notifyTrouble: null,
  secrets: 'file',
};

type Listener = (event: unknown, argument?: unknown) => unknown;
const channels = new Map<string, Listener>();
const ipcMain = {
  handle: (channel: string, listener: Listener) => void channels.set(channel, listener),
} as unknown as IpcMain;

interface FakeFrame {
  url: string;
  processId: number;
  routingId: number;
  parent: FakeFrame | null;
}
const frame = (over: Partial<FakeFrame> = {}): FakeFrame => ({
  url: `${ORIGIN}/#/chats/1`,
  processId: 1,
  routingId: 1,
  parent: null,
  ...over,
});

/** Whose window a message comes from; null: none of the app's. */
let sender: WindowKind | null;
let log: Mock<(line: string) => void>;
let deps: PageRequestDeps;
const frames = { main: frame(), 'quick-ask': frame() };
const contents = { main: { mainFrame: frames.main }, 'quick-ask': { mainFrame: frames['quick-ask'] } };
const listening = vi.fn();
const setOpenAtLogin = vi.fn<(open: boolean) => void>();
const windowOf = (kind: WindowKind): PageWindow =>
  ({
    window: { webContents: contents[kind] },
    orders: { listening } as unknown as Orders,
  }) as unknown as PageWindow;
const SESSION = { apiKey: 'parley_x', workspaceId: 'w' };

beforeEach(() => {
  vi.clearAllMocks();
  channels.clear();
  sender = 'main';
  log = vi.fn<(line: string) => void>();
  deps = {
    ipcMain,
    dialog: { showOpenDialog: vi.fn(async () => ({ canceled: false, filePaths: ['/home/ana/Notes'] })) },
    service: { url: ORIGIN, openSession: vi.fn(() => ({ ...SESSION })), findWorkspaceOf: () => 'w' },
    main: { current: () => windowOf('main'), order: vi.fn() },
    quickAsk: { current: () => windowOf('quick-ask'), hide: vi.fn() },
    loginItem: { isSet: () => false, set: setOpenAtLogin },
    offerCommands: vi.fn(),
    state: async () => STATE,
    openFolder: vi.fn(),
    diagnose: vi.fn(() => Promise.resolve('ok')),
    log,
  };
  setupPageRequests(deps);
});

/** Sends a request as a frame of a window's page. */
async function ask(
  request: PageRequest,
  argument?: unknown,
  from: FakeFrame | null = frame(),
): Promise<unknown> {
  const event = { sender: sender === null ? { mainFrame: frame() } : contents[sender], senderFrame: from };
  return channels.get(channelOf(request))?.(event, argument);
}
const REFUSED = 'This page may not do that.';
const ALL = [
  'session',
  'state',
  'setOpenAtLogin',
  'chooseFolder',
  'diagnose',
  'offerCommands',
  'listening',
  'reveal',
  'openInMain',
  'dismiss',
] as const satisfies PageRequest[];

describe('a request', () => {
  it('of the window’s own page is heard, and its session stays the same', async () => {
    const session = await ask('session');
    expect(session).toEqual(SESSION);
    expect(await ask('session')).toBe(session);
    sender = 'quick-ask';
    expect(await ask('session')).not.toBe(session);
    expect(await ask('state')).toEqual(STATE);
    expect(log).not.toHaveBeenCalled();
  });

  it.each<[string, FakeFrame | null]>([
    ['a frame in the page', frame({ routingId: 2, parent: frame() })],
    ['a page of another origin', frame({ url: 'https://evil.example/' })],
    ['the same host at another port', frame({ url: 'http://127.0.0.1:4142/' })],
    ['an origin that only looks alike', frame({ url: 'http://127.0.0.1:4141.evil.example/' })],
    ['an address with a name in it', frame({ url: 'http://127.0.0.1:4141@evil.example/' })],
    ['an empty page', frame({ url: 'about:blank' })],
    ['a file', frame({ url: 'file:///etc/passwd' })],
    ['a frame that is gone', null],
  ])('of %s is refused on every channel', async (_who, from) => {
    for (const request of ALL) await expect(ask(request, 'data', from)).rejects.toThrow(REFUSED);
    for (const act of [deps.offerCommands, deps.openFolder, deps.main.order, deps.service.openSession])
      expect(act).not.toHaveBeenCalled();
    expect(log).toHaveBeenCalledTimes(ALL.length);
  });

  it('of a window that is none of the app’s is refused', async () => {
    sender = null;
    for (const request of ALL) await expect(ask(request)).rejects.toThrow(REFUSED);
    expect(deps.service.openSession).not.toHaveBeenCalled();
  });

  it('to go away counts only from quick ask, and what only the main window does from there', async () => {
    await expect(ask('dismiss')).rejects.toThrow(REFUSED);
    sender = 'quick-ask';
    await ask('dismiss');
    expect(deps.quickAsk.hide).toHaveBeenCalledOnce();
    for (const request of ['offerCommands', 'chooseFolder', 'diagnose'] as const)
      await expect(ask(request)).rejects.toThrow(REFUSED);
    expect(deps.offerCommands).not.toHaveBeenCalled();
    await ask('listening');
    expect(listening).toHaveBeenCalledOnce();
  });

  it('to choose a folder asks over the window, and answers its path, or null', async () => {
    expect(await ask('chooseFolder')).toBe('/home/ana/Notes');
    const { showOpenDialog } = deps.dialog;
    const properties = ['openDirectory', 'createDirectory'];
    expect(showOpenDialog).toHaveBeenCalledWith(
      { webContents: contents.main },
      expect.objectContaining({ properties }),
    );
    vi.mocked(showOpenDialog).mockResolvedValue({ canceled: true, filePaths: [] });
    expect(await ask('chooseFolder')).toBeNull();
  });

  it('carries commands only in their own shape', async () => {
    const good = { id: 'chat.rename', label: 'Rename', group: 'chat', shortcut: 'f2' };
    const bad = [
      null,
      3,
      'x',
      {},
      { ...good, group: 'file' },
      { ...good, label: 'x'.repeat(201) },
      { ...good, id: 5 },
    ];
    await ask('offerCommands', [good, ...bad, { ...good, id: 'b', shortcut: 7 }]);
    expect(deps.offerCommands).toHaveBeenCalledWith([good, { ...good, id: 'b', shortcut: null }]);
    await ask('offerCommands', 'nonsense');
    expect(deps.offerCommands).toHaveBeenLastCalledWith([]);
  });

  it('names folders and chats that there can be, and nothing else', async () => {
    for (const folder of ['data', 'logs', '/etc', { toString: () => 'data' }, null])
      await ask('reveal', folder);
    expect(vi.mocked(deps.openFolder).mock.calls).toEqual([['data'], ['logs']]);
    for (const chatId of ['c1', '', null, 5, 'x'.repeat(500)]) await ask('openInMain', chatId);
    const orders = vi.mocked(deps.main.order).mock.calls.map(([order]) => order);
    expect(orders).toEqual([
      { type: 'open_chat', chatId: 'c1', workspaceId: 'w' },
      ...Array<object>(4).fill({ type: 'open_chat', chatId: null, workspaceId: null }),
    ]);
  });

  it('to open at login is done, or not, and answers how it is then', async () => {
    expect(await ask('setOpenAtLogin', 'yes')).toEqual(STATE);
    expect(setOpenAtLogin).toHaveBeenCalledWith(false);
    setOpenAtLogin.mockImplementationOnce(() => {
      throw new Error('no rights');
    });
    expect(await ask('setOpenAtLogin', true)).toEqual(STATE);
    expect(log.mock.calls.join()).toMatch(/no rights.*did not add/);
  });
});
