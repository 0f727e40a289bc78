import { connect, type NetConnectOpts, type Socket } from 'node:net';

const LIMIT_MS = 1_000;

/** A connection to the first address that accepts one, which ends when it is silent for a second; null: none does. */
export async function connectFirst(addresses: readonly NetConnectOpts[]): Promise<Socket | null> {
  for (const address of addresses) {
    const socket = connect(address);
    const isOpen = await new Promise<boolean>((settle) => {
      socket.once('connect', () => settle(true));
      socket.on('error', () => settle(false));
      socket.setTimeout(LIMIT_MS, () => socket.destroy(new Error('It does not answer.')));
    });
    if (isOpen) return socket;
  }
  return null;
}
