/**
 * The scripts that run in pages. A preload has a separate JavaScript world, as with Electron's context isolation;
 * only events on `window`, under names that the page can't guess, lead from one to the other, and only their detail, a
 * text, crosses. The binding to the main process is in the preload's world alone.
 *
 * The functions of which scripts are made (here and in page-*.ts) are put into pages as source text: they use nothing from
 * outside themselves.
 */
import { decode, encode } from './codec.ts';
import { type Codec, createPeer, type Fn, type PageGlobal } from './page-bridge.ts';
import { watchContextMenu } from './page-context-menu.ts';
import { type PreloadSettings, preloadWorld } from './page-preload.ts';

/** The preload's world, and the binding in it. */
export const PRELOAD_WORLD = 'Electron Isolated Context';
export const BINDING = 'tellMainProcess';
/** Set on the preload world's global object: what takes messages from the main process. */
export const RECEIVER = 'hearFromMainProcess';

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

/** The scripts of one window, to be run in this order in each new document. */
export function pageScripts(
  preload: string,
  process: Record<string, unknown>,
): { page: string; preload: string } {
  const [toPreload, toPage] = [crypto.randomUUID(), crypto.randomUUID()];
  const codec = `{ encode: ${encode.toString()}, decode: ${decode.toString()} }`;
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
      watchContextMenu.toString(),
      JSON.stringify(toPage),
      JSON.stringify(toPreload),
      JSON.stringify(settings),
      wrapped,
    ),
  };
}
