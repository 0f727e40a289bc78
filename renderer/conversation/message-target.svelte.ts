import { ApiProblem } from '../api/problem.ts';
import { describeProblem } from '../api/problem-words.ts';
import { until } from '../lib/until.ts';
import { words } from '../lib/words/index.ts';
import { chatIn, fragmentOf, routeIn } from '../lib/address.ts';
import type { Conversation } from '../chats/conversation.svelte.ts';
import type { Workbench } from '../session/workbench.svelte.ts';

/** How long a message may take to appear after its version was chosen, in milliseconds. */
const APPEARS_WITHIN_MS = 5_000;

/** The message in the address, until it has been scrolled to. If it is in a hidden version, that is shown first. */
export class MessageTarget {
  /** Its id; null when there is none, or it has been scrolled to. */
  wanted = $state<string | null>(null);
  readonly #workbench: Workbench;
  readonly #conversation: Conversation;
  #sought: string | null = null;
  /** Its id, once it is among the messages. */
  readonly present = $derived.by(() => {
    const id = this.wanted;
    return id !== null && this.#conversation.messages.some((message) => message.id === id) ? id : null;
  });

  constructor(workbench: Workbench, conversation: Conversation) {
    this.#workbench = workbench;
    this.#conversation = conversation;
    this.readAddress();
  }

  readAddress(): void {
    const route = routeIn(location.hash);
    const isHere =
      route.view === 'chat' && route.chatId !== null && route.chatId === this.#conversation.chatId;
    this.wanted = isHere ? (route.messageId ?? null) : null;
    this.#sought = null;
  }

  /** It has been scrolled to. The address then names only the chat, so that it can name the message again. */
  arrived(): void {
    this.wanted = null;
    const { chatId } = this.#conversation;
    if (chatId !== null && chatIn(location.hash) === chatId)
      history.replaceState(history.state, '', fragmentOf(chatId));
  }

  /** The reader wants to be elsewhere. */
  drop(): void {
    if (this.wanted !== null) this.arrived();
  }

  /** The conversation is no longer open: results of requests under way are ignored. */
  close(): void {
    this.wanted = null;
  }

  /** If the message isn't listed, shows its version, if the chat has it. Call in an effect. */
  seek(): void {
    const id = this.wanted;
    if (id === null || this.present !== null || !this.#conversation.loaded || this.#sought === id) return;
    this.#sought = id;
    void this.#show(id);
  }

  async #show(id: string): Promise<void> {
    const { api, connection, toasts } = this.#workbench;
    const { chatId } = this.#conversation;
    if (chatId === null) return;
    const isWanted = (): boolean => this.wanted === id;
    let text = words.log.noMessage;
    try {
      const chat = await connection.untilAnswered(() => api.showMessage(chatId, id), isWanted);
      if (chat !== null) this.#conversation.note(chat);
      await until(() => !isWanted(), APPEARS_WITHIN_MS);
    } catch (problem) {
      const isGone = problem instanceof ApiProblem && problem.status === 404;
      if (!isGone) text = describeProblem(problem);
    }
    if (!isWanted()) return;
    this.arrived();
    toasts.show({ text, kind: 'problem' });
  }
}
