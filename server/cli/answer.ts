/** `parley answer`: says yes or no to a tool that asks first. */
import type { MessageList } from '../../shared/api/message-requests.ts';
import { decide, questionsOf } from './approvals.ts';
import { connect, type ServiceOptions } from './client.ts';
import { CommandError } from './exit-codes.ts';
import { chatPath, findChat } from './find-chat.ts';
import { note } from './terminal.ts';

/** `always`: yes, and for later calls of the tool as well. */
export type Answer = 'yes' | 'no' | 'always';

/** Options of the command. */
export interface AnswerOptions extends ServiceOptions {
  /** Which question; absent: the only one. */
  id?: string;
}

/** Answers what waits in a chat. */
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
