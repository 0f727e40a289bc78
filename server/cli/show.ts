/** `parley show`: prints a chat. */
import type { Message } from '../../shared/api/message.ts';
import type { MessageList } from '../../shared/api/message-requests.ts';
import { count } from '../../shared/numbers.ts';
import { waitingCallsOf } from './approvals.ts';
import { statusOf } from './chats.ts';
import { connect, forReader, type ListOptions } from './client.ts';
import { CommandError } from './exit-codes.ts';
import { chatPath, findNamedChat, shortId } from './find-chat.ts';
import { renderMarkdown } from './markdown.ts';
import {
  hint,
  isForPeople,
  localTime,
  proseColumns,
  say,
  sayJson,
  styled,
  withoutControls,
} from './terminal.ts';

/** Prints a chat's messages, or its last reply alone, without a heading. */
export async function show(name: string, options: ListOptions & { reply?: true }): Promise<void> {
  const client = await connect(options);
  const chat = await findNamedChat(client, name);
  const { messages } = await client.get<MessageList>(chatPath(chat.id, '/messages'));
  if (options.reply) {
    const reply = messages.findLast(({ role }) => role === 'assistant');
    if (reply === undefined) throw new CommandError('There is no reply in that chat yet.');
    if (options.json) sayJson({ message: reply });
    else sayText(reply.content);
    return;
  }
  if (options.json) {
    sayJson({ chat, messages });
    return;
  }
  say(styled('bold', forReader(chat.title)));
  say(
    styled(
      'dim',
      `${chat.id} · ${forReader(chat.model)} · ${statusOf(chat)} · ${count(messages.length, 'message')}`,
    ),
  );
  for (const message of messages) {
    say();
    say(headingOf(message));
    if (message.content !== '') sayText(message.content);
    if (message.error !== undefined) say(forReader(message.error.message));
    for (const { words } of waitingCallsOf(message))
      hint(`Waiting for an answer: ${words}\nparley answer ${shortId(chat.id)} yes (or no)`);
  }
}

function headingOf({ role, createdAt, model, status, stopReason }: Message): string {
  const who = role === 'user' ? 'You' : 'Parley';
  const state =
    status === 'streaming' || status === 'pending' ? status : stopReason === 'stopped' ? 'stopped' : null;
  const rest = [isForPeople() ? localTime(createdAt) : createdAt, model, state].filter(
    (part) => part !== null && part !== undefined,
  );
  return `${styled(['bold', role === 'user' ? 'green' : 'blue'], who)} ${styled('dim', `· ${withoutControls(rest.join(' · '))}`)}`;
}

const sayText = (text: string): void => say(renderMarkdown(withoutControls(text), proseColumns()).join('\n'));
