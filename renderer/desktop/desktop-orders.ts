import type { DesktopOrder } from '../../shared/ipc.ts';

/** Orders that a page carries out one after the other; of the others it is notified at once. */
export type PageOrder = Exclude<DesktopOrder, { type: 'state' | 'settings' }>;

/**
 * Carries out an order. `false`: this page can't, the next one will, as when another workspace is opened for it. `isCurrent` returns
 * whether the page still exists after it had to wait.
 */
export type OrderHandler = (order: PageOrder, isCurrent: () => boolean) => Promise<boolean>;

/** Orders of the main process, carried out one after the other. They wait while no page can do so. */
export class DesktopOrders {
  readonly #waiting: PageOrder[] = [];
  #server: OrderHandler | null = null;
  #isBusy = false;

  add(order: PageOrder): void {
    this.#waiting.push(order);
    void this.#work();
  }

  /** Lets a page carry out orders. Returns a function that stops that: for an effect. */
  serve(server: OrderHandler): () => void {
    this.#server = server;
    void this.#work();
    return () => this.#dismiss(server);
  }

  #dismiss(server: OrderHandler): void {
    if (this.#server === server) this.#server = null;
  }

  async #work(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    for (let order = this.#waiting[0]; this.#server !== null && order; order = this.#waiting[0]) {
      const server = this.#server;
      // A failed order must not block the following ones.
      const isDone = await server(order, () => this.#server === server).catch(() => true);
      if (isDone) this.#waiting.shift();
      else this.#dismiss(server);
    }
    this.#isBusy = false;
  }
}
