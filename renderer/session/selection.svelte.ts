import { SvelteSet } from 'svelte/reactivity';

/** Which chats of the list are selected for a bulk action. */
export class Selection {
  /** The list is in selection mode. */
  active = $state(false);
  readonly #ids = new SvelteSet<string>();
  /** Where a range starts. */
  #anchor: string | null = null;

  has(chatId: string): boolean {
    return this.#ids.has(chatId);
  }

  begin(chatId: string | null = null): void {
    this.end();
    this.active = true;
    if (chatId !== null) this.toggle(chatId);
  }

  toggle(chatId: string): void {
    this.active = true;
    if (!this.#ids.delete(chatId)) this.#ids.add(chatId);
    this.#anchor = chatId;
  }

  /** Selects all from the last one chosen, or from `from`, to this one; `order` is that of the list. */
  extend(chatId: string, order: readonly string[], from: string | null = null): void {
    const start = order.indexOf(this.#anchor ?? from ?? chatId);
    const end = order.indexOf(chatId);
    this.addAll(start === -1 ? [chatId] : order.slice(Math.min(start, end), Math.max(start, end) + 1));
    this.#anchor = order[start] ?? chatId;
  }

  addAll(chatIds: readonly string[]): void {
    this.active = true;
    for (const id of chatIds) this.#ids.add(id);
  }

  /** Ends selecting; returns the chat that was chosen last. */
  end(): string | null {
    const last = this.#anchor;
    this.active = false;
    this.#ids.clear();
    this.#anchor = null;
    return last;
  }
}
