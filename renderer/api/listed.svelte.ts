/** A list from the service. Every change to an item must be reported here. */
export class Listed<T extends { id: string }> {
  #items = $state.raw<readonly T[]>([]);
  #changes = 0;
  /** `false` until the first answer. */
  loaded = $state(false);
  readonly #list: () => Promise<readonly T[]>;

  constructor(list: () => Promise<readonly T[]>) {
    this.#list = list;
  }

  /** In the service's order. */
  get items(): readonly T[] {
    return this.#items;
  }

  set items(items: readonly T[]) {
    this.#changes += 1;
    this.#items = items;
  }

  /** Loads the list, and again if something changed meanwhile: the answer may be older. Rejects as the API does. */
  async refresh(): Promise<void> {
    const changes = this.#changes;
    const items = await this.#list();
    if (changes !== this.#changes) return this.refresh();
    this.items = items;
    this.loaded = true;
  }

  /** Like {@link refresh}, for lists that show the previous state meanwhile. Never rejects. */
  async load(): Promise<void> {
    await this.refresh().catch(() => undefined);
  }

  /** Updates an item in place if it is listed already, perhaps by another request; else appends it. */
  put(item: T): T {
    const isThere = this.items.some(({ id }) => id === item.id);
    this.items = isThere
      ? this.items.map((other) => (other.id === item.id ? item : other))
      : [...this.items, item];
    return item;
  }

  drop(id: string): void {
    this.items = this.items.filter((item) => item.id !== id);
  }
}
