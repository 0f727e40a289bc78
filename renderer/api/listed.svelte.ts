/** Things that the service lists, as far as they are known. What changes one of them says so here. */
export class Listed<T extends { id: string }> {
  /** In the service's order. */
  items = $state.raw<readonly T[]>([]);
  /** `false` until the first answer. */
  loaded = $state(false);
  readonly #list: () => Promise<readonly T[]>;

  constructor(list: () => Promise<readonly T[]>) {
    this.#list = list;
  }

  /** Rejects as the API does. */
  async refresh(): Promise<void> {
    this.items = await this.#list();
    this.loaded = true;
  }

  /** Takes a fresh state of one: in its own place where it stands there already, as after somebody else asked, else last. */
  put(item: T): T {
    const isThere = this.items.some(({ id }) => id === item.id);
    this.items = isThere
      ? this.items.map((other) => (other.id === item.id ? item : other))
      : [...this.items, item];
    return item;
  }

  /** One of them is no more. */
  drop(id: string): void {
    this.items = this.items.filter((item) => item.id !== id);
  }
}
