/**
 * Tracks what one client knows of a chat, and what to send next. There is no log of events: the rows are compared with
 * what was sent, so nothing can be missed or sent twice, however late the comparison.
 *
 * `compare` reads at one moment, and returns a function that gives the events once what was read is on disk. In between only
 * `grow` may run, which sends how the reply being written has grown in memory.
 */
import type { Message } from '../../shared/api/message.ts';
import { markOf, NO_GROWTH, updateSince, type GrowthMark, type GrowthUpdate } from '../../shared/growth.ts';
import { isFinal, type MessageEnd, type MessageMark } from '../store/stream-rows.ts';
import type { LiveReply } from '../turns/live-reply.ts';
import type { ChatReading } from './chat-reading.ts';
import { cursorText, eventOf, eventText, type Cursor, type StreamEvent } from './sse.ts';

interface FoundMessage {
  mark: MessageMark;
  json: string;
}

/** The reply that isn't final, as it was sent. */
interface OpenReply {
  seq: number;
  /** The message without the parts that grow. */
  shell: Message;
  /** The reply in memory of which something was sent; null: what was sent came from the row. */
  live: LiveReply | null;
  /** How much of it was sent. */
  sent: GrowthMark;
}

/**
 * Makes the events for what `compare` found; `live` is the reply that is being written by then. Call it once what was read is on
 * disk. If it isn't called, the next comparison finds the same again.
 */
type MakeEvents = (live: LiveReply | null) => StreamEvent[];

/** For a client with that cursor; null: it knows nothing. */
export function createConversationDiff(cursor: Cursor | null) {
  let resumeAt = cursor;
  let isSynced = false;
  let structure = 0;
  let chatJson = '';
  /** Everything up to here is final and sent. */
  let end: MessageEnd = { seq: 0, messageId: null };
  /** The marks of messages after that, by their `seq`. */
  const sent = new Map<number, string>();
  let open: OpenReply | null = null;

  /** What has to be sent; null: nothing. `live`: the reply being written now. */
  function compare(reading: ChatReading, live: LiveReply | null): MakeEvents | null {
    if (!isSynced || reading.structure !== structure) return compareAll(reading);
    const marks = reading.marksAfter(end.seq);
    if (!holdsAll(marks, sent)) return compareAll(reading);
    const messages = marks
      .filter((mark) => sent.get(mark.seq) !== mark.mark && !isSentLive(mark, live))
      .map((mark) => ({ mark, json: reading.messageJson(mark.id) }));
    const changedChat = reading.chatJson === chatJson ? null : reading.chatJson;
    if (messages.length === 0 && changedChat === null) return null;
    const newEnd = endOf(marks, end);
    return (liveNow) => {
      const events = messages.map((message) => sendMessage(message, liveNow));
      if (changedChat !== null) {
        chatJson = changedChat;
        events.push(eventText('chat', `{"chat":${chatJson}}`));
      }
      return [...events, noteSent(marks, newEnd, liveNow)].filter((event) => event !== '');
    };
  }

  function compareAll(reading: ChatReading): MakeEvents {
    const seq = isSynced || resumeAt === null ? null : reading.seqOf(resumeAt);
    const start = { seq: seq ?? 0, messageId: seq === null ? null : (resumeAt?.messageId ?? null) };
    const newEnd = reading.finalAfter(start);
    const marks = reading.marksAfter(newEnd.seq);
    const openMark = marks.find((mark) => !isFinal(mark) && mark.role === 'assistant');
    const opened =
      openMark === undefined ? null : openReply({ mark: openMark, json: reading.messageJson(openMark.id) });
    const messages = reading.listAfter(start.seq, newEnd.seq);
    return (live) => {
      ({ chatJson, structure } = reading);
      isSynced = true;
      resumeAt = null;
      sent.clear();
      open = opened;
      const sync = eventOf('sync', `{"chat":${chatJson},"messages":`, messages, `,"whole":${seq === null}}`);
      return [sync, noteSent(marks, newEnd, live)].filter((event) => event !== '');
    };
  }

  /** Notes what is being sent; returns the events for what the reply has gained since. */
  function noteSent(marks: readonly MessageMark[], newEnd: MessageEnd, live: LiveReply | null): string {
    for (const { seq, mark } of marks) sent.set(seq, mark);
    for (const seq of sent.keys()) if (seq <= newEnd.seq) sent.delete(seq);
    end = newEnd;
    return live === null ? '' : grow(live);
  }

  /** Whether a row lags behind the reply that is sent from memory. */
  const isSentLive = (mark: MessageMark, live: LiveReply | null): boolean =>
    !isFinal(mark) && open?.seq === mark.seq && open.shell.id === live?.replyId;

  function sendMessage(message: FoundMessage, live: LiveReply | null): string {
    const { mark, json } = message;
    if (isFinal(mark) || mark.role === 'user') {
      if (open?.seq === mark.seq) open = null;
      return eventText('message', `{"message":${json}}`);
    }
    // More was sent from memory than the row holds, and the turn has just ended: the next comparison finds its end.
    const isBehind = open?.seq === mark.seq && open.live !== null && open.shell.id !== live?.replyId;
    if (isBehind) return '';
    open = openReply(message);
    return eventText('message', `{"message":${json}}`);
  }

  /** The text of the events for what the reply has gained since; empty: nothing. */
  function grow(live: LiveReply): string {
    if (open?.shell.id !== live.replyId) return '';
    const { growth } = live;
    const before = open.sent;
    const now = markOf(growth);
    if (isNothing(before) && isNothing(now)) return '';
    const update = updateSince(before, growth);
    const isMoreText =
      open.live === live &&
      update.steps === undefined &&
      update.timing === undefined &&
      update.waiting === undefined;
    open.live = live;
    open.sent = now;
    if (isMoreText) return growthEvents(open.shell.id, before, update);
    const { content, reasoning, steps, timing, waiting } = growth;
    const message: Message = {
      ...open.shell,
      content,
      status: 'streaming',
      ...(steps.length > 0 && { steps }),
      ...(reasoning !== '' && { reasoning }),
      ...(timing && { timing }),
      ...(waiting && { waiting }),
    };
    return eventText('message', JSON.stringify({ message }));
  }

  return {
    /** The client's position once it has received everything sent. */
    get cursor(): string {
      return cursorText(end.messageId, structure);
    },
    compare,
    grow,
    /** What was sent may no longer be true: next, the whole chat is sent. */
    forget(): void {
      isSynced = false;
      resumeAt = null;
      end = { seq: 0, messageId: null };
    },
  };
}

