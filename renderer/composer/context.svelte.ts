import type { Chat } from '../../shared/api/chat.ts';
import type { ChatContext } from '../../shared/api/context.ts';
import { isUnsettled } from '../../shared/choices.ts';
import { words } from '../lib/words/index.ts';
import type { Conversation } from '../chats/conversation.svelte.ts';
import type { Workbench } from '../session/workbench.svelte.ts';

/** How full the context of the open chat is, and compacting it. */
export class OpenContext {
  /** While the chat is being compacted at a person's request. */
  compacting = $state(false);
  #known = $state.raw<{ chatId: string; context: ChatContext } | null>(null);
  readonly #workbench: Pick<Workbench, 'api' | 'toasts'>;
  readonly #conversation: () => Conversation;
  #requested = '';

  constructor(workbench: Pick<Workbench, 'api' | 'toasts'>, conversation: () => Conversation) {
    this.#workbench = workbench;
    this.#conversation = conversation;
  }

  /** Null: unknown for the open chat. */
  get context(): ChatContext | null {
    const known = this.#known;
    return known !== null && known.chatId === this.#conversation().chatId ? known.context : null;
  }

  /** Whether a reply is under way, so that the chat can't be compacted. */
  get busy(): boolean {
    const { chat } = this.#conversation();
    return chat !== null && isUnsettled(chat.status);
  }

  /** The used share of the limit, 0 to 1; null: unknown. */
  get share(): number | null {
    const { tokens = null, limit = null } = this.context ?? {};
    return tokens === null || limit === null ? null : Math.min(1, tokens / limit);
  }

  /** Reloads when a relevant part of the chat has changed; call it in an effect, which tracks that. */
  follow(): void {
    const { chat, messages } = this.#conversation();
    if (chat === null || (isUnsettled(chat.status) && this.#requested.startsWith(`${chat.id} `))) return;
    const summarised = messages.filter(({ status }) => status === 'compacted').length;
    const state = [chat.id, chat.model, chat.status, chat.updatedAt, messages.length, summarised].join(' ');
    if (state === this.#requested) return;
    this.#requested = state;
    void this.#load(chat, state);
  }

  /** Summarises the older messages; a refusal is shown in a toast. */
  async compact(): Promise<void> {
    const { chatId } = this.#conversation();
    if (chatId === null || this.compacting) return;
    this.compacting = true;
    try {
      this.#known = { chatId, context: await this.#workbench.api.compactChat(chatId) };
      this.#workbench.toasts.show({ text: words.context.compacted });
    } catch (problem) {
      this.#workbench.toasts.complain(problem, words.context.notCompacted);
    } finally {
      this.compacting = false;
    }
  }

  async #load({ id }: Chat, state: string): Promise<void> {
    try {
      const context = await this.#workbench.api.findContext(id);
      if (this.#requested === state) this.#known = { chatId: id, context };
    } catch {
      // It shows nothing then, and is loaded again with the next change.
      if (this.#requested === state) this.#requested = '';
    }
  }
}
