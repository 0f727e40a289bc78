import { createServer, type AddressInfo, type Server } from 'node:net';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { hasX11Tray } from '../../electron/x11-tray.ts';
import { createTempDir } from '../support/service.ts';

const SELECTION = '_NET_SYSTEM_TRAY_S0';
const COOKIE = Buffer.from('0123456789abcdef');
const FIRST_PORT = 6_000;

const servers: Server[] = [];
afterEach(() => void servers.splice(0).map((server) => server.close()));

/** An X server in a few words; `owner`: of the selection. Resolves with its display. `cut`: how its answers are cut up. */
async function startServer(owner: number, cookie = Buffer.alloc(0), cut = 1_000): Promise<string> {
  const server = createServer((socket) => {
    let got = Buffer.alloc(0);
    let isSetUp = false;
    const say = (bytes: Buffer): void => {
      for (let at = 0; at < bytes.length; at += cut) socket.write(bytes.subarray(at, at + cut));
    };
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      got = Buffer.concat([got, bytes]);
      if (!isSetUp) {
        const [name, data] = [got.readUInt16LE(6), got.readUInt16LE(8)];
        const begin = 12 + name + (-name & 3);
        const isKnown = got.subarray(begin, begin + data).equals(cookie);
        const setup = Buffer.alloc(8 + 16);
        setup[0] = isKnown ? 1 : 0;
        setup.writeUInt16LE(4, 6);
        got = Buffer.alloc(0);
        isSetUp = true;
        say(setup);
        return;
      }
      const reply = Buffer.alloc(32);
      if (got[0] === 16) {
        const isSelection = got.subarray(8, 8 + got.readUInt16LE(4)).toString() === SELECTION;
        reply.writeUInt32LE(isSelection ? 77 : 0, 8);
      } else {
        reply.writeUInt32LE(got.readUInt32LE(4) === 77 ? owner : 0, 8);
      }
      got = Buffer.alloc(0);
      say(reply);
    });
  });
  servers.push(server);
  for (let port = FIRST_PORT + 200; ; port += 1) {
    const isOpen = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (isOpen) return `127.0.0.1:${(server.address() as AddressInfo).port - FIRST_PORT}`;
  }
}

it('a panel that shows icons in the older way is seen, and one that isn’t there is not', async () => {
  expect(await hasX11Tray({ DISPLAY: await startServer(5) })).toBe(true);
  expect(await hasX11Tray({ DISPLAY: `${await startServer(5)}.0` })).toBe(true);
  expect(await hasX11Tray({ DISPLAY: `${await startServer(5)}.1` })).toBe(false);
  expect(await hasX11Tray({ DISPLAY: await startServer(0) })).toBe(false);
  expect(await hasX11Tray({ DISPLAY: await startServer(5, Buffer.alloc(0), 3) })).toBe(true);
});

it('the display’s secret is found in the person’s file', async () => {
  const file = join(await createTempDir(), 'authority');
  const display = await startServer(5, COOKIE);
  const entry = (number: string, data: Buffer): Buffer =>
    Buffer.concat([
      Buffer.from([1, 0]),
      ...['host', number, 'MIT-MAGIC-COOKIE-1', data].flatMap((part) => [
        Buffer.from([0, part.length]),
        Buffer.from(part),
      ]),
    ]);
  await writeFile(
    file,
    Buffer.concat([entry('9999', Buffer.from('of another')), entry(display.split(':')[1] ?? '', COOKIE)]),
  );
  expect(await hasX11Tray({ DISPLAY: display, XAUTHORITY: file })).toBe(true);
  expect(await hasX11Tray({ DISPLAY: display, XAUTHORITY: `${file}.none` })).toBe(false);
});

it.each(['', 'nonsense', ':99999', '127.0.0.1:9'])('there is none at %j', async (DISPLAY) => {
  expect(await hasX11Tray({ DISPLAY })).toBe(false);
});
