/**
 * Tracks what one client knows of a chat, and what to send next. There is no log of events: the rows are compared with
 * what was sent, so nothing can be missed or sent twice, however late the comparison.
 *
 * There are two steps: `compare` reads at one moment, and `tell` turns the finding into events once it is on disk. In
 * between only `grow` may run, which sends how the reply being written has grown in memory.
 */
import type { Message } from '../../shared/api/message.ts';
import { markOf, NO_GROWTH, updateSince, type GrowthMark, type GrowthUpdate } from '../../shared/growth.ts';
import { isFinal, type MessageMark } from '../store/stream-rows.ts';
import type { LiveReply } from '../turns/live-replies.ts';
import type { ChatReading } from './chat-reading.ts';
import { cursorText, eventText, type Cursor } from './sse.ts';

/** What differs from what was sent. */
export type Finding =
  | { kind: 'gone' }
  | {
      kind: 'sync';
      chatJson: string;
      structure: number;
      list: string;
      whole: boolean;
      /** The reply that isn't final. */
      open: FoundMessage | null;
      found: Found;
    }
  | { kind: 'changes'; chatJson: string | null; messages: FoundMessage[]; found: Found };

interface FoundMessage {
  mark: MessageMark;
  json: string;
}

interface Found {
  /** All messages not known to be final. */
  marks: MessageMark[];
  end: End;
}

/** The last message up to which everything is final; 0 and null: there is none. */
interface End {
  seq: number;
  messageId: string | null;
}

/** The reply that isn't final, as it was sent. */
interface OpenReply {
  seq: number;
  /** The message without the parts that grow. */
  shell: Message;
  /** Null: what was sent came from the row. */
  live: LiveReply | null;
  /** How much of it was sent. */
  told: GrowthMark;
  status: Message['status'];
}

/** Keeps one client up to date on one chat. */
export interface ConversationTeller {
  /** The client's position once it has received everything sent. */
  readonly cursor: string;
  /** What has to be sent; null: nothing. `reading` null: the chat is gone. `live`: the reply being written now. */
  compare(reading: ChatReading | null, live: LiveReply | null): Finding | null;
  /** The events for a finding; `live` as it is now. */
  tell(finding: Finding, live: LiveReply | null): string[];
  /** The text of the events for what the reply has gained since; empty: nothing. */
  grow(live: LiveReply): string;
  /** What was sent may not be true any more: the next finding is the whole chat. */
  forget(): void;
}

