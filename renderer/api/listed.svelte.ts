/** Things that the service lists, as far as they are known. Whoever changes one of them says so here. */
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

  /** Asks the service, and again if something changed meanwhile: the answer may not know of it. Rejects as the API does. */
  async refresh(): Promise<void> {
    const changes = this.#changes;
    const items = await this.#list();
    if (changes !== this.#changes) return this.refresh();
    this.items = items;
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
