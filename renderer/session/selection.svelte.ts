import { SvelteSet } from 'svelte/reactivity';

/** Which chats of the list are selected, to do something with all of them. */
export class Selection {
  /** Lines are being selected. */
  active = $state(false);
  readonly #ids = new SvelteSet<string>();
  /** Where a range begins. */
  #anchor: string | null = null;

  has(chatId: string): boolean {
    return this.#ids.has(chatId);
  }

  /** Begins with a chat, or with none. */
  begin(chatId: string | null = null): void {
    this.end();
    this.active = true;
    if (chatId !== null) this.toggle(chatId);
  }

  /** Takes a chat in, or out again. */
  toggle(chatId: string): void {
    this.active = true;
    if (!this.#ids.delete(chatId)) this.#ids.add(chatId);
    this.#anchor = chatId;
  }

  /** Takes in all from where the last one was chosen, or from `from`, to this one; `order` is that of the list. */
  extend(chatId: string, order: readonly string[], from: string | null = null): void {
    const start = order.indexOf(this.#anchor ?? from ?? chatId);
    const end = order.indexOf(chatId);
    this.addAll(start === -1 ? [chatId] : order.slice(Math.min(start, end), Math.max(start, end) + 1));
    this.#anchor = order[start] ?? chatId;
  }

  /** Takes in all of these. */
  addAll(chatIds: readonly string[]): void {
    this.active = true;
    for (const id of chatIds) this.#ids.add(id);
  }

  /** Selects no more; tells which chat was chosen last. */
  end(): string | null {
    const last = this.#anchor;
    this.active = false;
    this.#ids.clear();
    this.#anchor = null;
    return last;
  }
}