/** A teller for a client with that cursor; null: the client knows nothing. */
export function createConversationTeller(cursor: Cursor | null): ConversationTeller {
  let resumeAt = cursor;
  let isSynced = false;
  let structure = 0;
  let chatJson = '';
  /** Everything up to here is final and sent. */
  let end: End = { seq: 0, messageId: null };
  /** The marks of messages after that, by their place. */
  const told = new Map<number, string>();
  let open: OpenReply | null = null;

  function compare(reading: ChatReading | null, live: LiveReply | null): Finding | null {
    if (reading === null) return { kind: 'gone' };
    if (!isSynced || reading.structure !== structure) return compareAll(reading);
    const marks = reading.marksAfter(end.seq);
    if (!holdsAll(marks, told)) return compareAll(reading);
    const messages = marks
      .filter((mark) => told.get(mark.seq) !== mark.mark && !isToldLive(mark, live))
      .map((mark) => ({ mark, json: reading.messageJson(mark.id) }));
    const changedChat = reading.chatJson === chatJson ? null : reading.chatJson;
    if (messages.length === 0 && changedChat === null) return null;
    return { kind: 'changes', chatJson: changedChat, messages, found: { marks, end: endOf(marks, end) } };
  }

  function compareAll(reading: ChatReading): Finding {
    const place = isSynced || resumeAt === null ? null : reading.placeOf(resumeAt);
    const start = { seq: place ?? 0, messageId: place === null ? null : (resumeAt?.messageId ?? null) };
    const marks = reading.marksAfter(start.seq);
    const openMark = marks.find((mark) => !isFinal(mark) && mark.role === 'assistant');
    return {
      kind: 'sync',
      chatJson: reading.chatJson,
      structure: reading.structure,
      list: reading.listAfter(start.seq),
      whole: place === null,
      open: openMark === undefined ? null : { mark: openMark, json: reading.messageJson(openMark.id) },
      found: { marks, end: endOf(marks, start) },
    };
  }

  /** Whether a row lags behind the reply that is sent from memory. */
  const isToldLive = (mark: MessageMark, live: LiveReply | null): boolean =>
    !isFinal(mark) && open?.seq === mark.seq && open.shell.id === live?.replyId;

  function tell(finding: Finding, live: LiveReply | null): string[] {
    if (finding.kind === 'gone') return [eventText('gone', '{}')];
    const events: string[] = [];
    if (finding.kind === 'sync') {
      const { list, whole } = finding;
      ({ chatJson, structure } = finding);
      events.push(eventText('sync', `{"chat":${chatJson},"messages":${list},"whole":${whole}}`));
      isSynced = true;
      resumeAt = null;
      told.clear();
      open = finding.open === null ? null : openReply(finding.open);
    } else {
      for (const message of finding.messages) events.push(tellMessage(message, live));
      if (finding.chatJson !== null) {
        chatJson = finding.chatJson;
        events.push(eventText('chat', `{"chat":${chatJson}}`));
      }
    }
    const { marks, end: newEnd } = finding.found;
    for (const { seq, mark } of marks) told.set(seq, mark);
    for (const seq of told.keys()) if (seq <= newEnd.seq) told.delete(seq);
    end = newEnd;
    if (live !== null) events.push(grow(live));
    return events.filter((event) => event !== '');
  }

  function tellMessage(message: FoundMessage, live: LiveReply | null): string {
    const { mark, json } = message;
    if (isFinal(mark) || mark.role === 'user') {
      if (open?.seq === mark.seq) open = null;
      return eventText('message', `{"message":${json}}`);
    }
    // More was sent from memory than the row holds, and the turn has just ended: the next finding will be its end.
    const isBehind = open?.seq === mark.seq && open.live !== null && open.shell.id !== live?.replyId;
    if (isBehind) return '';
    open = openReply(message);
    return eventText('message', `{"message":${json}}`);
  }

  function grow(live: LiveReply): string {
    if (open?.shell.id !== live.replyId) return '';
    const { growth } = live;
    const { content, reasoning, steps, timing } = growth;
    const update = updateSince(open.told, growth);
    const isFirst = open.live !== live;
    open.live = live;
    if (isNothing(open.told) && isNothing(markOf(growth))) return '';
    const before = open.told;
    open.told = markOf(growth);
    if (
      !isFirst &&
      open.status === 'streaming' &&
      update.steps === undefined &&
      update.timing === undefined
    ) {
      return growthEvents(open.shell.id, before, update);
    }
    open.status = 'streaming';
    const message: Message = {
      ...open.shell,
      content,
      status: 'streaming',
      ...(steps.length > 0 && { steps }),
      ...(reasoning !== '' && { reasoning }),
      ...(timing && { timing }),
    };
    return eventText('message', JSON.stringify({ message }));
  }

  return {
    get cursor() {
      return cursorText(end.messageId, structure);
    },
    compare,
    tell,
    grow,
    forget() {
      isSynced = false;
      resumeAt = null;
      end = { seq: 0, messageId: null };
    },
  };
}

/** The last message up to which everything is final, given the former one and the marks after it. */
function endOf(marks: MessageMark[], start: End): End {
  let end = start;
  for (const mark of marks) {
    if (!isFinal(mark)) break;
    end = { seq: mark.seq, messageId: mark.id };
  }
  return end;
}

/** Whether all messages that were sent are still there. */
function holdsAll(marks: MessageMark[], told: ReadonlyMap<number, string>): boolean {
  return told.size === 0 || marks.filter(({ seq }) => told.has(seq)).length === told.size;
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

const isNothing = ({ content, reasoning, steps }: GrowthMark): boolean =>
  content === 0 && reasoning === 0 && steps.length === 0;

function openReply({ mark, json }: FoundMessage): OpenReply {
  const { content, steps = NO_GROWTH.steps, reasoning = '', ...shell } = JSON.parse(json) as Message;
  return {
    seq: mark.seq,
    shell: { ...shell, content: '' },
    live: null,
    told: markOf({ content, reasoning, steps }),
    status: shell.status,
  };
}
