import type { Workbench } from '../session/workbench.svelte.ts';

const ADDRESS = '#/quick-ask';

/** What the small window goes on with when it is shown again. */
export class QuickAsk {
  readonly #workbench: Workbench;
  /** The last message as it was when the window went out of sight. */
  #left: string | null = null;

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
  }

  /**
   * Nothing is being written here, by either side, and the last reply has been seen: the next showing is for a new question.
   */
  get isDone(): boolean {
    const { conversation, outbox, drafts } = this.#workbench;
    if (conversation.missing) return true;
    const isOnItsWay = outbox.items.some((item) => item.conversationKey === conversation.key);
    const isUnseen = this.#left !== null && this.#last !== this.#left;
    return !conversation.working && !isOnItsWay && !drafts.has(conversation.draftKey) && !isUnseen;
  }

  /** The window goes out of sight. */
  noteLeft(): void {
    this.#left = this.#last;
  }

  /** Goes on with a new question; what was asked before stands among the chats. */
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
