/**
 * Limits the number of connections. At the limit, the connection that has been idle longest is closed, so idle connections never keep
 * anybody out. If none is idle, the new one is refused.
 */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { AppError } from '../errors.ts';

/**
 * Far more than programs on one computer need, and usually fewer than the files a process may have open: those that
 * wait for chats (`events/chat-waits.ts`) and 1,000 more.
 */
export const MAX_CONNECTIONS = 3_000;
/** How long a client may take to read the refusal and close the connection. */
const PARTING_MS = 2_000;

/** A client that reads less of a response in this time is disconnected. */
const STUCK_MS = 30_000;
const STUCK_BYTES = 32 * 1024;

/** The connections of one server. */
export interface Connections {
  /** A request with a key has come: the connection is at work until {@link end}, and closed for no other. */
  begin(socket: Socket): void;
  end(socket: Socket): void;
}

/** Counts a server's connections. `refuse` answers one that there is no room for. */
export function watchConnections(
  server: Server,
  refuse: (socket: Socket, error: AppError) => void,
  most = MAX_CONNECTIONS,
): Connections {
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

  /** Whether each has stopped reading. */
  const readers = new Map<Socket, () => boolean>();
  const looks = setInterval(() => {
    for (const socket of open) {
      const isStuck = readers.get(socket) ?? watchReader(() => socket);
      readers.set(socket, isStuck);
      if (isStuck()) socket.destroy();
    }
  }, STUCK_MS).unref();
  server.once('close', () => clearInterval(looks));

  return {
    begin: (socket) => void idle.delete(socket),
    end: (socket) => {
      if (open.has(socket)) idle.add(socket);
    },
  };
}

/** Whether, since the last call, less than {@link STUCK_BYTES} were read although there was something to read all the time. */
function watchReader(find: () => Socket | null): () => boolean {
  let taken = -1;
  return () => {
    const socket = find();
    const hadMore = taken !== -1;
    const before = taken;
    const now = socket === null ? 0 : socket.bytesWritten - socket.writableLength;
    taken = socket === null || socket.writableLength === 0 ? -1 : now;
    return hadMore && taken !== -1 && now - before < STUCK_BYTES;
  };
}

/** Disconnects a client that reads less than {@link STUCK_BYTES} of a response in so long. */
export function endWhenStuck(response: ServerResponse, stuckMs = STUCK_MS): void {
  const isStuck = watchReader(() => response.socket);
  const timer = setInterval(() => {
    if (isStuck()) response.destroy();
  }, stuckMs).unref();
  response.once('close', () => clearInterval(timer));
}

const TOO_MANY = `There are ${MAX_CONNECTIONS} connections with requests under way, which is as many as there can be; close some, and try again.`;

/** Closes a connection after its last answer, even if the client never hangs up. */
export function part(socket: Duplex): void {
  setTimeout(() => socket.destroy(), PARTING_MS).unref();
}
