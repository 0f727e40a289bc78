import type { HistoryMessage } from '../agents/turn.ts';
import { listHistory, type HistoryRow } from '../store/message-repository.ts';
import type { Reader } from '../store/types.ts';
import type { TakenTurn } from './chat-rows.ts';

/** How much of a conversation goes to the model, the message to answer aside: as much as the offline assistant heeds. */
const MAX_MESSAGES = 40;
const MAX_CHARACTERS = 400_000;
/** Messages read at once: a few long messages end the reading early. */
const PAGE = 20;

/**
 * The conversation up to the message to answer, which is the last. Each message is followed by its reply, whatever order
 * they were stored in. Left out: messages that wait, replies with nothing in them, and messages that were stopped before
 * anything was written, which must not be answered later.
 */
export function readHistory(reader: Reader, turn: TakenTurn): HistoryMessage[] {
  const replies = new Map<string, HistoryRow>();
  const questions: HistoryRow[] = [];
  for (const message of readBackwards(reader, turn)) {
    if (message.role === 'user') questions.push(message);
    else if (message.replyTo !== null) replies.set(message.replyTo, message);
  }
  const history: HistoryMessage[] = [];
  for (const question of questions.reverse()) {
    const reply = replies.get(question.id);
    const isEmpty = reply === undefined || (reply.content === '' && reply.steps.length === 0);
    if (isEmpty && reply?.stopReason === 'stopped') continue;
    history.push({ role: 'user', content: question.content, steps: [] });
    if (!isEmpty) history.push({ role: 'assistant', content: reply.content, steps: reply.steps });
  }
  history.push({ role: 'user', content: turn.message.content, steps: [] });
  return history;
}

function* readBackwards(reader: Reader, turn: TakenTurn): Generator<HistoryRow> {
  let before = turn.replySeq;
  let messages = 0;
  let characters = 0;
  while (messages < MAX_MESSAGES) {
    const page = listHistory(reader, turn.chat.id, before, PAGE);
    for (const message of page) {
      before = message.seq;
      if (message.id === turn.message.id) continue;
      messages += 1;
      characters += message.content.length;
      if (messages > MAX_MESSAGES || characters > MAX_CHARACTERS) return;
      yield message;
    }
    if (page.length < PAGE) return;
  }
}
