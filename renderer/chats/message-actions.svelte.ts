/**
 * Actions on single messages: edits, retries, deletions, and choosing between versions. They live outside the
 * components, which are removed when their part of the conversation is out of view: what was being written must
 * stay.
 */
import type { Attachment } from '../../shared/api/attachment.ts';
import type { Chat } from '../../shared/api/chat.ts';
import type { Message } from '../../shared/api/message.ts';
import type { RetryBody } from '../../shared/api/message-requests.ts';
import { fileIds, haveSameFiles, type Writing } from './writing.ts';
import { describeProblem } from '../api/problem-words.ts';
import { words } from '../lib/words/index.ts';
import type { Conversation } from './conversation.svelte.ts';
import { Edits, type Edit } from './edits.svelte.ts';
import { isListed, MessageAttempts, type MessagePorts } from './message-attempts.svelte.ts';
import { WaitingMessages } from './waiting-messages.svelte.ts';

/** The id of the box in which a message is edited. */
export const editBoxId = (messageId: string): string => `edit-${messageId}`;

/** Where to put the focus: in an edit, or on a button that switches the version of the question or of the reply. */
export type FocusTarget = 'edit' | `${'question' | 'reply'}-${'earlier' | 'later'}`;

export class MessageActions {
  readonly waiting: WaitingMessages;
  readonly #ports: MessagePorts;
  readonly #edits = new Edits();
  readonly #attempts: MessageAttempts;
  #focus: { messageId: string; on: FocusTarget } | null = null;

  constructor(ports: MessagePorts) {
    this.#ports = ports;
    this.#attempts = new MessageAttempts(ports);
    this.waiting = new WaitingMessages(ports, this.#attempts);
  }

  /** The service is working on the open chat, so an edit or a retry has to stop it first. */
  get stopsFirst(): boolean {
    return this.#ports.conversation().working;
  }

  /** Why messages can't be deleted or versions switched just now, in words; null when they can. */
  get blocked(): string | null {
    if (!this.#ports.connection.online) return words.message.offline;
    return this.stopsFirst ? words.message.busy : null;
  }

  isBusy(messageId: string): boolean {
    return this.#attempts.isBusy(messageId);
  }

  /** Whether a user message has no reply and isn't waiting for one: its reply was deleted. */
  isUnanswered(message: Message): boolean {
    const conversation = this.#ports.conversation();
    if (message.role !== 'user' || conversation.working) return false;
    return !conversation.messages.some(({ replyTo }) => replyTo === message.id);
  }

  /** The open edit of that message, perhaps from before a reload; undefined: there is none. */
  editOf(message: Message): Edit | undefined {
    return this.#edits.find(message.id);
  }

  startEdit(message: Message): void {
    this.#focus = { messageId: message.id, on: 'edit' };
    this.#edits.begin(message);
  }

  changeEdit(messageId: string, change: Partial<Writing>): void {
    const edit = this.#edits.find(messageId);
    if (edit?.state === 'writing') this.#edits.write(messageId, { ...edit, ...change });
  }

  addFile(messageId: string, file: Attachment): void {
    const files = this.#edits.find(messageId)?.files ?? [];
    this.changeEdit(messageId, { files: [...files, file] });
  }

  /** Closes an edit, with an Undo for its text. */
  cancelEdit(message: Message): void {
    const edit = this.#edits.find(message.id);
    if (!edit) return;
    this.#edits.close(message.id);
    if (isUnchanged(edit, message)) return;
    this.#ports.toasts.show({
      text: words.message.editDiscarded,
      action: {
        label: words.ui.undo,
        run: () => {
          this.#focus = { messageId: message.id, on: 'edit' };
          this.#edits.write(message.id, edit);
        },
      },
    });
  }

  /** The box of an edit was removed: if its message has left the conversation, says so and offers the text for a new message. */
  noteRemoved(message: Message, conversation: Conversation): void {
    const edit = this.#edits.find(message.id);
    const { toasts, toDraft, conversation: shown } = this.#ports;
    if (edit?.state !== 'writing' || isUnchanged(edit, message)) return;
    if (shown() !== conversation || isListed(conversation, message.id)) return;
    const run = (): void => {
      if (!this.#edits.holds(message.id, edit)) return;
      this.#edits.close(message.id);
      toDraft(conversation.draftKey, edit);
    };
    toasts.show({
      text: words.message.editedGone,
      action: { label: words.message.editToDraft, run },
      kind: 'problem',
      about: message.id,
    });
  }

  /**
   * Sends an edit, now or once the service can be reached again. A waiting message is changed in place; for any other, a reply
   * under way is stopped first.
   */
  async sendEdit(message: Message): Promise<void> {
    const edit = this.#edits.find(message.id);
    const conversation = this.#ports.conversation();
    const { chatId } = conversation;
    if (edit?.state !== 'writing' || chatId === null) return;
    const note = (state: Edit['state'], problem: string | null = null): void =>
      this.#edits.note(message.id, edit, { state, problem });
    note('sending');
    try {
      const { text: content, files } = edit;
      const body = haveSameFiles(files, message.attachments ?? [])
        ? { content }
        : { content, attachments: fileIds(files) };
      const { api, connection } = this.#ports;
      const onWay = (online: boolean): boolean => {
        note(online ? 'sending' : 'waiting');
        return this.#edits.holds(message.id, edit);
      };
      const isWaiting = message.status === 'pending';
      const chat = isWaiting
        ? await connection.untilAnswered(() => api.changeMessage(chatId, message.id, body, edit.key), onWay)
        : await this.#stopAndSend(
            conversation,
            () => api.editMessage(chatId, message.id, body, edit.key),
            onWay,
          );
      if (chat === null) return;
      note('sent');
      const isShown = (): boolean =>
        conversation.messages.some(({ id, content: shown }) => id === message.id && shown === content);
      if (isWaiting) await this.#attempts.untilShown(conversation, chat, isShown);
      else await this.#untilSent(conversation, chat, () => !isListed(conversation, message.id));
      this.#edits.close(message.id);
    } catch (problem) {
      note('writing', describeProblem(problem));
    } finally {
      this.#ports.onDone();
    }
  }