/** The last message up to which everything is final, given the former one and the marks after it. */
function endOf(marks: MessageMark[], start: MessageEnd): MessageEnd {
  let end = start;
  for (const mark of marks) {
    if (!isFinal(mark)) break;
    end = { seq: mark.seq, messageId: mark.id };
  }
  return end;
}

/** Whether all messages that were sent are still there. */
function holdsAll(marks: MessageMark[], sent: ReadonlyMap<number, string>): boolean {
  return sent.size === 0 || marks.filter(({ seq }) => sent.has(seq)).length === sent.size;
}

/** The events for what was added to a reply since `before`. */
function growthEvents(messageId: string, before: GrowthMark, { text, reasoning = '' }: GrowthUpdate): string {
  const growth = (offset: number, added: string): string =>
    JSON.stringify({ messageId, offset, text: added });
  return (
    (reasoning === '' ? '' : eventText('reasoning', growth(before.reasoning, reasoning))) +
    (text === '' ? '' : eventText('delta', growth(before.content, text)))
  );
}

const isNothing = ({ content, reasoning, steps, waiting }: GrowthMark): boolean =>
  content === 0 && reasoning === 0 && steps.length === 0 && !waiting;

function openReply({ mark, json }: FoundMessage): OpenReply {
  const { content, steps = NO_GROWTH.steps, reasoning = '', ...shell } = JSON.parse(json) as Message;
  return {
    seq: mark.seq,
    shell: { ...shell, content: '' },
    live: null,
    sent: markOf({ content, reasoning, steps }),
  };
}
