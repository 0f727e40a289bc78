import { createServer, type AddressInfo, type ListenOptions } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { whyNoDisplay } from '../../electron/display.ts';
import { createTempDir } from '../support/service.ts';

const FIRST_PORT = 6_000;
/** What systems use as they please comes later. */
const LAST_PORT = 9_999;

const closing: (() => void)[] = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

/** Something that accepts connections; null: it can't have that address. */
function listen(options: ListenOptions): Promise<AddressInfo | string | null> {
  const server = createServer((socket) => socket.on('error', () => undefined));
  closing.push(() => server.close());
  return new Promise((resolve) => {
    server.once('error', () => resolve(null)).listen(options, () => resolve(server.address()));
  });
}

/** The number of an X11 display that answers. */
async function startDisplay(): Promise<number> {
  for (let port = FIRST_PORT + 300; port < LAST_PORT; port += 1) {
    if ((await listen({ port, host: '127.0.0.1' })) !== null) return port - FIRST_PORT;
  }
  throw new Error('All ports are taken.');
}

it('there is none where the environment names none', async () => {
  expect(await whyNoDisplay({})).toBe('There is no display here');
  expect(await whyNoDisplay({ DISPLAY: '', WAYLAND_DISPLAY: '', XDG_RUNTIME_DIR: '/run' })).toBe(
    'There is no display here',
  );
});

it.each([
  { DISPLAY: ':9987' },
  { DISPLAY: 'unix:9987.0' },
  { DISPLAY: '127.0.0.1:9' },
  { WAYLAND_DISPLAY: 'wayland-0' },
  { WAYLAND_DISPLAY: 'wayland-0', XDG_RUNTIME_DIR: '/nowhere' },
  { WAYLAND_DISPLAY: '/nowhere/wayland-0' },
  { DISPLAY: ':9987', WAYLAND_DISPLAY: 'wayland-0', XDG_RUNTIME_DIR: '/nowhere' },
])('one that was left, or that is over, is none: %j', async (env) => {
  expect(await whyNoDisplay(env)).toMatch(/^The display \S+ can’t be reached$/);
});

it('one that answers is there, and so is one named in a way of its own', async () => {
  const number = await startDisplay();
  expect(await whyNoDisplay({ DISPLAY: `127.0.0.1:${number}` })).toBeNull();
  expect(await whyNoDisplay({ DISPLAY: `127.0.0.1:${number}.0`, WAYLAND_DISPLAY: '/nowhere' })).toBeNull();
  // Where nothing has the name, the port of this computer is tried.
  expect(await whyNoDisplay({ DISPLAY: `:${number}` })).toBeNull();
  expect(await whyNoDisplay({ DISPLAY: 'unix:/run/x11' })).toBeNull();
});

it.skipIf(process.platform === 'win32')('one of Wayland is found in the session’s folder', async () => {
  const folder = await createTempDir();
  await listen({ path: join(folder, 'wayland-1') });
  const env = { WAYLAND_DISPLAY: 'wayland-1', XDG_RUNTIME_DIR: folder };
  expect(await whyNoDisplay(env)).toBeNull();
  expect(await whyNoDisplay({ ...env, DISPLAY: ':9987' })).toBeNull();
  expect(await whyNoDisplay({ WAYLAND_DISPLAY: join(folder, 'wayland-1') })).toBeNull();
});
