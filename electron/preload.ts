/**
 * Runs in each window before its page, in an isolated world, and gives the page the few things that HTTP can't do. It
 * lists its methods one by one: the page can send nothing else.
 */
import { contextBridge, ipcRenderer } from 'electron';
import {
  BRIDGE_NAME,
  channelOf,
  LOCALE_ARGUMENT,
  ORDER_CHANNEL,
  WINDOW_ARGUMENT,
  type DesktopBridge,
  type DesktopOrder,
  type PageRequest,
  type WindowKind,
} from '../shared/ipc.ts';

const argument = (prefix: string): string =>
  process.argv.find((one) => one.startsWith(prefix))?.slice(prefix.length) ?? '';
const windowKind: WindowKind = argument(WINDOW_ARGUMENT) === 'quick-ask' ? 'quick-ask' : 'main';

let listener: ((order: DesktopOrder) => void) | null = null;
ipcRenderer.on(ORDER_CHANNEL, (_event, order: DesktopOrder) => listener?.(order));

/** The answer has the type that the bridge promises. */
const ask = (request: PageRequest, argument?: unknown): Promise<never> =>
  ipcRenderer.invoke(channelOf(request), argument) as Promise<never>;

const bridge: DesktopBridge = {
  window: windowKind,
  locale: argument(LOCALE_ARGUMENT),
  session: () => ask('session'),
  state: () => ask('state'),
  setOpenAtLogin: (open) => ask('setOpenAtLogin', open),
  chooseFolder: () => ask('chooseFolder'),
  diagnose: () => ask('diagnose'),
  offerCommands: (commands) => void ask('offerCommands', commands),
  reveal: (folder) => void ask('reveal', folder),
  openInMain: (chatId) => void ask('openInMain', chatId),
  dismiss: () => void ask('dismiss'),
  onOrder: (handle) => {
    listener = handle;
    void ask('listening');
  },
};

contextBridge.exposeInMainWorld(BRIDGE_NAME, bridge);
