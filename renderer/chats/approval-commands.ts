import { openQuestions, type Question } from './approval-words.ts';
import { reach } from './reach.ts';
import { words } from '../lib/words/index.ts';
import type { Answer, Approvals } from './approvals.svelte.ts';
import type { Command } from '../ui/commands.svelte.ts';
import type { Conversation } from './conversation.svelte.ts';

/** The id of the card on which a question stands. */
export const cardId = (approvalId: string): string => `approval-${approvalId}`;

/** Puts the focus on the first thing that the open conversation asks; nothing happens when it asks nothing. */
export async function showQuestion({ chatId, messages }: Conversation): Promise<void> {
  const [first] = openQuestions(messages);
  const reply = messages.findLast(({ role }) => role === 'assistant');
  if (first !== undefined && reply !== undefined) await reach(cardId(first.approval.id), chatId, reply.id);
}

/** Answers to the tool that asks in the open conversation, without going there. Where several ask, one has to look. */
export function approvalCommands(conversation: () => Conversation, approvals: Approvals): Command[] {
  const { commands } = words.approval;
  const single = (): Question | null => {
    const [first, second] = openQuestions(conversation().messages);
    const isOpen = first !== undefined && second === undefined && conversation().working;
    return isOpen && approvals.stateOf(first).given === null ? first : null;
  };
  const answer = (given: Answer) => ({
    group: 'chat' as const,
    keywords: commands.keywords,
    isAvailable: () => single() !== null,
    run: () => {
      const question = single();
      return question === null ? undefined : approvals.answer(question, given);
    },
  });
  return [
    {
      id: 'approval.show',
      icon: 'help',
      label: commands.show,
      group: 'go',
      keywords: commands.keywords,
      isAvailable: () => openQuestions(conversation().messages).length > 0,
      run: () => showQuestion(conversation()),
    },
    { id: 'approval.allow', icon: 'check', label: commands.allow, ...answer('once') },
    { id: 'approval.deny', icon: 'cross', label: commands.deny, ...answer('deny') },
  ];
}
