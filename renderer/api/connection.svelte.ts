import { ConnectionProblem } from './problem.ts';

/** Whether the service answers. Every request reports its outcome here; nothing is asked just to find out. */
export class Connection {
  /** `false` from the first request without an answer until the next one with. */
  online = $state(true);
  #waiting: (() => void)[] = [];

  /** The service has answered something. */
  reached(): void {
    this.online = true;
    for (const resume of this.#waiting.splice(0)) resume();
  }

  /** It has not answered. */
  lost(): void {
    this.online = false;
  }

  /** Resolves when the service answers again; at once while it does. */
  whenOnline(): Promise<void> {
    if (this.online) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /**
   * Asks until there is an answer, waiting for the connection in between; for requests that are safe to repeat. `onWay` hears
   * whether the service can be reached, and returns whether the answer is still wanted; null when it isn't. Rejects with what
   * the service refuses.
   */
  async untilAnswered<T>(
    ask: () => Promise<T>,
    onWay: (online: boolean) => boolean = () => true,
  ): Promise<T | null> {
    for (;;) {
      try {
        return await ask();
      } catch (problem) {
        if (!(problem instanceof ConnectionProblem)) throw problem;
        onWay(false);
        await this.whenOnline();
        if (!onWay(true)) return null;
      }
    }
  }
}
