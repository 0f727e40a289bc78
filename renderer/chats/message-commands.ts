import type { Message, MessageRole } from '../../shared/api/message.ts';
import { isUnfinished } from '../../shared/choices.ts';
import { copyText } from '../lib/copy-text.ts';
import { reach } from './reach.ts';
import { words } from '../lib/words/index.ts';
import type { Command } from '../ui/commands.svelte.ts';
import type { Conversation } from './conversation.svelte.ts';
import { editBoxId, type MessageActions } from './message-actions.svelte.ts';
import type { Toasts } from '../ui/toasts.svelte.ts';

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
  const on = (find: () => Message | undefined, run: (message: Message) => void | Promise<void>) => ({
    isAvailable: () => find() !== undefined,
    run: () => {
      const message = find();
      return message && run(message);
    },
  });
  const copy = async ({ content }: Message): Promise<void> => {
    if (await copyText(content)) toasts.show({ text: words.ui.copied });
    else toasts.show({ text: words.ui.copyingForbidden, kind: 'problem' });
  };

  return [
    {
      id: 'message.editLast',
      icon: 'pencil',
      label: words.message.editLast,
      group: 'chat',
      ...on(
        () => last('user'),
        async (message) => {
          actions.startEdit(message);
          await reach(editBoxId(message.id), conversation().chatId, message.id);
        },
      ),
    },
    {
      id: 'message.retryLast',
      icon: 'retry',
      label: words.message.retryLast,
      group: 'chat',
      ...on(lastReply, (reply) => actions.retry(reply)),
    },
    {
      id: 'message.branchLast',
      icon: 'branch',
      label: words.message.branch,
      group: 'chat',
      keywords: words.message.branchKeywords,
      ...on(lastReply, (reply) => actions.branch(reply)),
    },
    {
      id: 'message.copyLast',
      icon: 'copy',
      label: words.message.copyLast,
      group: 'chat',
      ...on(lastReply, copy),
    },
  ];
}
