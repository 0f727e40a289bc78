import type { HistoryMessage, TurnRequest } from '../agents/turn.ts';
import { listQuestionsBefore, listRepliesAfter } from '../store/message-repository.ts';
import { findOpening } from '../store/opening-repository.ts';
import type { Reader } from '../store/types.ts';
import type { TakenTurn } from './chat-rows.ts';

/** How much of a conversation goes to the model, the message to answer aside: as much as the offline assistant heeds. */
const MAX_EXCHANGES = 20;
const MAX_CHARACTERS = 400_000;

/**
 * The conversation up to the message to answer, which is the last. Each message is followed by its reply, whatever order
 * they were stored in: messages that were sent in a row all stand before the replies to them. Left out: messages that
 * wait, replies with nothing in them, and messages that were stopped before anything was written, which must not be
 * answered later.
 */
export function readHistory(reader: Reader, turn: TakenTurn): HistoryMessage[] {
  const { chat, message } = turn;
  const questions = listQuestionsBefore(reader, chat.id, message.seq, MAX_EXCHANGES);
  const oldest = questions.at(-1);
  const replies = new Map(
    oldest === undefined
      ? []
      : listRepliesAfter(reader, chat.id, oldest.seq).map((reply) => [reply.replyTo, reply]),
  );
  const history: HistoryMessage[] = [{ role: 'user', content: message.content, steps: [] }];
  let characters = 0;
  for (const question of questions) {
    const reply = replies.get(question.id);
    const isEmpty = reply === undefined || (reply.content === '' && reply.steps.length === 0);
    if (isEmpty && reply?.stopReason === 'stopped') continue;
    characters += question.content.length + (reply?.content.length ?? 0);
    if (characters > MAX_CHARACTERS) break;
    if (!isEmpty) history.push({ role: 'assistant', content: reply.content, steps: reply.steps });
    history.push({ role: 'user', content: question.content, steps: [] });
  }
  return history.reverse();
}

/**
 * Where the chat's rehearsal stands. Counted in the store, not in the history: that leaves out what was stopped early, and
 * doesn't reach back to the first message for ever.
 */
export function readCue(reader: Reader, { chat, message }: TakenTurn): Pick<TurnRequest, 'rehearsal'> {
  const rehearsal = findOpening(reader, chat.id, message.seq);
  return rehearsal === null ? {} : { rehearsal };
}
