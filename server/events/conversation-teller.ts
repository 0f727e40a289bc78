/**
 * What one client has been told of a chat, and what it has to be told next. There is no log of events: the rows are
 * compared with what was told, so nothing can be missed or told twice, however late one looks.
 *
 * Looking has two steps. `compare` reads, at one moment; `tell` turns what was found into events once it is on disk. In
 * between only `grow` may run, which tells how the reply that is being written has grown in memory.
 */
import type { Message } from '../../shared/api/message.ts';
import { markOf, NO_GROWTH, updateSince, type GrowthMark, type GrowthUpdate } from '../../shared/growth.ts';
import { isFinal, type MessageMark } from '../store/stream-rows.ts';
import type { LiveReply } from '../turns/live-replies.ts';
import type { ChatReading } from './chat-reading.ts';
import { cursorText, eventText, type Cursor } from './sse.ts';

/** What differs from what was told. */
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
  /** All messages that are not known to be final. */
  marks: MessageMark[];
  end: End;
}

/** The last message up to which everything is final; 0 and null: there is none. */
interface End {
  seq: number;
  messageId: string | null;
}

/** The reply that isn't final, as it was told. */
interface OpenReply {
  seq: number;
  /** The message without what changes as it is written. */
  shell: Message;
  /** Null: what was told comes from the row. */
  live: LiveReply | null;
  /** How much of it was told. */
  told: GrowthMark;
  status: Message['status'];
}

/** Tells one client about one chat. */
export interface ConversationTeller {
  /** Where the client stands once it knows all that was told. */
  readonly cursor: string;
  /** What has to be told; null: nothing. `reading` null: the chat is gone. `live`: the reply that is being written now. */
  compare(reading: ChatReading | null, live: LiveReply | null): Finding | null;
  /** The events for a finding; `live` as it is now. */
  tell(finding: Finding, live: LiveReply | null): string[];
  /** The text of the events for how the reply has grown since; empty: it hasn't. */
  grow(live: LiveReply): string;
  /** What was told may never have been: the next finding is all there is. */
  forget(): void;
}

/** A teller for a client that has that cursor; null: it knows nothing. */
export function createConversationTeller(cursor: Cursor | null): ConversationTeller {
  let resumeAt = cursor;
  let isSynced = false;
  let structure = 0;
  let chatJson = '';
  /** Everything up to here is final and told. */
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

  /** Whether a row is behind what is told of the reply from memory. */
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
    // More was told from memory than the row holds, and the turn has just ended: its end is the next thing to be found.
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

/** The last message up to which everything is final, when that was `start` and `marks` come after it. */
function endOf(marks: MessageMark[], start: End): End {
  let end = start;
  for (const mark of marks) {
    if (!isFinal(mark)) break;
    end = { seq: mark.seq, messageId: mark.id };
  }
  return end;
}

/** Whether none of the messages that were told has gone. */
function holdsAll(marks: MessageMark[], told: ReadonlyMap<number, string>): boolean {
  return told.size === 0 || marks.filter(({ seq }) => told.has(seq)).length === told.size;
}

/** The events for what has come at the ends of a reply of which `before` was told. */
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
