/** The tools that send messages, wait for replies and stop them. */
import { Type, type Static } from 'typebox';
import { choice, text, whole } from '../../../shared/api/common.ts';
import { CHAT_STATUSES, MESSAGE_MODES } from '../../../shared/choices.ts';
import { ON_APPROVAL } from '../../../shared/api/message.ts';
import { SendMessageBody } from '../../../shared/api/message-requests.ts';
import { AGENT_TYPE_PATTERN, DEFAULT_AGENT_TYPE } from '../../../shared/limits.ts';
import { found, invalidField } from '../../errors.ts';
import { sendForProgram, type SentMessage } from '../send-for-program.ts';
import { awaitReply, McpReply, whileWaiting } from './await-reply.ts';
import { defineMcpTool, oneWorkspaceOf, WorkspaceInput, workspaceOf, type McpCall } from './tool.ts';

/** Clients give up after a minute unless told otherwise. */
const DEFAULT_TIMEOUT_SECONDS = 50;
const MAX_TIMEOUT_SECONDS = 300;

const ChatId = text('Id of the chat.');
const Timeout = Type.Optional(
  whole(`The maximum wait in seconds. Default: ${DEFAULT_TIMEOUT_SECONDS}. The reply continues after that.`, {
    minimum: 1,
    maximum: MAX_TIMEOUT_SECONDS,
    default: DEFAULT_TIMEOUT_SECONDS,
  }),
);

const Message = {
  message: Type.String({
    ...SendMessageBody.properties.content,
    description: 'The text to send, as Markdown. Must not be only white space.',
  }),
  chatId: Type.Optional(text('The chat to send it to. Default: a new chat.')),
  agent: Type.Optional(
    text(
      `Which agent answers in a new chat, such as "${DEFAULT_AGENT_TYPE}" or one that the person created.`,
      { pattern: AGENT_TYPE_PATTERN },
    ),
  ),
  mode: Type.Optional(
    choice(
      MESSAGE_MODES,
      '"agent" (default): it may use tools. "chat": it answers from the conversation alone.',
    ),
  ),
  onApproval: Type.Optional(
    choice(
      ON_APPROVAL,
      'What to do when a tool asks a person first. "ask" (default): wait for the person. "deny": deny it at once.',
    ),
  ),
  workspaceId: WorkspaceInput,
};
const SendInput = Type.Object(Message);

/** Sends a message, into a new chat if none is named. */
async function send(call: McpCall, input: Static<typeof SendInput>): Promise<SentMessage> {
  const { message: content, chatId = null, agent, mode = 'agent', onApproval } = input;
  if (!/\S/.test(content)) throw invalidField('message', '"message" must not be only white space.');
  if (chatId !== null && agent !== undefined) {
    throw invalidField('agent', 'Only name an agent for a new chat; an existing chat keeps its agent.');
  }
  const workspaceId = oneWorkspaceOf(call, input.workspaceId);
  const answerer = agent === undefined ? undefined : { agentType: agent };
  return sendForProgram(call.chats, call.request, {
    chatId,
    workspaceId,
    content,
    mode,
    answerer,
    onApproval,
  });
}

const WRITES = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true };

const ask = defineMcpTool({
  name: 'ask',
  title: 'Ask Parley',
  description:
    'Sends a message to Parley, the person’s chat app on this computer, and waits for the reply. This changes something: it adds the message and the reply to a new chat, or to the chat in chatId. ' +
    'If the reply takes longer than timeoutSeconds, or a tool needs the person’s approval, it returns the reply so far with done = false; call wait_for_reply to keep waiting. Cancelling this call stops the reply.',
  input: Type.Object({ ...Message, timeoutSeconds: Timeout }),
  output: McpReply,
  annotations: WRITES,
  run: (input, call) =>
    whileWaiting(call, async (slot) => {
      const sent = await send(call, input);
      const { timeoutSeconds = DEFAULT_TIMEOUT_SECONDS } = input;
      try {
        return await awaitReply(call, slot, { ...sent, timeoutSeconds, endsAtApproval: true });
      } catch (error) {
        if (call.isCancelled()) await call.chats.stop(sent.chatId, sent.workspaceId);
        throw error;
      }
    }),
});

const sendMessage = defineMcpTool({
  name: 'send_message',
  title: 'Send a message to Parley',
  description:
    'Sends a message to Parley and returns at once; the reply is made in the background. This changes something: it adds the message and the reply to a new chat, or to the chat in chatId. Get the reply with wait_for_reply.',
  input: SendInput,
  output: Type.Object({ chatId: Type.String(), messageId: Type.String() }),
  annotations: WRITES,
  async run(input, call) {
    const { chatId, messageId } = await send(call, input);
    return {
      text: `Sent. wait_for_reply with chatId "${chatId}" and messageId "${messageId}" gets the reply.`,
      data: { chatId, messageId },
    };
  },
});

const waitForReply = defineMcpTool({
  name: 'wait_for_reply',
  title: 'Wait for a reply',
  description:
    'Waits for the reply in a chat and returns it; for a chat at rest, returns the last reply at once. Changes nothing, and cancelling it only stops the wait. If the time is up first, it returns the reply so far with done = false.',
  input: Type.Object({
    chatId: ChatId,
    messageId: Type.Optional(
      text('Id of the message whose reply to wait for. Default: the last reply of the chat.'),
    ),
    timeoutSeconds: Timeout,
    workspaceId: WorkspaceInput,
  }),
  output: McpReply,
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: ({ chatId, messageId, timeoutSeconds = DEFAULT_TIMEOUT_SECONDS, workspaceId }, call) =>
    whileWaiting(call, (slot) =>
      awaitReply(call, slot, {
        chatId,
        messageId,
        timeoutSeconds,
        workspaceId: workspaceOf(call, workspaceId),
        endsAtApproval: false,
      }),
    ),
});

const stopReply = defineMcpTool({
  name: 'stop_reply',
  title: 'Stop a reply',
  description:
    'Stops the reply in progress in a chat and all its waiting messages. This changes something, but deletes nothing: what was written is kept. A chat at rest stays as it is.',
  input: Type.Object({ chatId: ChatId, workspaceId: WorkspaceInput }),
  output: Type.Object({ chatId: Type.String(), status: choice([...CHAT_STATUSES]) }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run({ chatId, workspaceId }, call) {
    const chat = found(await call.chats.stop(chatId, workspaceOf(call, workspaceId)), 'chat_not_found');
    const { status } = chat;
    return { text: `The chat is at rest; its status is ${status}.`, data: { chatId, status } };
  },
});

/** The tools for talking to Parley. */
export const REPLY_TOOLS = [ask, sendMessage, waitForReply, stopReply];
