/** A claim by listening under a name that only one process can have, and asking who does. */
import { connect, createServer, type Server } from 'node:net';
import type { Held } from './owner.ts';
import { MAX_OWNER_TEXT, parseOwner, type Owner } from './owner-words.ts';

const ANSWER_TIMEOUT_MS = 1_000;

/** A server that tells who this process is. It keeps nothing alive. */
export function createTeller(): { server: Server; self: Owner; stop: () => Promise<void> } {
  const self: Owner = { pid: process.pid, baseUrl: null };
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.end(JSON.stringify(self), () => socket.destroy());
  });
  return {
    server,
    self,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
}

/** Null: another process has the name. `isInPlace`: whether the folder still goes by that name. */
export async function claimSocket(
  address: string,
  isInPlace: Held['isInPlace'],
): Promise<{ held: Held } | null> {
  const { server, self, stop } = createTeller();
  const code = await listen(server, address);
  if (code === 'EADDRINUSE') return null;
  if (code !== null) throw Object.assign(new Error(`The data folder can't be claimed (${code}).`), { code });
  return {
    held: {
      announce(baseUrl) {
        self.baseUrl = baseUrl;
      },
      release: stop,
      isInPlace,
    },
  };
}

/** Null when it listens, else why not. Who may look into the folder that a socket lies in may ask. */
export async function listen(server: Server, path: string): Promise<string | null> {
  const done = Promise.withResolvers<string | null>();
  server.once('error', ({ code }: NodeJS.ErrnoException) => done.resolve(code ?? 'unknown'));
  const isFile = process.platform === 'linux' && !path.startsWith('\0');
  server.listen({ path, readableAll: isFile, writableAll: isFile }, () => done.resolve(null));
  const code = await done.promise;
  server.on('error', () => undefined);
  server.unref();
  return code;
}

/** Null: nobody listens there any more. Who doesn't answer in time, or not in our words, has no pid and no address. */
export async function askOwner(address: string): Promise<Owner | null> {
  const answered = Promise.withResolvers<Owner | null>();
  const socket = connect(address);
  const timer = setTimeout(() => answered.resolve(parseOwner('')), ANSWER_TIMEOUT_MS);
  let text = '';
  socket.setEncoding('utf8');
  socket.on('data', (piece: string) => {
    text += piece;
    if (text.length > MAX_OWNER_TEXT) answered.resolve(parseOwner(''));
  });
  socket.on('end', () => answered.resolve(parseOwner(text)));
  socket.on('error', ({ code }: NodeJS.ErrnoException) => {
    answered.resolve(code === 'ECONNREFUSED' || code === 'ENOENT' ? null : parseOwner(''));
  });
  const owner = await answered.promise;
  clearTimeout(timer);
  socket.destroy();
  return owner;
}