  /** Generates a reply, or the reply to a user message, again; model and mode stay unless given. A reply under way is stopped first. */
  async retry(message: Message, change: Pick<RetryBody, 'model' | 'mode'> = {}): Promise<void> {
    await this.#attempts.attempt(message.id, words.message.notRetried, async (conversation, chatId) => {
      const key = crypto.randomUUID();
      const body = { messageId: message.id, ...change };
      const send = (): Promise<Chat> => this.#ports.api.retryReply(chatId, body, key);
      const chat = await this.#stopAndSend(conversation, send);
      if (chat === null) return;
      await this.#untilSent(conversation, chat, () => !isListed(conversation, message.id));
    });
  }

  async continue(reply: Message): Promise<void> {
    await this.#attempts.attempt(reply.id, words.message.notContinued, async (conversation, chatId) => {
      const { api, connection } = this.#ports;
      const key = crypto.randomUUID();
      const chat = await connection.untilAnswered(() => api.continueReply(chatId, reply.id, key));
      if (chat === null) return;
      await this.#untilSent(conversation, chat, () => conversation.messages.at(-1)?.id !== reply.id);
    });
  }

  /** Creates a chat from the messages up to this one, and opens it unless another was opened meanwhile. */
  async branch(message: Message): Promise<void> {
    await this.#attempts.attempt(message.id, words.message.notBranched, async (conversation, chatId) => {
      const { api, connection, toasts } = this.#ports;
      const key = crypto.randomUUID();
      const isWanted = (): boolean => this.#ports.conversation() === conversation;
      const chat = await connection.untilAnswered(() => api.branchChat(chatId, message.id, key), isWanted);
      if (chat === null || !isWanted()) return;
      this.#ports.onBranch(chat);
      toasts.show({ text: words.message.branched });
    });
  }

  /** Deletes a message, with an Undo; one that waits only if its reply hasn't begun. */
  async delete({ id, role, status }: Message): Promise<void> {
    const waits = status === 'pending';
    const notice = role === 'user' ? words.message.deleted : words.message.replyDeleted;
    const failed = waits ? words.waiting.notRemoved : words.message.notDeleted;
    await this.#attempts.attempt(id, failed, async (conversation, chatId) => {
      const chat = await this.#ports.api.deleteMessage(chatId, id, waits);
      await this.#attempts.untilShown(conversation, chat, () => !isListed(conversation, id));
      this.#ports.toasts.show({
        text: waits ? words.waiting.removed : notice,
        action: { label: words.ui.undo, run: () => this.#attempts.restore(conversation, chatId, id) },
      });
    });
  }

  /** Switches to another version of a message; the focus goes to the same button there. */
  async show(from: Message, messageId: string, on: FocusTarget): Promise<void> {
    await this.#attempts.attempt(from.id, words.message.notShown, async (conversation, chatId) => {
      this.#focus = { messageId, on };
      const chat = await this.#ports.api.showMessage(chatId, messageId);
      await this.#attempts.untilShown(conversation, chat, () => isListed(conversation, messageId));
    });
  }

  /** What to focus in a message that has just come into view; returned only once. */
  takeFocus(messageId: string, among: readonly FocusTarget[]): FocusTarget | null {
    const focus = this.#focus;
    if (focus?.messageId !== messageId || !among.includes(focus.on)) return null;
    this.#focus = null;
    return focus.on;
  }

  /**
   * Stops the chat once, then repeats the request until it is answered: only repeating that is harmless. `onWay` gets
   * whether the service can be reached, and returns whether the answer is still wanted; resolves with null when it isn't.
   */
  async #stopAndSend(
    conversation: Conversation,
    send: () => Promise<Chat>,
    onWay?: (online: boolean) => boolean,
  ): Promise<Chat | null> {
    const { connection } = this.#ports;
    const stop = async (): Promise<true> => {
      if (conversation.working) await conversation.stop();
      return true;
    };
    const isStopped = await connection.untilAnswered(stop, onWay);
    return isStopped && connection.untilAnswered(send, onWay);
  }

  /** Resolves when what was sent is shown. */
  async #untilSent(conversation: Conversation, chat: Chat, isShown: () => boolean): Promise<void> {
    await this.#attempts.untilShown(conversation, chat, isShown);
    conversation.onSent();
  }
}

const isUnchanged = ({ text, files }: Edit, { content, attachments = [] }: Message): boolean =>
  text === content && haveSameFiles(files, attachments);
