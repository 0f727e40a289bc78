/** The tools that talk to Parley: those that add something to a chat, and waiting for what comes of it. */
import { Type, type Static } from 'typebox';
import { CHAT_STATUSES } from '../../../shared/api/chat.ts';
import { MESSAGE_MODES, ON_APPROVAL } from '../../../shared/api/message.ts';
import { SendMessageBody } from '../../../shared/api/message-requests.ts';
import { AGENT_TYPE_PATTERN, DEFAULT_AGENT_TYPE } from '../../../shared/limits.ts';
import { found, invalidField } from '../../errors.ts';
import { sendForProgram, type SentMessage } from '../send-for-program.ts';
import { awaitReply, Reply, whileWaiting } from './await-reply.ts';
import { defineTool, oneWorkspaceOf, Workspace, workspaceOf, type Call } from './tool.ts';

/** Clients give up after a minute unless told otherwise. */
const DEFAULT_TIMEOUT_SECONDS = 50;
const MAX_TIMEOUT_SECONDS = 300;

const ChatId = Type.String({ description: 'Id of the chat.' });
const Timeout = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: MAX_TIMEOUT_SECONDS,
    default: DEFAULT_TIMEOUT_SECONDS,
    description: `How long to wait at most, in seconds; ${DEFAULT_TIMEOUT_SECONDS} unless given. The reply goes on after that.`,
  }),
);

const Message = {
  message: Type.String({
    ...SendMessageBody.properties.content,
    description: 'The text to send, as Markdown; more than white space.',
  }),
  chatId: Type.Optional(Type.String({ description: 'The chat to send it to; a new chat unless given.' })),
  agent: Type.Optional(
    Type.String({
      pattern: AGENT_TYPE_PATTERN,
      description: `Which agent answers in a new chat, such as "${DEFAULT_AGENT_TYPE}" or one that the person made.`,
    }),
  ),
  mode: Type.Optional(
    Type.Enum([...MESSAGE_MODES], {
      description: '"agent": it may use its tools (default). "chat": it answers from the conversation alone.',
    }),
  ),
  onApproval: Type.Optional(
    Type.Enum([...ON_APPROVAL], {
      description:
        'What becomes of a tool that asks a person first. "ask": it waits for them (default). "deny": it is refused at once.',
    }),
  ),
  workspaceId: Workspace,
};
const SendInput = Type.Object(Message);

/** Sends a message, into a new chat if none is named. */
async function send(call: Call, input: Static<typeof SendInput>): Promise<SentMessage> {
  const { message: content, chatId = null, agent, mode = 'agent', onApproval } = input;
  if (chatId !== null && agent !== undefined) {
    throw invalidField('agent', 'Name an agent for a new chat only; a chat keeps the one it has.');
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

const ask = defineTool({
  name: 'ask',
  title: 'Ask Parley',
  description:
    'Sends a message to Parley, the person’s chat app on this computer, and waits for the reply. This changes something: the message and the reply are kept in a new chat, or in the one that chatId names. ' +
    'If the reply takes longer than timeoutSeconds, or a tool asks the person first, what there is comes back with done = false, and wait_for_reply waits on. Cancelling this call stops the reply.',
  input: Type.Object({ ...Message, timeoutSeconds: Timeout }),
  output: Reply,
  annotations: WRITES,
  run: (input, call) =>
    whileWaiting(call, async (place) => {
      const sent = await send(call, input);
      const { timeoutSeconds = DEFAULT_TIMEOUT_SECONDS } = input;
      try {
        return await awaitReply(call, place, { ...sent, timeoutSeconds, endsAtApproval: true });
      } catch (error) {
        if (call.isCancelled()) await call.chats.stop(sent.chatId, sent.workspaceId);
        throw error;
      }
    }),
});

const sendMessage = defineTool({
  name: 'send_message',
  title: 'Send a message to Parley',
  description:
    'Sends a message to Parley and comes back at once; the reply is made in the background. This changes something: the message and the reply are kept in a new chat, or in the one that chatId names. wait_for_reply gets the reply.',
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

const waitForReply = defineTool({
  name: 'wait_for_reply',
  title: 'Wait for a reply',
  description:
    'Waits until the reply in a chat is there and gives it back; a chat at rest gives back its last reply at once. It changes nothing, and cancelling it stops only the waiting. If the time is up first, what there is comes back with done = false.',
  input: Type.Object({
    chatId: ChatId,
    messageId: Type.Optional(
      Type.String({
        description: 'Id of the message whose reply is meant; the last reply of the chat unless given.',
      }),
    ),
    timeoutSeconds: Timeout,
    workspaceId: Workspace,
  }),
  output: Reply,
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: ({ chatId, messageId, timeoutSeconds = DEFAULT_TIMEOUT_SECONDS, workspaceId }, call) =>
    whileWaiting(call, (place) =>
      awaitReply(call, place, {
        chatId,
        messageId,
        timeoutSeconds,
        workspaceId: workspaceOf(call, workspaceId),
        endsAtApproval: false,
      }),
    ),
});

const stopReply = defineTool({
  name: 'stop_reply',
  title: 'Stop a reply',
  description:
    'Stops the reply under way in a chat, and all that waits in it. This changes something, but removes nothing: what was written is kept. A chat at rest stays as it is.',
  input: Type.Object({ chatId: ChatId, workspaceId: Workspace }),
  output: Type.Object({ chatId: Type.String(), status: Type.Enum([...CHAT_STATUSES]) }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run({ chatId, workspaceId }, call) {
    const chat = found(await call.chats.stop(chatId, workspaceOf(call, workspaceId)), 'chat_not_found');
    const { status } = chat;
    return { text: `The chat is at rest; its status is ${status}.`, data: { chatId, status } };
  },
});

/** The tools for talking to Parley. */
export const REPLY_TOOLS = [ask, sendMessage, waitForReply, stopReply];
