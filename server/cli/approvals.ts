/** Approvals: lists waiting tool calls, and `parley answer` says yes or no to them. */
import type { ApprovalBody } from '../../shared/api/approval.ts';
import type { MessageList } from '../../shared/api/message-requests.ts';
import type { Message, StepApproval } from '../../shared/api/message.ts';
import { askingTitle } from '../../shared/tool-title.ts';
import { type Client, connect, type ServiceOptions } from './client.ts';
import { CommandError } from './exit-codes.ts';
import { chatPath, findChat } from './find-chat.ts';
import { note, withoutControls } from './terminal.ts';

/** A tool call that waits for a yes or a no. */
export interface Question {
  id: string;
  /** In a sentence or two. */
  words: string;
  canRemember: boolean;
}

const MOST_INPUT = 300;

/** The calls of a reply that wait for an answer. */
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

/** `always`: yes, and for later calls of the tool as well. */
export type Answer = 'yes' | 'no' | 'always';

/** Options of the command. */
export interface AnswerOptions extends ServiceOptions {
  /** Which call; absent: the only one. */
  id?: string;
}

/** Answers a waiting call in a chat. */
export async function answer(name: string, given: Answer, options: AnswerOptions): Promise<void> {
  const client = await connect(options);
  const chat = await findChat(client, name);
  const { messages } = await client.get<MessageList>(chatPath(chat.id, '/messages'));
  const questions = messages.flatMap(questionsOf);
  const found = questions.filter(({ id }) => options.id === undefined || id === options.id);
  const [question, another] = found;
  if (question === undefined) throw new CommandError('Nothing is waiting for an answer in that chat.');
  if (another !== undefined) {
    const list = found.map(({ id, words }) => `\n  --id ${id}  ${words}`).join('');
    throw new CommandError(`Several tools are waiting for an answer; choose one with --id:${list}`);
  }
  if (given === 'always' && !question.canRemember)
    throw new CommandError('This can only be allowed once: answer yes or no.');
  await decide(client, chat.id, question.id, {
    decision: given === 'no' ? 'deny' : 'approve',
    ...(given === 'always' && { remember: true }),
  });
  note(`${given === 'no' ? 'Not allowed' : 'Allowed'}: ${question.words}`);
}
