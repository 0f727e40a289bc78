/** Whether the display that the environment names on Linux can be reached. Without one Chromium crashes, after it has made its files. */
import { connect, type NetConnectOpts, type Socket } from 'node:net';
import { resolve } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

const LIMIT_MS = 1_000;
const X11_PORT = 6_000;

/** An X11 display, and where programs look for it, in this order; null: it is named in some rarer way, or isn't one. */
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

/** A connection to the first that accepts one, which ends when it is silent for a second; null: none does. */
export async function connectDisplay(addresses: readonly NetConnectOpts[]): Promise<Socket | null> {
  for (const address of addresses) {
    const socket = connect(address);
    const isOpen = await new Promise<boolean>((settle) => {
      socket.once('connect', () => settle(true));
      socket.on('error', () => settle(false));
      socket.setTimeout(LIMIT_MS, () => socket.destroy(new Error('The display does not answer.')));
    });
    if (isOpen) return socket;
  }
  return null;
}

/** Why there is nothing to draw on, as the beginning of a sentence; null: there is. */
export async function whyNoDisplay(env: Environment): Promise<string | null> {
  const { DISPLAY: x11 = '', WAYLAND_DISPLAY: wayland = '', XDG_RUNTIME_DIR: folder = '' } = env;
  if (x11 === '' && wayland === '') return 'There is no display here';
  const display = readDisplay(x11);
  if (x11 !== '' && display === null) return null;
  const ofWayland = wayland === '' ? [] : [{ path: resolve(folder, wayland) }];
  const socket = await connectDisplay([...(display?.addresses ?? []), ...ofWayland]);
  socket?.destroy();
  return socket === null ? `The display ${x11 || wayland} can’t be reached` : null;
}
