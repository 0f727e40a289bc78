/** Approvals: lists waiting tool calls, and `parley answer` says yes or no to them. */
import { createInterface } from 'node:readline/promises';
import type { ApprovalBody } from '../../shared/api/approval.ts';
import type { MessageList } from '../../shared/api/message-requests.ts';
import type { Message } from '../../shared/api/message.ts';
import { approvalRequest, requestText, TEXT_MARK } from '../../shared/approval-request.ts';
import { type Client, connect, type ServiceOptions } from './client.ts';
import { CommandError } from './exit-codes.ts';
import { chatPath, findNamedChat } from './find-chat.ts';
import { canAsk, note } from './terminal.ts';
import { wrap } from './text-width.ts';

/** A tool call that waits for a yes or a no. */
export interface WaitingCall {
  id: string;
  /** Who asks, and how many fields the input has. */
  title: string;
  /** All of it, as lines to print. */
  words: string;
  canRemember: boolean;
}

/** The calls of a reply that wait for an answer. */
export const waitingCallsOf = ({ steps = [] }: Message): WaitingCall[] =>
  steps.flatMap(({ tool, input, approval }) => {
    if (approval === undefined) return [];
    const step = { tool, input, approval };
    const { asker, count } = approvalRequest(step);
    const { id, canRemember } = approval;
    return [{ id, title: `${asker} with ${count}`, words: wrapped(requestText(step)), canRemember }];
  });

/** On a terminal, wraps lines so that what continues one can't look like another. */
function wrapped(text: string): string {
  const { isTTY, columns } = process.stderr;
  if (!isTTY) return text;
  const lines = text.replaceAll('\t', '    ').split('\n');
  const most = Math.max(columns - TEXT_MARK.length - 1, 20);
  return lines
    .map((line) => {
      const mark = line.startsWith(TEXT_MARK) ? TEXT_MARK : '';
      return mark + wrap(line.slice(mark.length), most, false).join(`\n${TEXT_MARK}`);
    })
    .join('\n');
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
export type TypedAnswer = 'yes' | 'no' | 'always';

/** Answers a waiting call in a chat; without an `id`, the only one. */
export async function answerApproval(
  name: string,
  given: TypedAnswer,
  options: ServiceOptions & { id?: string },
): Promise<void> {
  const client = await connect(options);
  const chat = await findNamedChat(client, name);
  const { messages } = await client.get<MessageList>(chatPath(chat.id, '/messages'));
  const calls = messages.flatMap(waitingCallsOf);
  const found = calls.filter(({ id }) => options.id === undefined || id === options.id);
  const [call, another] = found;
  if (call === undefined) throw new CommandError('Nothing is waiting for an answer in that chat.');
  if (another !== undefined) {
    const list = found.map(({ id, words }) => `\n  --id ${id}  ${words}`).join('');
    throw new CommandError(`Several tools are waiting for an answer; choose one with --id:${list}`);
  }
  if (given === 'always' && !call.canRemember)
    throw new CommandError('This can only be allowed once: answer yes or no.');
  // Seen before it is allowed: what waits may not be what the person has in mind.
  note(call.words);
  const asks = given !== 'no' && options.id === undefined && canAsk();
  if (asks && (await askToAllow(call)) !== true)
    throw new CommandError('Nothing was answered: it still waits.');
  await decide(client, chat.id, call.id, {
    decision: given === 'no' ? 'deny' : 'approve',
    ...(given === 'always' && { remember: true }),
  });
  note(given === 'no' ? 'Not allowed.' : 'Allowed.');
}

/** Asks whether to allow it; null: nothing was answered, since `over` was aborted or the person pressed Ctrl+C, which aborts it. */
export async function askToAllow(
  { title }: WaitingCall,
  over = new AbortController(),
  onInterrupt?: () => void,
): Promise<boolean | null> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // In raw mode, readline gets Ctrl+C.
  terminal.on('SIGINT', () => {
    over.abort();
    onInterrupt?.();
  });
  try {
    const typed = await terminal.question(`${title}: allow it? [y/N] `, { signal: over.signal });
    return /^y(es)?$/i.test(typed.trim());
  } catch (error) {
    if (!over.signal.aborted) throw error;
    note('');
    return null;
  } finally {
    terminal.close();
  }
}
