import { pendingSteps, type PendingStep } from './approval-words.ts';
import { scrollToElement } from './reach.ts';
import { words } from '../lib/words/index.ts';
import type { Answer, Approvals } from './approvals.svelte.ts';
import { commandsIn, type Command } from '../ui/commands.svelte.ts';
import type { IconName } from '../ui/icons.ts';
import type { Conversation } from './conversation.svelte.ts';

const go = commandsIn('go');
const inChat = commandsIn('chat');

/** The id of an approval's card. */
export const cardId = (approvalId: string): string => `approval-${approvalId}`;

/** Focuses the first step of the open conversation that waits for an answer; does nothing when there is none. */
export async function showPendingStep({ chatId, messages }: Conversation): Promise<void> {
  const [first] = pendingSteps(messages);
  const reply = messages.findLast(({ role }) => role === 'assistant');
  if (first !== undefined && reply !== undefined)
    await scrollToElement(cardId(first.approval.id), chatId, reply.id);
}

/** Answers the step that waits in the open conversation, without going there. If several wait, the person has to look. */
export function approvalCommands(conversation: () => Conversation, approvals: Approvals): Command[] {
  const { show, allow, deny, keywords } = words.approval.commands;
  const single = (): PendingStep | null => {
    const [first, second] = pendingSteps(conversation().messages);
    const isOpen = first !== undefined && second === undefined && conversation().working;
    return isOpen && approvals.stateOf(first).given === null ? first : null;
  };
  const answer = (name: string, icon: IconName, label: string, given: Answer): Command => {
    const run = async (): Promise<void> => {
      const step = single();
      if (step !== null) await approvals.answer(step, given);
    };
    return inChat(name, icon, label, run, { keywords, isAvailable: () => single() !== null });
  };
  return [
    go('approval.show', 'help', show, () => showPendingStep(conversation()), {
      keywords,
      isAvailable: () => pendingSteps(conversation().messages).length > 0,
    }),
    answer('approval.allow', 'check', allow, 'once'),
    answer('approval.deny', 'cross', deny, 'deny'),
  ];
}
