import { expect, test } from 'vitest';
import { isFinal, type MessageMark } from '../../../server/store/stream-rows.ts';
import type { ChatReading } from '../../../server/events/chat-reading.ts';
import { createConversationDiff } from '../../../server/events/conversation-diff.ts';
import type { LiveReply } from '../../../server/turns/live-reply.ts';
import { NO_GROWTH } from '../../../shared/growth.ts';

/** A chat with a question and a reply that stands like this in its row. */
function readingOf(status: 'pending' | 'streaming' | 'complete', content: string): ChatReading {
  const messages = [
    { role: 'user', id: 'u', status: 'complete', content: 'hello' },
    { role: 'assistant', id: 'a', status, content },
  ] as const;
  const marks = messages.map((message, index): MessageMark => ({
    seq: index + 1,
    id: message.id,
    role: message.role,
    status: message.status,
    mark: `${message.status}.${message.content.length}`,
  }));
  return {
    workspaceId: 'w',
    chatJson: `{"status":"${status}"}`,
    structure: 0,
    marksAfter: (afterSeq) => marks.filter(({ seq }) => seq > afterSeq),
    finalAfter: (start) => {
      const open = marks.findIndex((mark) => !isFinal(mark));
      const last = marks.slice(0, open === -1 ? marks.length : open).at(-1);
      return last === undefined || last.seq <= start.seq ? start : { seq: last.seq, messageId: last.id };
    },
    listAfter: (afterSeq) => JSON.stringify(messages.slice(afterSeq)),
    messageJson: (id) => JSON.stringify(messages.find((message) => message.id === id)),
    seqOf: () => null,
  };
}

/** A reply that is being written; what this returns grows it. */
function beginReply(): (content: string, reasoning?: string) => LiveReply {
  const reply = { replyId: 'a', growth: NO_GROWTH };
  return (content, reasoning = '') => Object.assign(reply, { growth: { ...NO_GROWTH, content, reasoning } });
}

/** Tells what is found, and returns the events' types. */
function tell(
  teller: ReturnType<typeof createConversationDiff>,
  reading: ChatReading,
  reply: LiveReply | null,
): string[] {
  const events = teller.compare(reading, reply)?.(reply) ?? [];
  const text = events.map((event) => (typeof event === 'string' ? event : event.begin)).join('');
  return [...text.matchAll(/^event: (.*)$/gm)].map(([, type]) => type ?? '');
}

test('a reply told from memory is not taken back when its turn has ended and its row is yet to follow', () => {
  const teller = createConversationDiff(null);
  const live = beginReply();
  expect(tell(teller, readingOf('pending', ''), live(''))).toEqual(['sync']);
  expect(teller.grow(live('Hello'))).toContain('"content":"Hello"');
  expect(teller.grow(live('Hello there'))).toContain('"offset":5,"text":" there"');
  expect(tell(teller, readingOf('streaming', 'Hel'), null)).toEqual(['chat']);
  expect(tell(teller, readingOf('complete', 'Hello there'), null)).toEqual(['message', 'chat']);
});

test('nothing is told when nothing has changed, and a row that follows what was told is no change', () => {
  const teller = createConversationDiff(null);
  const live = beginReply();
  tell(teller, readingOf('streaming', 'Hel'), live('Hello'));
  expect(tell(teller, readingOf('streaming', 'Hello'), live('Hello'))).toEqual([]);
  expect(teller.grow(live('Hello'))).toBe('');
});

test('a reply that begins anew is told whole, also when it is as long as it was', () => {
  const teller = createConversationDiff(null);
  const live = beginReply();
  tell(teller, readingOf('streaming', 'Hello'), live('Hello'));
  expect(teller.grow(beginReply()('Other'))).toContain('"content":"Other"');
});

test('what the model thinks is told as it grows, beside the text', () => {
  const teller = createConversationDiff(null);
  const live = beginReply();
  const thinking = (reasoning: string, content = ''): LiveReply => live(content, reasoning);
  expect(tell(teller, readingOf('pending', ''), thinking(''))).toEqual(['sync']);
  const first = teller.grow(thinking('They'));
  expect(first).toContain('event: message\n');
  expect(first).toContain('"reasoning":"They"');
  expect(teller.grow(thinking('They ask'))).toBe(
    'event: reasoning\ndata: {"messageId":"a","offset":4,"text":" ask"}\n\n',
  );
  const both = teller.grow(thinking('They ask.', 'Hello'));
  expect(both).toContain('event: reasoning\ndata: {"messageId":"a","offset":8,"text":"."}');
  expect(both).toContain('event: delta\ndata: {"messageId":"a","offset":0,"text":"Hello"}');
  expect(teller.grow(thinking('They ask.', 'Hello'))).toBe('');
});

test('half a character is told and completed by the next piece', () => {
  const teller = createConversationDiff(null);
  const live = beginReply();
  tell(teller, readingOf('streaming', 'a'), live('a'));
  expect(teller.grow(live('a\ud83d'))).toContain('"text":"\\ud83d"');
  expect(teller.grow(live('a\ud83d\ude00'))).toContain('"offset":2,"text":"\\ude00"');
});

test('after a change that may never have been, everything is told anew', () => {
  const teller = createConversationDiff(null);
  tell(teller, readingOf('complete', 'Hello'), null);
  teller.forget();
  expect(tell(teller, readingOf('pending', ''), null)).toEqual(['sync']);
});
