/**
 * Runs in each window before its page, in an isolated world, and gives the page the few things that HTTP can't do. It
 * lists its methods one by one: the page can send nothing else.
 */
import { contextBridge, ipcRenderer } from 'electron';
import {
  BRIDGE_NAME,
  IPC,
  WINDOW_ARGUMENT,
  type DesktopBridge,
  type DesktopOrder,
  type DesktopSession,
  type DesktopState,
  type WindowKind,
} from '../shared/ipc.ts';

const kind = process.argv
  .find((argument) => argument.startsWith(WINDOW_ARGUMENT))
  ?.slice(WINDOW_ARGUMENT.length);
const windowKind: WindowKind = kind === 'quick-ask' ? 'quick-ask' : 'main';

let listener: ((order: DesktopOrder) => void) | null = null;
ipcRenderer.on(IPC.order, (_event, order: DesktopOrder) => listener?.(order));

const bridge: DesktopBridge = {
  window: windowKind,
  session: () => ipcRenderer.invoke(IPC.session) as Promise<DesktopSession>,
  state: () => ipcRenderer.invoke(IPC.state) as Promise<DesktopState>,
  setOpenAtLogin: (open) => ipcRenderer.invoke(IPC.setOpenAtLogin, open) as Promise<DesktopState>,
  chooseFolder: () => ipcRenderer.invoke(IPC.chooseFolder) as Promise<string | null>,
  diagnose: () => ipcRenderer.invoke(IPC.diagnose) as Promise<string>,
  offerCommands: (commands) => ipcRenderer.send(IPC.offerCommands, commands),
  reveal: (folder) => ipcRenderer.send(IPC.reveal, folder),
  openInMain: (chatId) => ipcRenderer.send(IPC.openInMain, chatId),
  dismiss: () => ipcRenderer.send(IPC.dismiss),
  onOrder: (told) => {
    listener = told;
    ipcRenderer.send(IPC.listening);
  },
};

contextBridge.exposeInMainWorld(BRIDGE_NAME, bridge);
