/**
 * What runs in pages. A preload has a JavaScript world of its own beside the page's, as with Electron's context isolation;
 * only events on `window`, under names that the page can't guess, lead from one to the other, and only their detail, a
 * text, crosses. The binding to the main process is in the preload's world alone.
 *
 * The functions here are put into pages as source text: they use nothing from outside themselves.
 */
import type { decode, encode } from './codec.ts';
import { decode as decodeValue, encode as encodeValue } from './codec.ts';

/** The preload's world, and the binding in it. */
export const PRELOAD_WORLD = 'Electron Isolated Context';
export const BINDING = 'tellMainProcess';
/** Set on the preload world's global object: what takes messages from the main process. */
export const RECEIVER = 'hearFromMainProcess';

/** What a preload's world tells the main process. */
export type FromPreload =
  | { type: 'invoke'; id: number; channel: string; args: string }
  | { type: 'send'; channel: string; args: string }
  | { type: 'context-menu'; params: Record<string, unknown> }
  | { type: 'preload-error'; message: string };
/** What the main process tells it. */
export type ToPreload =
  | { type: 'answer'; id: number; value?: string; error?: string }
  | { type: 'message'; channel: string; args: string };

type Fn = (...args: unknown[]) => unknown;
interface Codec {
  encode: typeof encode;
  decode: typeof decode;
}
/** Of a page's global object, what is used here: the types of the DOM aren't part of this program. */
interface PageGlobal {
  top: unknown;
  self: unknown;
  CustomEvent: new (type: string, init: { detail: string }) => object;
  addEventListener(type: string, listener: (event: { detail: string }) => void, capture: boolean): void;
  dispatchEvent(event: object): void;
  [key: string]: unknown;
}

interface PageElement {
  isContentEditable: boolean;
  tagName: string;
  closest(selector: string): { href: string } | null;
}

interface Peer {
  expose: (name: string, api: unknown) => void;
}

/** One end of the bridge between the two worlds: lends functions to the other, and calls those it was lent. */
function createPeer(codec: Codec, outgoing: string, incoming: string): Peer {
  type Note =
    | { type: 'expose'; name: string; api: string }
    | { type: 'call'; fn: number; call: number; args: string }
    | { type: 'result'; call: number; state: 'returned' | 'promised' | 'threw'; value: string }
    | { type: 'settled'; call: number; ok: boolean; value: string };
  const page = globalThis as unknown as PageGlobal;
  // Taken before any script of the page runs: what the page makes of them later changes nothing here.
  const {
    CustomEvent: Event,
    Promise: Promised,
    Object: Objects,
    Map: Maps,
    JSON: Json,
    Error: Failure,
  } = globalThis as unknown as {
    CustomEvent: PageGlobal['CustomEvent'];
  } & typeof globalThis;
  const dispatch = page.dispatchEvent.bind(page);
  const tell = (note: Note): void => dispatch(new Event(outgoing, { detail: Json.stringify(note) }));

  const lent = new Maps<number, Fn>();
  const ids = new Maps<Fn, number>();
  const results = new Maps<number, { state: string; value: string }>();
  const pending = new Maps<number, { resolve: (value: unknown) => void; reject: (error: unknown) => void }>();
  let calls = 0;

  const lend = (fn: Fn): number => {
    const id = ids.get(fn) ?? ids.size + 1;
    ids.set(fn, id);
    lent.set(id, fn);
    return id;
  };
  const read = (text: string): unknown => codec.decode(text, borrow, true);
  const borrow =
    (fn: number): Fn =>
    (...args) => {
      calls += 1;
      const call = calls;
      tell({ type: 'call', fn, call, args: codec.encode(args, lend) });
      // The other world has answered by now: events are dispatched synchronously.
      const result = results.get(call);
      results.delete(call);
      if (result === undefined) throw new Failure('The other world is gone.');
      if (result.state === 'threw') throw read(result.value);
      if (result.state === 'returned') return read(result.value);
      return new Promised((resolve, reject) => pending.set(call, { resolve, reject }));
    };

  const answer = (fn: number, call: number, args: string): void => {
    try {
      const value = lent.get(fn)?.(...(read(args) as unknown[]));
      if (!(value instanceof Promised)) {
        tell({ type: 'result', call, state: 'returned', value: codec.encode(value, lend) });
        return;
      }
      tell({ type: 'result', call, state: 'promised', value: 'null' });
      value.then(
        (settled: unknown) => tell({ type: 'settled', call, ok: true, value: codec.encode(settled, lend) }),
        (error: unknown) => tell({ type: 'settled', call, ok: false, value: codec.encode(error, lend) }),
      );
    } catch (error) {
      tell({ type: 'result', call, state: 'threw', value: codec.encode(error, lend) });
    }
  };

  page.addEventListener(
    incoming,
    ({ detail }) => {
      const note = Json.parse(detail) as Note;
      if (note.type === 'call') answer(note.fn, note.call, note.args);
      else if (note.type === 'result') results.set(note.call, note);
      else if (note.type === 'settled') {
        const waiting = pending.get(note.call);
        pending.delete(note.call);
        if (note.ok) waiting?.resolve(read(note.value));
        else waiting?.reject(read(note.value));
      } else {
        // Read-only and not configurable, as Electron binds it.
        Objects.defineProperty(page, note.name, { value: read(note.api), enumerable: true });
      }
    },
    true,
  );
  return { expose: (name, api) => tell({ type: 'expose', name, api: codec.encode(api, lend) }) };
}

