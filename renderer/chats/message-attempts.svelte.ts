/** Actions on single messages: one at a time for each, done once the conversation shows it; failures are reported in a toast. */
import { SvelteSet } from 'svelte/reactivity';
import type { Chat } from '../../shared/api/chat.ts';
import type { messageApi } from '../api/chats.ts';
import type { ServiceConnection } from '../api/connection.svelte.ts';
import { ConnectionProblem } from '../api/problem.ts';
import { describeProblem } from '../api/problem-words.ts';
import { until } from '../lib/until.ts';
import { words } from '../lib/words/index.ts';
import type { Toasts } from '../ui/toasts.svelte.ts';
import type { Conversation } from './conversation.svelte.ts';
import type { Writing } from './writing.ts';

/** What acting on messages needs of its surroundings. */
export interface MessagePorts {
  api: Omit<ReturnType<typeof messageApi>, 'sendMessage' | 'answerApproval'>;
  connection: ServiceConnection;
  toasts: Toasts;
  conversation: () => Conversation;
  /** Opens a new chat. */
  onBranch: (chat: Chat) => void;
  /** Puts what was written before the draft of a chat. */
  toDraft: (chatKey: string, writing: Writing) => void;
  /** Called after each action: the focused element may be gone. */
  onDone: () => void;
}

/** How long the conversation may take to show what the service has answered, in milliseconds. */
const SHOWN_WITHIN_MS = 5_000;

export class MessageAttempts {
  readonly #ports: MessagePorts;
  readonly #busy = new SvelteSet<string>();

  constructor(ports: MessagePorts) {
    this.#ports = ports;
  }

  isBusy(messageId: string): boolean {
    return this.#busy.has(messageId);
  }

  /** Runs an action on a message of the open chat, unless one is under way; `failed` is the sentence for a failure. */
  async attempt(
    messageId: string,
    failed: (reason: string) => string,
    work: (conversation: Conversation, chatId: string) => Promise<void>,
  ): Promise<void> {
    const conversation = this.#ports.conversation();
    if (this.#busy.has(messageId) || conversation.chatId === null) return;
    this.#busy.add(messageId);
    try {
      await work(conversation, conversation.chatId);
    } catch (problem) {
      this.complain(failed, problem);
    } finally {
      this.#busy.delete(messageId);
      this.#ports.onDone();
    }
  }

  /** Resolves when the conversation shows the service's answer, so that nothing flickers meanwhile. */
  async untilShown(conversation: Conversation, chat: Chat, isShown: () => boolean): Promise<void> {
    conversation.note(chat);
    const isLeft = (): boolean => this.#ports.conversation() !== conversation;
    await until(() => isShown() || isLeft(), SHOWN_WITHIN_MS);
  }

  /** Restores a deleted message, even when another chat is open by now. Never rejects. */
  async restore(conversation: Conversation, chatId: string, messageId: string): Promise<void> {
    try {
      const chat = await this.#ports.api.restoreMessage(chatId, messageId);
      await this.untilShown(conversation, chat, () => isListed(conversation, messageId));
    } catch (problem) {
      this.complain(words.message.notRestored, problem);
    }
  }

  complain(failed: (reason: string) => string, problem: unknown): void {
    const reason = problem instanceof ConnectionProblem ? words.message.offline : describeProblem(problem);
    this.#ports.toasts.show({ text: failed(reason), kind: 'problem' });
  }
}

/** Whether the conversation shows that message. */
export const isListed = (conversation: Conversation, messageId: string): boolean =>
  conversation.messages.some(({ id }) => id === messageId);
