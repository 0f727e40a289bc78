import { openQuestions, type Question } from './approval-words.ts';
import { reach } from './reach.ts';
import { words } from '../lib/words/index.ts';
import type { Answer, Approvals } from './approvals.svelte.ts';
import type { Command } from '../ui/commands.svelte.ts';
import type { Conversation } from './conversation.svelte.ts';

/** The id of the card that shows a question. */
export const cardId = (approvalId: string): string => `approval-${approvalId}`;

/** Focuses the first question in the open conversation; does nothing when there is none. */
export async function showQuestion({ chatId, messages }: Conversation): Promise<void> {
  const [first] = openQuestions(messages);
  const reply = messages.findLast(({ role }) => role === 'assistant');
  if (first !== undefined && reply !== undefined) await reach(cardId(first.approval.id), chatId, reply.id);
}

/** Answers the question in the open conversation without going there. If there are several, the person has to look. */
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
