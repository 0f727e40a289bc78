import type { DesktopOrder } from '../../shared/ipc.ts';

/** What a page has to do; news of the desktop's state is nothing that a page is needed for. */
export type PageOrder = Exclude<DesktopOrder, { type: 'state' }>;

/**
 * Does an order. `false`: this page can't, the next one will, as when another workspace is opened for it. `isCurrent` tells
 * whether the page is still there after it had to wait for something.
 */
export type Server = (order: PageOrder, isCurrent: () => boolean) => Promise<boolean>;

/** Orders of the main process, done one after the other. They wait while there is no page that could do them. */
export class DesktopOrders {
  readonly #waiting: PageOrder[] = [];
  #server: Server | null = null;
  #isBusy = false;

  add(order: PageOrder): void {
    this.#waiting.push(order);
    void this.#work();
  }

  /** Has orders done by a page until what this returns is called: meant for an effect. */
  serve(server: Server): () => void {
    this.#server = server;
    void this.#work();
    return () => this.#dismiss(server);
  }

  #dismiss(server: Server): void {
    if (this.#server === server) this.#server = null;
  }

  async #work(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    for (let order = this.#waiting[0]; this.#server !== null && order; order = this.#waiting[0]) {
      const server = this.#server;
      // One that fails must not stand in the way of those that come after it.
      const isDone = await server(order, () => this.#server === server).catch(() => true);
      if (isDone) this.#waiting.shift();
      else this.#dismiss(server);
    }
    this.#isBusy = false;
  }
}
