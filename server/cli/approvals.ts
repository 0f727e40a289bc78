/** Tools that ask a person first: what waits, and the answers to it. */
import type { ApprovalBody } from '../../shared/api/approval.ts';
import type { Message, StepApproval } from '../../shared/api/message.ts';
import { askingTitle } from '../../shared/tool-title.ts';
import type { Client } from './client.ts';
import { chatPath } from './find-chat.ts';
import { withoutControls } from './terminal.ts';

/** A tool call that waits for a yes or a no. */
export interface Question {
  id: string;
  /** In a sentence or two. */
  words: string;
  canRemember: boolean;
}

const MOST_INPUT = 300;

/** What waits for an answer in a reply. */
export const questionsOf = ({ steps = [] }: Message): Question[] =>
  steps.flatMap(({ tool, input, approval }) =>
    approval === undefined
      ? []
      : [{ id: approval.id, words: wordsOf(tool, input, approval), canRemember: approval.canRemember }],
  );

function wordsOf(tool: string, input: unknown, { summary, call, diff }: StepApproval): string {
  const title = askingTitle(call?.tool ?? tool);
  const given = JSON.stringify(call?.input ?? input);
  const shown = given.length > MOST_INPUT ? `${given.slice(0, MOST_INPUT)}…` : given;
  const wish = [title, summary ?? shown].filter((part) => part !== null).join(': ');
  return withoutControls(diff === undefined ? wish : `${wish}\n${diff}`);
}

/** Answers one. */
export async function decide(
  client: Client,
  chatId: string,
  approvalId: string,
  answer: ApprovalBody,
): Promise<void> {
  await client.post(chatPath(chatId, `/approvals/${encodeURIComponent(approvalId)}`), { json: answer });
}
