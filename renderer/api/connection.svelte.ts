import { ConnectionProblem } from './problem.ts';

/** Whether the service answers. Every request reports its outcome here; no request is made just to find out. */
export class ServiceConnection {
  /** `false` from the first request without an answer until the next with one. */
  online = $state(true);
  #waiting: (() => void)[] = [];

  reached(): void {
    this.online = true;
    for (const resume of this.#waiting.splice(0)) resume();
  }

  lost(): void {
    this.online = false;
  }

  /** Resolves when the service answers again; at once if it does now. */
  whenOnline(): Promise<void> {
    if (this.online) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /**
   * Repeats a request until it is answered, waiting for the connection in between; only for requests that are safe to repeat. `onWay`
   * gets whether the service can be reached, and returns whether the answer is still wanted; null when it isn't. Rejects with the
   * service's refusal.
   */
  async untilAnswered<T>(
    send: () => Promise<T>,
    onWay: (online: boolean) => boolean = () => true,
  ): Promise<T | null> {
    for (;;) {
      try {
        return await send();
      } catch (problem) {
        if (!(problem instanceof ConnectionProblem)) throw problem;
        onWay(false);
        await this.whenOnline();
        if (!onWay(true)) return null;
      }
    }
  }
}
