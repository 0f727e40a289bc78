/** Whether the display that the environment names on Linux can be reached. Without one, Chromium creates its files and then crashes. */
import type { NetConnectOpts } from 'node:net';
import { resolve } from 'node:path';
import { connectFirst } from '../server/lib/connect-first.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

const X11_PORT = 6_000;

/** An X11 display, and where to find it, in the order that programs try; null: it is named in a rarer way, or isn't one. */
export function readDisplay(name: string) {
  const [, host = '', number = '', screen = '0'] = /^([^/]*):(\d{1,4})(?:\.(\d+))?$/.exec(name) ?? [];
  if (number === '') return null;
  const path = `/tmp/.X11-unix/X${number}`;
  const port = X11_PORT + Number(number);
  const addresses: NetConnectOpts[] =
    host === '' || host === 'unix'
      ? // The first has a name of its own instead of a file.
        [{ path: `\0${path}` }, { path }, { port, host: 'localhost' }]
      : [{ port, host: host.replace(/^\[(.*)\]$/, '$1') }];
  return { number, screen, addresses };
}

/** Why there is nothing to draw on, as the beginning of a sentence; null: there is. */
export async function whyNoDisplay(env: Environment): Promise<string | null> {
  const { DISPLAY: x11 = '', WAYLAND_DISPLAY: wayland = '', XDG_RUNTIME_DIR: folder = '' } = env;
  if (x11 === '' && wayland === '') return 'There is no display here';
  const display = readDisplay(x11);
  if (x11 !== '' && display === null) return null;
  const ofWayland = wayland === '' ? [] : [{ path: resolve(folder, wayland) }];
  const socket = await connectFirst([...(display?.addresses ?? []), ...ofWayland]);
  socket?.destroy();
  return socket === null ? `The display ${x11 || wayland} can’t be reached` : null;
}
