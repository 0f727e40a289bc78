import type { IpcMain } from 'electron';
import { beforeEach, describe, expect, it, vi, type Mock } from 'vitest';
import { setupIpc, type IpcHandlers } from '../../electron/ipc.ts';
import { IPC, type DesktopState, type WindowKind } from '../../shared/ipc.ts';

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
  on: (channel: string, listener: Listener) => channels.set(channel, listener),
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

let kind: WindowKind | null;
let handlers: { [Name in keyof IpcHandlers]: ReturnType<typeof vi.fn> };
let log: Mock<(line: string) => void>;
beforeEach(() => {
  channels.clear();
  kind = 'main';
  log = vi.fn<(line: string) => void>();
  handlers = {
    session: vi.fn(() => ({ apiKey: 'parley_x', workspaceId: 'w' })),
    state: vi.fn(() => STATE),
    setOpenAtLogin: vi.fn(() => STATE),
    chooseFolder: vi.fn(() => Promise.resolve('/home/ana/Notes')),
    diagnose: vi.fn(() => Promise.resolve('ok')),
    offerCommands: vi.fn(),
    listening: vi.fn(),
    reveal: vi.fn(),
    openInMain: vi.fn(),
    dismiss: vi.fn(),
  };
  setupIpc({ ipcMain, origin: ORIGIN, kindOf: () => kind, log }, handlers as unknown as IpcHandlers);
});

function say(channel: string, argument?: unknown, from: FakeFrame | null = frame(), main = frame()): unknown {
  return channels.get(channel)?.({ sender: { mainFrame: main }, senderFrame: from }, argument);
}

describe('a message', () => {
  it('of the window’s own page is heard', () => {
    expect(say(IPC.session)).toEqual({ apiKey: 'parley_x', workspaceId: 'w' });
    expect(say(IPC.state)).toEqual(STATE);
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
  ])('of %s is refused on every channel', (_who, from) => {
    for (const channel of [IPC.session, IPC.state, IPC.setOpenAtLogin, IPC.chooseFolder]) {
      expect(() => say(channel, true, from, from ?? frame())).toThrow('Only a Parley window');
    }
    for (const channel of [IPC.offerCommands, IPC.listening, IPC.reveal, IPC.openInMain, IPC.dismiss]) {
      say(channel, 'data', from, from?.parent ?? from ?? frame());
    }
    for (const handler of Object.values(handlers)) expect(handler).not.toHaveBeenCalled();
    expect(log).toHaveBeenCalled();
  });

  it('of a window that is none of the app’s is refused', () => {
    kind = null;
    expect(() => say(IPC.session)).toThrow();
    expect(handlers.session).not.toHaveBeenCalled();
  });

  it('to go away counts only from quick ask, and commands only from the main window', () => {
    say(IPC.dismiss);
    expect(handlers.dismiss).not.toHaveBeenCalled();
    kind = 'quick-ask';
    say(IPC.dismiss);
    say(IPC.offerCommands, []);
    expect(handlers.dismiss).toHaveBeenCalledOnce();
    expect(handlers.offerCommands).not.toHaveBeenCalled();
  });

  it('to choose a folder is heard from the main window alone', async () => {
    expect(await say(IPC.chooseFolder)).toBe('/home/ana/Notes');
    kind = 'quick-ask';
    expect(() => say(IPC.chooseFolder)).toThrow('Only a Parley window');
    expect(handlers.chooseFolder).toHaveBeenCalledOnce();
  });

  it('carries commands only in their own shape', () => {
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
    say(IPC.offerCommands, [good, ...bad, { ...good, id: 'b', shortcut: 7 }]);
    expect(handlers.offerCommands).toHaveBeenCalledWith([good, { ...good, id: 'b', shortcut: null }]);
    say(IPC.offerCommands, 'nonsense');
    expect(handlers.offerCommands).toHaveBeenLastCalledWith([]);
  });

  it('names folders and chats that there can be, and nothing else', () => {
    for (const folder of ['data', 'logs', '/etc', { toString: () => 'data' }, null]) say(IPC.reveal, folder);
    expect(handlers.reveal.mock.calls).toEqual([['data'], ['logs']]);
    for (const chatId of ['c1', '', null, 5, 'x'.repeat(500)]) say(IPC.openInMain, chatId);
    expect(handlers.openInMain.mock.calls).toEqual([['c1'], [null], [null], [null], [null]]);
    say(IPC.setOpenAtLogin, 'yes');
    expect(handlers.setOpenAtLogin).toHaveBeenCalledWith(false);
  });
});
