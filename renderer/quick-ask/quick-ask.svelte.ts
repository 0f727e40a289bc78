import type { Workbench } from '../session/workbench.svelte.ts';

const ADDRESS = '#/quick-ask';

/** Decides what the small window shows when it is opened again. */
export class QuickAsk {
  readonly #workbench: Workbench;
  /** The last message when the window was hidden. */
  #left: string | null = null;

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
  }

  /**
   * Nobody is writing here, neither person nor model, and the last reply has been seen: next time it opens for a new question.
   */
  get isDone(): boolean {
    const { conversation, outbox, drafts } = this.#workbench;
    if (conversation.missing) return true;
    const isOnItsWay = outbox.items.some((item) => item.conversationKey === conversation.key);
    const isUnseen = this.#left !== null && this.#last !== this.#left;
    return !conversation.working && !isOnItsWay && !drafts.has(conversation.draftKey) && !isUnseen;
  }

  /** The window is being hidden. */
  noteLeft(): void {
    this.#left = this.#last;
  }

  /** Starts a new question; the previous chat is in the list. */
  startAnew(): void {
    this.#left = null;
    history.replaceState(null, '', ADDRESS);
    this.#workbench.open(null);
  }

  get #last(): string {
    const { id, status } = this.#workbench.conversation.messages.at(-1) ?? {};
    return `${id ?? ''} ${status ?? ''}`;
  }
}