/** In the page's own world: takes what the preload exposes. A window that isn't allowed to open is never handed out. */
function pageWorld(codec: Codec, connect: typeof createPeer, toPreload: string, fromPreload: string): void {
  const page = globalThis as unknown as PageGlobal;
  const open = page['open'] as Fn;
  page['open'] = new Proxy(open, {
    apply: (target, self, args) => {
      Reflect.apply(target, self, args);
      return null;
    },
  });
  if (page.self === page.top) connect(codec, toPreload, fromPreload);
}

interface PreloadSettings {
  names: { binding: string; receiver: string };
  process: Record<string, unknown>;
}

/** In the preload's world: Electron's renderer modules, and the preload itself. */
function preloadWorld(
  codec: Codec,
  connect: typeof createPeer,
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

  page.addEventListener(
    'contextmenu',
    (event) => {
      const { target, x, y } = event as unknown as { target: PageElement; x: number; y: number };
      const isEditable = target.isContentEditable || /^(?:INPUT|TEXTAREA)$/.test(target.tagName);
      const selectionText = (page['getSelection'] as () => { toString: () => string })().toString();
      const editFlags = {
        canUndo: isEditable,
        canRedo: isEditable,
        canCut: isEditable,
        canCopy: true,
        canPaste: isEditable,
        canDelete: isEditable,
        canSelectAll: true,
        canEditRichly: false,
      };
      const params = {
        x,
        y,
        isEditable,
        selectionText,
        editFlags,
        linkURL: target.closest('a')?.href ?? '',
        misspelledWord: '',
        dictionarySuggestions: [],
        mediaType: 'none',
      };
      // The page's own listeners come later, and may keep it to themselves.
      setTimeout(() => {
        if (!(event as unknown as { defaultPrevented: boolean }).defaultPrevented)
          tell({ type: 'context-menu', params });
      });
    },
    true,
  );

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

/** The scripts of one window, to be run in this order in each new document. */
export function pageScripts(
  preload: string,
  process: Record<string, unknown>,
): { page: string; preload: string } {
  const [toPreload, toPage] = [crypto.randomUUID(), crypto.randomUUID()];
  const codec = `{ encode: ${encodeValue.toString()}, decode: ${decodeValue.toString()} }`;
  const settings: PreloadSettings = { names: { binding: BINDING, receiver: RECEIVER }, process };
  const wrapped = `function (require, module, exports, process) {\n${preload}\n}`;
  const call = (fn: { toString(): string }, ...args: string[]): string =>
    `(${fn.toString()})(${args.join(', ')});`;
  return {
    page: call(pageWorld, codec, createPeer.toString(), JSON.stringify(toPreload), JSON.stringify(toPage)),
    preload: call(
      preloadWorld,
      codec,
      createPeer.toString(),
      JSON.stringify(toPage),
      JSON.stringify(toPreload),
      JSON.stringify(settings),
      wrapped,
    ),
  };
}
