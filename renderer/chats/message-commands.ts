import type { Message, MessageRole } from '../../shared/api/message.ts';
import { isUnfinished } from '../../shared/choices.ts';
import { copyText } from '../lib/copy-text.ts';
import { scrollToElement } from './reach.ts';
import { words } from '../lib/words/index.ts';
import { commandsIn, type Command } from '../ui/commands.svelte.ts';
import type { IconName } from '../ui/icons.ts';
import type { Conversation } from './conversation.svelte.ts';
import { editBoxId, type MessageActions } from './message-actions.svelte.ts';
import type { Toasts } from '../ui/toasts.svelte.ts';

const inChat = commandsIn('chat');

/** Commands for the last messages of the open conversation. */
export function messageCommands(
  conversation: () => Conversation,
  actions: MessageActions,
  toasts: Toasts,
): Command[] {
  const last = (role: MessageRole): Message | undefined =>
    conversation().messages.findLast((message) => message.role === role);
  const lastReply = (): Message | undefined => {
    const reply = last('assistant');
    return reply === undefined || isUnfinished(reply.status) ? undefined : reply;
  };
  const copy = async ({ content }: Message): Promise<void> => {
    if (await copyText(content)) toasts.show({ text: words.ui.copied });
    else toasts.show({ text: words.ui.copyingForbidden, kind: 'problem' });
  };

  const edit = async (message: Message): Promise<void> => {
    actions.startEdit(message);
    await scrollToElement(editBoxId(message.id), conversation().chatId, message.id);
  };
  const command = (
    name: string,
    icon: IconName,
    label: string,
    find: () => Message | undefined,
    act: (message: Message) => Promise<void>,
    more: Pick<Command, 'keywords'> = {},
  ): Command => {
    const run = async (): Promise<void> => {
      const message = find();
      if (message) await act(message);
    };
    return inChat(`message.${name}`, icon, label, run, { ...more, isAvailable: () => find() !== undefined });
  };
  const text = words.message;
  return [
    command('editLast', 'pencil', text.editLast, () => last('user'), edit),
    command('retryLast', 'retry', text.retryLast, lastReply, (reply) => actions.retry(reply)),
    command('branchLast', 'branch', text.branch, lastReply, (reply) => actions.branch(reply), {
      keywords: text.branchKeywords,
    }),
    command('copyLast', 'copy', text.copyLast, lastReply, copy),
  ];
}
