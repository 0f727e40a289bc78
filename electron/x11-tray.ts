/**
 * Whether an X11 panel shows icons in the older way (XEmbed), which Electron uses where nobody watches over the newer ones. No program that
 * every desktop has can find that out, so this asks the X server itself who owns the selection that such a panel takes.
 */
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { connectFirst } from '../server/lib/connect-first.ts';
import { readDisplay, type Environment } from './display.ts';

const COOKIE = 'MIT-MAGIC-COOKIE-1';
const INTERN_ATOM = 16;
const GET_SELECTION_OWNER = 23;
const REPLY_BYTES = 32;
const SETUP_HEAD_BYTES = 8;

/** Whether a panel shows them; `false` also if that can't be found out. */
export async function hasX11Tray(env: Environment): Promise<boolean> {
  const display = readDisplay(env['DISPLAY'] ?? '');
  const socket = display && (await connectFirst(display.addresses));
  if (!display || !socket) return false;
  try {
    const cookie = await cookieFor(display.number, env);
    return await isTaken(socket, cookie, `_NET_SYSTEM_TRAY_S${display.screen}`);
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function isTaken(socket: Socket, cookie: Buffer, selection: string): Promise<boolean> {
  const read = createReader(socket);
  const name = cookie.length === 0 ? '' : COOKIE;
  // Little-endian, version 11.0.
  socket.write(
    Buffer.concat([
      Buffer.from([0x6c, 0, 11, 0, 0, 0, name.length, 0, cookie.length, 0, 0, 0]),
      padded(Buffer.from(name)),
      padded(cookie),
    ]),
  );
  const head = await read(SETUP_HEAD_BYTES);
  await read(head.readUInt16LE(6) * 4);
  if (head[0] !== 1) return false;
  // Don't create the name: if nobody has used it, there is no such panel.
  socket.write(request(INTERN_ATOM, 1, Buffer.from([selection.length, 0, 0, 0]), Buffer.from(selection)));
  const atom = (await read(REPLY_BYTES)).subarray(8, 12);
  if (atom.readUInt32LE() === 0) return false;
  socket.write(request(GET_SELECTION_OWNER, 0, atom));
  return (await read(REPLY_BYTES)).readUInt32LE(8) !== 0;
}

const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]);

function request(code: number, detail: number, ...parts: Buffer[]): Buffer {
  const body = padded(Buffer.concat(parts));
  return Buffer.concat([Buffer.from([code, detail, 1 + body.length / 4, 0]), body]);
}

/** Reads so many bytes, in turn. Rejects when there are no more. */
function createReader(socket: Socket): (bytes: number) => Promise<Buffer> {
  const pieces = socket[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
  let left = Buffer.alloc(0);
  return async (bytes) => {
    while (left.length < bytes) {
      const next = await pieces.next();
      if (next.done === true) throw new Error('The X server ended the connection.');
      left = Buffer.concat([left, next.value]);
    }
    const found = left.subarray(0, bytes);
    left = left.subarray(bytes);
    return found;
  };
}

/** The secret for a display, as in the person's file of them; empty: none is needed. */
async function cookieFor(display: string, env: Environment): Promise<Buffer> {
  const file = env['XAUTHORITY'] ?? join(homedir(), '.Xauthority');
  const bytes = await readFile(file).catch(() => Buffer.alloc(0));
  for (let at = 0; at + 2 < bytes.length;) {
    at += 2;
    const [, number, name, data] = Array.from({ length: 4 }, () => {
      const start = at + 2;
      at = start + bytes.readUInt16BE(at);
      return bytes.subarray(start, at);
    });
    const isFor = number?.length === 0 || number?.toString() === display;
    if (isFor && name?.toString() === COOKIE && data !== undefined) return data;
  }
  return Buffer.alloc(0);
}
