/** Whether the service answers. Every request's outcome is reported here; nothing is asked just to find out. */
export class Connection {
  /** `false` from the first request without an answer until the next one with. */
  online = $state(true);
  #waiting: (() => void)[] = [];

  /** Notes that the service answered, with whatever. */
  reached(): void {
    this.online = true;
    for (const resume of this.#waiting.splice(0)) resume();
  }

  /** Notes that it did not. */
  lost(): void {
    this.online = false;
  }

  /** Resolves when the service answers again; at once while it does. */
  whenOnline(): Promise<void> {
    if (this.online) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
