/** `parley ask`: sends a message and prints the reply as it is written. */
import type { AgentList, ModelList } from '../../shared/api/catalog.ts';
import type { Chat, ChatAnswer } from '../../shared/api/chat.ts';
import type { Message, MessageMode, OnApproval } from '../../shared/api/message.ts';
import { toolTitle } from '../../shared/tool-title.ts';
import { createAsker } from './approval-asker.ts';
import { type Client, connect, type ListOptions } from './client.ts';
import { CommandError, EXIT } from './exit-codes.ts';
import { chatPath, findNamedChat, shortId } from './find-chat.ts';
import { followReply, type ReplyState } from './follow-reply.ts';
import { readAskedMessage } from './read-question.ts';
import { createReplyPrinter } from './reply-printer.ts';
import { hint, note, sayJson, withoutControls } from './terminal.ts';
import { messageOf } from '../lib/message-of.ts';

/** Options of the command. */
export interface AskOptions extends ListOptions {
  /** Absent: a new chat. */
  chat?: string;
  /** A new chat, whatever `chat` says. */
  new?: true;
  mode?: MessageMode;
  agent?: string;
  model?: string;
  onApproval?: OnApproval;
}

/** Sends the words, and what was piped in, and prints the reply. */
export async function ask(words: readonly string[], options: AskOptions): Promise<void> {
  const content = await readAskedMessage(words);
  const client = await connect(options);
  await checkNames(client, options);
  const name = options.new === true ? undefined : options.chat;
  const chat = await chooseChat(client, name, options);
  const interrupt = stopOnInterrupt(client, chat);
  const { mode, onApproval } = options;
  const { headers } = await client.request('POST', chatPath(chat.id, '/messages'), {
    json: { content, mode, onApproval, workspaceId: chat.workspaceId },
  });
  const messageId = headers.get('x-message-id') ?? '';
  interrupt.arm();
  const reply = await printReply(client, chat, messageId, options.json === true);
  interrupt.disarm();
  if (options.json) {
    const { chat: now } = await client.get<ChatAnswer>(chatPath(chat.id));
    sayJson({ chat: now, message: reply });
  } else printEnd(reply);
  if (!options.json && process.stdout.isTTY) await change(client, chat, { unread: false });
  if (name === undefined && !options.json && process.stdout.isTTY && process.stderr.isTTY)
    hint(`\nTo go on in this chat: parley ask --chat ${shortId(chat.id)} "…"`);
  if (reply.stopReason === 'stopped') process.exitCode = interrupt.isAsked() ? EXIT.interrupted : EXIT.failed;
  else if (reply.status === 'error') process.exitCode = EXIT.failed;
}

/** A mistyped name must not create a chat that does something else. */
async function checkNames(client: Client, { model, agent }: AskOptions): Promise<void> {
  if (model !== undefined) {
    const { models } = await client.get<ModelList>('/api/v1/models');
    checkName(
      'model',
      model,
      models.map(({ name }) => name),
    );
  }
  if (agent !== undefined) {
    const { agents } = await client.get<AgentList>('/api/v1/agents');
    checkName(
      'agent',
      agent,
      agents.map(({ agentType }) => agentType),
    );
  }
}

function checkName(kind: string, name: string, known: readonly string[]): void {
  if (!known.includes(name))
    throw new CommandError(`There is no ${kind} "${name}". Available: ${withoutControls(known.join(', '))}.`);
}

/** A new chat, unless one is named. */
async function chooseChat(
  client: Client,
  name: string | undefined,
  { agent: agentType, model }: AskOptions,
): Promise<Chat> {
  if (name === undefined) {
    const chat = await client.post<Chat>('/api/v1/chats', { json: { agentType } });
    return model === undefined ? chat : change(client, chat, { model });
  }
  const chat = await findNamedChat(client, name);
  return agentType === undefined && model === undefined ? chat : change(client, chat, { agentType, model });
}

const change = async (client: Client, { id }: Chat, json: object): Promise<Chat> =>
  (await client.patch<ChatAnswer>(chatPath(id), { json })).chat;

/** Ctrl+C: the first stops the reply once it was requested, the second exits. */
function stopOnInterrupt(client: Client, chat: Chat): { arm(): void; disarm(): void; isAsked(): boolean } {
  let isAsked = false;
  let isArmed = false;
  const stop = (): void => {
    client.post(chatPath(chat.id, '/stop')).catch((error: unknown) => {
      note(`The reply could not be stopped: ${messageOf(error)}`);
      process.exit(EXIT.interrupted);
    });
  };
  const onInterrupt = (): void => {
    if (isAsked) process.exit(EXIT.interrupted);
    isAsked = true;
    if (isArmed) stop();
  };
  process.on('SIGINT', onInterrupt);
  return {
    arm() {
      isArmed = true;
      if (isAsked) stop();
    },
    disarm: () => void process.off('SIGINT', onInterrupt),
    isAsked: () => isAsked,
  };
}

async function printReply(client: Client, chat: Chat, messageId: string, isQuiet: boolean): Promise<Message> {
  const printer = createReplyPrinter();
  const asker = createAsker(client, chat.id, () => printer.settle());
  const show = ({ chat: now, reply }: ReplyState): void => {
    if (!isQuiet && !asker.isAsking()) printer.update(reply?.content ?? '', doingOf(now, reply));
    asker.update(reply);
  };
  try {
    const reply = await followReply(client, chat, messageId, show);
    if (!isQuiet) printer.end(reply.content);
    return reply;
  } catch (error) {
    printer.settle();
    throw error;
  } finally {
    asker.close();
  }
}

/** What is going on, in words; null: the reply's text shows it. */
function doingOf({ queuePosition = 0 }: Chat, reply: Message | null): string | null {
  const { steps = [], content = '', reasoning } = reply ?? {};
  const running = steps.filter(({ status }) => status === 'running').map(({ tool }) => toolTitle(tool));
  if (running.length > 0) return `${running.join(', ')} …`;
  if (steps.some(({ status }) => status === 'awaiting_approval')) return 'Waiting for an answer …';
  if (content !== '') return null;
  if (queuePosition > 0) return `Waiting behind ${queuePosition} …`;
  return reply?.waiting ?? (reasoning === undefined ? '…' : 'Thinking …');
}

function printEnd({ status, error, stopReason }: Message): void {
  if (status === 'error') note(withoutControls(error?.message ?? 'The reply failed.'));
  else if (stopReason === 'stopped') note('Stopped.');
  else if (stopReason === 'length') note('The reply was cut off: it reached the model’s limit.');
  else if (stopReason === 'step_limit') note('The reply was cut off: it reached the agent’s limit of steps.');
  else if (stopReason === 'content_filter') note('The model declined, or a filter withheld the rest.');
}
