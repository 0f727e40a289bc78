import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  NOTHING_KNOWN,
  reduceConversation,
  type ConversationState,
} from '../../../renderer/chats/conversation-events.ts';
import type { ConversationEvent } from '../../../shared/api/event.ts';
import { aChat, aMessage } from '../support/conversations.ts';

const reduce = (events: ConversationEvent[], state = NOTHING_KNOWN): ConversationState =>
  events.reduce(reduceConversation, state);
const sync = (whole: boolean, ...ids: string[]): ConversationEvent => ({
  type: 'sync',
  chat: aChat(),
  messages: ids.map((id) => aMessage(id)),
  whole,
});
const ids = ({ messages }: ConversationState): string[] => messages.map(({ id }) => id);

describe('the reducer', () => {
  test('a whole sync is all there is; one of the end takes the place of the end', () => {
    const state = reduce([sync(true, 'u1', 'a1', 'u2')]);
    expect(ids(reduce([sync(false, 'a2', 'u3')], state))).toEqual(['u1', 'a1', 'u2', 'a2', 'u3']);
    expect(ids(reduce([sync(false, 'a1', 'u3')], state))).toEqual(['u1', 'a1', 'u3']);
    expect(ids(reduce([sync(false)], state))).toEqual(['u1', 'a1', 'u2']);
    expect(ids(reduce([sync(true, 'u9')], state))).toEqual(['u9']);
  });

  test('text is added where it stands, and told twice it is there once', () => {
    const open = aMessage('a1', { status: 'streaming', content: 'Hello' });
    const state = reduce([sync(true, 'u1'), { type: 'message', message: open }]);
    const delta = { type: 'delta', messageId: 'a1', offset: 5, text: ' you' } as const;
    const grown = reduce([delta], state);
    expect(grown.messages[1]?.content).toBe('Hello you');
    expect(reduce([delta], grown).messages[1]?.content).toBe('Hello you');
    expect(reduce([{ ...delta, offset: 7 }], state)).toBe(state);
    expect(reduce([{ ...delta, messageId: 'nobody' }], state)).toBe(state);
  });

  test('what the model thinks grows as the text does, beside it', () => {
    const open = aMessage('a1', { status: 'streaming', content: 'Hello' });
    const state = reduce([sync(true, 'u1'), { type: 'message', message: open }]);
    const first = { type: 'reasoning', messageId: 'a1', offset: 0, text: 'They ' } as const;
    const begun = reduce([first], state);
    expect(begun.messages[1]).toMatchObject({ content: 'Hello', reasoning: 'They ' });
    const second = { ...first, offset: 5, text: 'greet.' };
    const grown = reduce([first, second, second], begun);
    expect(grown.messages[1]?.reasoning).toBe('They greet.');
    expect(reduce([second], state)).toBe(state);
    expect(reduce([{ ...first, messageId: 'nobody' }], state)).toBe(state);
  });

  test('what an event leaves as it was keeps its identity', () => {
    const state = reduce([sync(true, 'u1', 'a1')]);
    expect(reduce([sync(true, 'u1', 'a1'), sync(false, 'a1'), { type: 'chat', chat: aChat() }], state)).toBe(
      state,
    );
    expect(reduce([{ type: 'message', message: aMessage('a1') }], state)).toBe(state);
    const changed = reduce([{ type: 'message', message: aMessage('a1', { content: 'other' }) }], state);
    expect(changed.messages[0]).toBe(state.messages[0]);
    expect(changed.chat).toBe(state.chat);
    const renamed = reduce([{ type: 'chat', chat: aChat({ title: 'Other' }) }], state);
    expect(renamed.messages).toBe(state.messages);
    const steps = [{ id: 's', tool: 't', status: 'running' as const, input: { a: [1] } }];
    const stepped = reduce([{ type: 'message', message: aMessage('a1', { steps }) }], state);
    expect(
      reduce([{ type: 'message', message: aMessage('a1', { steps: structuredClone(steps) }) }], stepped),
    ).toBe(stepped);
  });

  test('nothing is shown of a chat that is gone, and all of it once it is back', () => {
    const gone = reduce([sync(true, 'u1'), { type: 'gone' }]);
    expect(gone).toEqual({ ...NOTHING_KNOWN, isGone: true });
    expect(reduce([{ type: 'gone' }], gone)).toBe(gone);
    const back = reduce([sync(true, 'u1')], gone);
    expect([back.isGone, ids(back)]).toEqual([false, ['u1']]);
  });

  test('a stream that is read from any point on ends with what the service knows', () => {
    // A model of the service: a list that changes, and the events that say how.
    const change = fc.record({
      kind: fc.constantFrom('new', 'grow', 'grow', 'finish', 'edit'),
      text: fc.string({ maxLength: 5 }),
    });
    fc.assert(
      fc.property(fc.array(fc.record({ change, isCut: fc.boolean() }), { maxLength: 40 }), (happenings) => {
        let truth: ConversationState = { ...NOTHING_KNOWN, chat: aChat() };
        let client = reduce([sync(true)]);
        for (const [
          index,
          {
            change: { kind, text },
            isCut,
          },
        ] of happenings.entries()) {
          const last = truth.messages.at(-1);
          const reported: ConversationEvent[] = [];
          if (kind === 'new')
            reported.push({
              type: 'message',
              message: aMessage(`a${index}`, { status: 'streaming', content: '' }),
            });
          if (kind === 'grow' && last?.status === 'streaming' && text !== '')
            reported.push({ type: 'delta', messageId: last.id, offset: last.content.length, text });
          if (kind === 'finish' && last)
            reported.push({ type: 'message', message: { ...last, status: 'complete' } });
          const edited = kind === 'edit' ? truth.messages.slice(0, -1) : null;
          truth = edited ? { ...truth, messages: edited } : reduce(reported, truth);
          const end = (from: number, whole: boolean): ConversationEvent => ({
            type: 'sync',
            chat: aChat(),
            messages: truth.messages.slice(from),
            whole,
          });
          const place = truth.messages.findIndex(({ status }) => status === 'streaming');
          if (edited) client = reduce([end(0, true)], client);
          else if (!isCut) client = reduce(reported, client);
          else client = reduce([place > 0 ? end(place, false) : end(0, true)], client);
          expect(client.messages).toEqual(truth.messages);
        }
      }),
    );
  });
});
