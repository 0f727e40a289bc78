/**
 * Limits the number of connections. At the limit, the connection that has been idle longest is closed, so idle connections never keep
 * anybody out. If none is idle, the new one is refused.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { AppError } from '../errors.ts';

/**
 * Far more than programs on one computer need, and usually fewer than the files a process may have open: those that
 * wait for chats (`events/chat-waits.ts`) and 1,000 more.
 */
export const MAX_CLIENT_CONNECTIONS = 3_000;
/** How long a client may take to read the refusal and close the connection. */
const PARTING_MS = 2_000;

/** A client that reads less of a response in this time is disconnected. */
const STUCK_MS = 30_000;
const STUCK_BYTES = 32 * 1024;

/** Counts a server's connections. `refuse` answers one that there is no room for. */
export function watchConnections(
  server: Server,
  refuse: (socket: Socket, error: AppError) => void,
  most = MAX_CLIENT_CONNECTIONS,
  stuckMs = STUCK_MS,
) {
  const open = new Set<Socket>();
  /** Without a request under way, longest first. */
  const idle = new Set<Socket>();

  server.on('connection', (socket: Socket) => {
    if (open.size >= most) {
      const [longest] = idle;
      if (longest === undefined) {
        socket.on('error', () => socket.destroy());
        refuse(socket, new AppError('too_many_requests', TOO_MANY, { retryAfterSeconds: 1 }));
        return;
      }
      forget(longest);
      longest.destroy();
    }
    open.add(socket);
    idle.add(socket);
    socket.once('close', () => forget(socket));
  });

  function forget(socket: Socket): void {
    open.delete(socket);
    idle.delete(socket);
    readers.delete(socket);
  }

  /** How many bytes the clients with more to read had read at the last check. */
  const readers = new Map<Socket, number>();
  const checks = setInterval(() => {
    for (const socket of open) {
      const read = socket.bytesWritten - socket.writableLength;
      const before = readers.get(socket);
      if (socket.writableLength === 0) readers.delete(socket);
      else if (before !== undefined && read - before < STUCK_BYTES) socket.destroy();
      else readers.set(socket, read);
    }
  }, stuckMs).unref();
  server.once('close', () => clearInterval(checks));

  return {
    /** A request with a key has arrived: until {@link end} the connection is busy, and is closed for no other. */
    begin: (socket: Socket): void => void idle.delete(socket),
    end: (socket: Socket): void => {
      if (open.has(socket)) idle.add(socket);
    },
  };
}

const TOO_MANY = `There are ${MAX_CLIENT_CONNECTIONS} connections with requests under way, which is as many as there can be; close some, and try again.`;

/** Closes a connection after its last answer, even if the client never hangs up. */
export function part(socket: Duplex): void {
  setTimeout(() => socket.destroy(), PARTING_MS).unref();
}
