/** The test's way into this process, over the channel that Node opens for a child process. */
import { runInThisContext } from 'node:vm';
import { endpoint } from './boot.ts';
import { app } from './app.ts';

/** A test's request. */
export interface Evaluate {
  id: number;
  /** A function's source; it gets the `electron` module and the argument. */
  source: string;
  arg: unknown;
}
/** The answer. */
export type FromStandIn =
  | { type: 'endpoint'; endpoint: string }
  | { type: 'value'; id: number; value: unknown }
  | { type: 'error'; id: number; message: string };

/** Serves the test, if there is one. */
export function serveControl(electron: object): void {
  if (process.send === undefined) return;
  const tell = (message: FromStandIn): void => {
    if (process.connected) process.send?.(message);
  };
  process.on('message', (message) => {
    const { id, source, arg } = message as Evaluate;
    const run = async (): Promise<unknown> => {
      // The source comes from the test that started this process.
      const fn = runInThisContext(`(${source})`) as (electron: object, arg: unknown) => unknown;
      return fn(electron, arg);
    };
    run().then(
      (value) => tell({ type: 'value', id, value }),
      (error: unknown) =>
        tell({
          type: 'error',
          id,
          message: error instanceof Error ? (error.stack ?? error.message) : String(error),
        }),
    );
  });
  process.once('disconnect', () => app.exit(0));
  void endpoint.then((address) => tell({ type: 'endpoint', endpoint: address }));
}
