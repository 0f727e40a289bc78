import { Type, type Static } from 'typebox';
import { choice, flag, list, text } from '../../../shared/api/common.ts';
import type { Chat } from '../../../shared/api/chat.ts';
import { MessageError, STOP_REASONS } from '../../../shared/api/message.ts';
import { requestText } from '../../../shared/approval-request.ts';
import { CHAT_STATUSES, isUnsettled } from '../../../shared/choices.ts';
import { AppError, found } from '../../errors.ts';
import type { WaitSlot } from '../../events/chat-waits.ts';
import { isUnderWay, type Exchange } from '../../events/exchanges.ts';
import { beginningOf } from '../../lib/beginning-of.ts';
import type { McpCall, ToolAnswer } from './tool.ts';

/** A reply, or what there is of it. */
export const McpReply = Type.Object({
  chatId: Type.String(),
  title: text('Title of the chat.'),
  status: choice(CHAT_STATUSES, 'Status of the chat. At rest: idle, failed, stopped.'),
  done: flag('Whether this reply is complete. If false, call wait_for_reply to keep waiting.'),
  messageId: Type.Optional(text('Id of the message this answers.')),
  reply: text('The text of the reply so far, as Markdown.'),
  isCut: Type.Optional(flag('Whether the reply is longer than this. read_chat returns all of it.')),
  stopReason: Type.Optional(choice([...STOP_REASONS])),
  error: Type.Optional(MessageError),
  approvals: Type.Optional(
    list(
      Type.Object({ tool: Type.String(), summary: Type.String(), expiresAt: Type.String() }),
      'Tools that wait for a person’s approval in Parley.',
    ),
  ),
});
export type McpReply = Static<typeof McpReply>;

/** Which reply to wait for, and for how long. */
export interface WantedReply {
  chatId: string;
  workspaceId: string | null;
  /** The message that is answered. Absent: the last one that was sent. */
  messageId?: string | undefined;
  timeoutSeconds: number;
  /** Resolve as soon as a tool asks a person. */
  endsAtApproval: boolean;
}

/** How often to check for the reply while its chat is busy, and to report progress. */
const CHECK_MS = 1_000;
const MAX_REPLY_SHOWN = 50_000;
/** Longer texts in a tool's input are cut in the middle: the person who decides sees all of them in Parley. */
const LONGEST_SHOWN_TEXT = 10_000;
const NO_SUCH_MESSAGE =
  '"messageId" must be the id of a message in this chat, as returned by ask and send_message.';
const REMOVED = 'The message was deleted or edited in Parley before it was answered, so there is no reply.';

/**
 * Takes a slot among the waiting requests until the work is done or its client has gone. Throws AppError `too_many_requests`,
 * before doing anything, if there are too many.
 */
export async function whileWaiting<T>(
  { waits, holder, signal }: McpCall,
  work: (slot: WaitSlot) => Promise<T>,
): Promise<T> {
  const slot = waits.enter(holder);
  if (signal.aborted) slot.leave();
  signal.addEventListener('abort', () => slot.leave());
  try {
    return await work(slot);
  } finally {
    slot.leave();
  }
}

/** Waits for a reply; when the time is up, resolves with as much of it as there is. */
export async function awaitReply(
  call: McpCall,
  slot: WaitSlot,
  wanted: WantedReply,
): Promise<ToolAnswer<McpReply>> {
  const { chatId, workspaceId, timeoutSeconds, endsAtApproval } = wanted;
  const beganAt = performance.now();
  let checkedAt = -Infinity;
  let reportedStatus = '';
  let wasThere = false;
  for (;;) {
    call.signal.throwIfAborted();
    if (!call.isInForce()) throw new AppError('unauthorized');
    if (slot.isOver) throw new AppError('shutting_down');
    const seen = found(await call.chats.findSeen(chatId, workspaceId), 'chat_not_found');
    const { chat, tags } = seen;
    const exchange = await findExchange(call, wanted, wasThere);
    wasThere ||= exchange !== null;
    const ms = performance.now() - beganAt;
    const isUp = ms >= timeoutSeconds * 1_000 || (endsAtApproval && chat.awaitingApproval === true);
    const isDue = ms - checkedAt >= CHECK_MS;
    const done = exchange === null || !isUnderWay(exchange);
    // The chat comes to rest after its reply, usually at once.
    const rests = !isUnsettled((exchange?.chat ?? chat).status);
    if (isUp || (done && (rests || isDue))) return toAnswer(exchange?.chat ?? chat, exchange, done);
    if (isDue || reportedStatus !== chat.status) {
      call.reportProgress(Math.round(ms) / 1_000, timeoutSeconds, progressWords(chat));
      reportedStatus = chat.status;
      checkedAt = ms;
    }
    const leftMs = timeoutSeconds * 1_000 - ms;
    await slot.wait(chatId, { for: 'change', known: tags.shown }, Math.min(CHECK_MS, leftMs));
  }
}

