/** The preload's world: see page-scripts.ts. */
import type { Codec, createPeer, Fn, PageGlobal } from './page-bridge.ts';
import type { watchContextMenu } from './page-context-menu.ts';

/** Messages from a preload's world to the main process. */
export type FromPreload =
  | { type: 'invoke'; id: number; channel: string; args: string }
  | { type: 'send'; channel: string; args: string }
  | { type: 'context-menu'; params: Record<string, unknown> }
  | { type: 'preload-error'; message: string };
/** Messages from the main process to it. */
export type ToPreload =
  | { type: 'answer'; id: number; value?: string; error?: string }
  | { type: 'message'; channel: string; args: string };

export interface PreloadSettings {
  names: { binding: string; receiver: string };
  process: Record<string, unknown>;
}

/** In the preload's world: Electron's renderer modules, and the preload itself. */
export function preloadWorld(
  codec: Codec,
  connect: typeof createPeer,
  watchMenu: typeof watchContextMenu,
  toPage: string,
  fromPage: string,
  { names, process }: PreloadSettings,
  preload: (require: Fn, module: { exports: object }, exports: object, process: object) => void,
): void {
  const page = globalThis as unknown as PageGlobal;
  const binding = page[names.binding] as (text: string) => void;
  Reflect.deleteProperty(page, names.binding);
  // Frames within the page get the world but no preload, and no way to the main process.
  if (page.self !== page.top) return;

  const tell = (message: FromPreload): void => binding(JSON.stringify(message));
  const peer = connect(codec, toPage, fromPage);
  const listeners = new Map<string, { listener: Fn; once: boolean }[]>();
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let invocations = 0;

  const refuse = <T extends object>(name: string, members: T): T =>
    new Proxy(members, {
      get: (target, key, receiver) => {
        if (typeof key === 'symbol' || key in target) return Reflect.get(target, key, receiver) as unknown;
        throw new Error(`A preload of the stand-in for Electron has no ${name}.${key}.`);
      },
    });
  const add = (channel: string, listener: Fn, once: boolean): unknown => {
    listeners.set(channel, [...(listeners.get(channel) ?? []), { listener, once }]);
    return ipcRenderer;
  };
  const remove = (channel: string, listener: Fn): unknown => {
    listeners.set(
      channel,
      (listeners.get(channel) ?? []).filter((entry) => entry.listener !== listener),
    );
    return ipcRenderer;
  };
  const ipcRenderer: object = refuse('ipcRenderer', {
    invoke: async (channel: string, ...args: unknown[]) => {
      invocations += 1;
      const id = invocations;
      tell({ type: 'invoke', id, channel, args: codec.encode(args) });
      return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
    },
    send: (channel: string, ...args: unknown[]) => tell({ type: 'send', channel, args: codec.encode(args) }),
    on: (channel: string, listener: Fn) => add(channel, listener, false),
    addListener: (channel: string, listener: Fn) => add(channel, listener, false),
    once: (channel: string, listener: Fn) => add(channel, listener, true),
    off: remove,
    removeListener: remove,
    removeAllListeners: (channel: string) => {
      listeners.delete(channel);
      return ipcRenderer;
    },
  });
  const electron = refuse('electron', {
    contextBridge: refuse('contextBridge', { exposeInMainWorld: peer.expose }),
    ipcRenderer,
  });

  page[names.receiver] = (text: string): void => {
    const message = JSON.parse(text) as ToPreload;
    if (message.type === 'answer') {
      const invocation = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.error === undefined) invocation?.resolve(codec.decode(message.value ?? 'null'));
      else invocation?.reject(new Error(message.error));
      return;
    }
    const entries = listeners.get(message.channel) ?? [];
    listeners.set(
      message.channel,
      entries.filter(({ once }) => !once),
    );
    const args = codec.decode(message.args) as unknown[];
    for (const { listener } of entries) listener({ sender: ipcRenderer, ports: [] }, ...args);
  };

  watchMenu(tell);

  const require = (name: unknown): unknown => {
    if (name === 'electron' || name === 'electron/renderer') return electron;
    throw new Error(`module not found: ${String(name)}`);
  };
  const module = { exports: {} };
  try {
    preload(require, module, module.exports, process);
  } catch (error) {
    tell({
      type: 'preload-error',
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
  }
}
