/** Messages that wait for the reply before them: their order, and sending one now. */
import type { Message } from '../../shared/api/message.ts';
import { isUnfinished } from '../../shared/choices.ts';
import { words } from '../lib/words/index.ts';
import type { MessageAttempts, MessagePorts } from './message-attempts.svelte.ts';

export class WaitingMessages {
  /** What screen readers announce about the last move. */
  announcement = $state('');
  readonly #ports: MessagePorts;
  readonly #attempts: MessageAttempts;

  constructor(ports: MessagePorts, attempts: MessageAttempts) {
    this.#ports = ports;
    this.#attempts = attempts;
  }

  /** The ids of the open chat's waiting messages, in the order in which they are answered. */
  get ids(): string[] {
    return this.#ports
      .conversation()
      .messages.filter(({ role, status }) => role === 'user' && status === 'pending')
      .map(({ id }) => id);
  }

  /** How many of them wait for a reply or another message, and not only for a worker, as the first one may. */
  get behind(): number {
    const { messages } = this.#ports.conversation();
    const before = messages.findLast(({ role, status }) => role === 'assistant' || status !== 'pending');
    const isAnswered = before === undefined || (before.role === 'assistant' && !isUnfinished(before.status));
    return isAnswered ? Math.max(0, this.ids.length - 1) : this.ids.length;
  }

  /** Whether a message is one of those. */
  isBehind({ id }: Message): boolean {
    const index = this.ids.indexOf(id);
    return index >= this.ids.length - this.behind;
  }

  /** Moves a message one place up (-1) or down (1), if there is one. */
  async move({ id }: Message, by: -1 | 1): Promise<void> {
    const index = this.ids.indexOf(id) + by;
    const others = this.ids.filter((other) => other !== id);
    if (index < 0 || index > others.length) return;
    await this.#attempts.attempt(id, words.waiting.notMoved, async (conversation, chatId) => {
      const chat = await this.#ports.api.moveMessage(chatId, id, others[index] ?? null);
      await this.#attempts.untilShown(conversation, chat, () => this.ids.indexOf(id) === index);
      this.announcement = words.waiting.moved(String(this.ids.indexOf(id) + 1), String(this.ids.length));
    });
  }

  /** Stops the reply under way and has this message answered next. */
  async sendNow({ id }: Message): Promise<void> {
    await this.#attempts.attempt(id, words.waiting.notSent, async (conversation, chatId) => {
      const chat = await this.#ports.api.sendMessageNow(chatId, id);
      await this.#attempts.untilShown(conversation, chat, () => !this.ids.includes(id));
    });
  }
}