/** Null: there is no message in the chat yet. AppError `message_not_found` for one that was never sent. */
async function findExchange(
  { chats, exchanges }: McpCall,
  { chatId, workspaceId, messageId }: WantedReply,
  wasThere: boolean,
): Promise<Exchange | null> {
  if (messageId === undefined) return exchanges.findLast(chatId, workspaceId);
  const exchange = await exchanges.find({ chatId, workspaceId, messageId });
  if (exchange === null) {
    const isCancelled = wasThere || chats.isCancelled(chatId, messageId);
    throw new AppError('message_not_found', isCancelled ? REMOVED : NO_SUCH_MESSAGE);
  }
  return exchange;
}

function toAnswer(
  { id, title, status }: Pick<Chat, 'id' | 'title' | 'status'>,
  exchange: Exchange | null,
  done: boolean,
): ToolAnswer<McpReply> {
  const { content = '', steps = [], stopReason, error } = exchange?.reply ?? {};
  const reply = beginningOf(content, MAX_REPLY_SHOWN);
  const approvals = steps.flatMap(({ tool, input, approval }) =>
    approval === undefined
      ? []
      : [
          {
            tool,
            summary: requestText({ tool, input, approval }, LONGEST_SHOWN_TEXT),
            expiresAt: approval.expiresAt,
          },
        ],
  );
  const data: McpReply = {
    chatId: id,
    title,
    status,
    done,
    ...(exchange !== null && { messageId: exchange.question.id }),
    reply,
    ...(reply.length < content.length && { isCut: true }),
    ...(stopReason && { stopReason }),
    ...(error && { error }),
    ...(approvals.length > 0 && { approvals }),
  };
  const text = [reply, ...notes(data), `[Parley chat ${id}: ${status}]`];
  return {
    text: text.filter((part) => part !== '').join('\n\n'),
    data,
    isError: data.error !== undefined,
  };
}

/** Notes on a reply besides its text. */
function notes({ chatId, done, reply, isCut, stopReason, error, approvals = [] }: McpReply): string[] {
  const lines: string[] = [];
  if (error !== undefined) lines.push(`The reply failed: ${error.message}`);
  if (isCut === true)
    lines.push(`The reply is longer than this; read_chat with chatId "${chatId}" returns all of it.`);
  if (stopReason === 'stopped') lines.push('The reply was stopped.');
  else if (stopReason === 'length' || stopReason === 'step_limit')
    lines.push('The reply was cut off at a limit.');
  else if (stopReason === 'content_filter') lines.push('The model declined, or a filter withheld the rest.');
  for (const { tool, summary, expiresAt } of approvals) {
    lines.push(`A person has to allow or deny ${tool} in Parley before ${expiresAt}: ${summary}`);
  }
  if (!done) {
    lines.push(`The reply is not complete; call wait_for_reply with chatId "${chatId}" to wait for it.`);
  } else if (reply === '' && lines.length === 0) lines.push('There is no reply.');
  return lines;
}

function progressWords({ status, queuePosition = 0, awaitingApproval }: Chat): string {
  if (awaitingApproval === true) return 'A tool waits for a person’s approval in Parley.';
  if (status === 'pending' && queuePosition > 0) return `Waiting behind ${queuePosition}.`;
  return status === 'pending' ? 'Waiting.' : 'The reply is being written.';
}
