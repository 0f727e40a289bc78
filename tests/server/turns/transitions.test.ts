import fc from 'fast-check';
import { CHAT_STATUSES, type ChatStatus, isUnsettled } from '../../../shared/choices.ts';
import { describe, expect, test } from 'vitest';
import {
  MAX_ATTEMPTS,
  nextState,
  type StatusEvent,
  type ChatState,
} from '../../../server/turns/transitions.ts';

const EVENTS: StatusEvent[] = [
  'send',
  'take',
  'reply',
  'follow_up_done',
  'fail',
  'stop',
  'recover',
  'release',
  'cancel',
  'interrupt',
];

/** `status attempts waiting`, with a `+` when a reply is unfinished: "processing 1 0+". */
const parse = (text: string): ChatState => {
  const [status = '', attempts = '', waiting = ''] = text.split(' ');
  return {
    status: status as ChatStatus,
    attempts: Number(attempts),
    waiting: parseInt(waiting, 10),
    unfinished: waiting.endsWith('+'),
  };
};

describe('a chat', () => {
  test.each<[string, StatusEvent, string | null]>([
    ['idle 0 0', 'send', 'pending 0 1'],
    ['failed 0 0', 'send', 'pending 0 1'],
    ['stopped 0 0', 'send', 'pending 0 1'],
    ['pending 0 1', 'send', 'pending 0 2'],
    ['processing 1 0+', 'send', 'pending 1 1+'],
    ['completed 0 0', 'send', 'pending 0 1'],

    ['pending 0 1', 'take', 'processing 1 0+'],
    ['pending 0 3', 'take', 'processing 1 2+'],
    ['pending 0 0+', 'take', 'processing 1 0+'],
    ['pending 2 1+', 'take', 'processing 3 1+'],
    ['pending 0 0', 'take', null],
    ['processing 1 0+', 'take', null],
    ['completed 0 1', 'take', null],
    ['idle 0 0', 'take', null],

    ['processing 1 0+', 'reply', 'completed 0 0'],
    ['processing 1 2+', 'reply', 'completed 0 2'],
    ['pending 1 1+', 'reply', 'completed 0 1'],
    ['stopped 0 0', 'reply', null],
    ['pending 0 1', 'reply', null],

    ['completed 0 0', 'follow_up_done', 'idle 0 0'],
    ['completed 0 1', 'follow_up_done', 'pending 0 1'],
    ['pending 0 1', 'follow_up_done', null],
    ['idle 0 0', 'follow_up_done', null],

    ['processing 1 0+', 'fail', 'failed 0 0'],
    ['processing 1 1+', 'fail', 'pending 0 1'],
    ['pending 1 1+', 'fail', 'pending 0 1'],
    ['stopped 0 0', 'fail', null],

    ['pending 0 2', 'stop', 'stopped 0 0'],
    ['pending 1 1+', 'stop', 'stopped 0 0'],
    ['processing 1 0+', 'stop', 'stopped 0 0'],
    ['completed 0 0', 'stop', 'stopped 0 0'],
    ['idle 0 0', 'stop', null],
    ['failed 0 0', 'stop', null],
    ['stopped 0 0', 'stop', null],

    ['pending 0 1', 'recover', 'pending 0 1'],
    ['processing 1 0+', 'recover', 'pending 1 0+'],
    ['pending 2 1+', 'recover', 'pending 2 1+'],
    ['processing 3 0+', 'recover', 'failed 0 0'],
    ['processing 3 1+', 'recover', 'pending 0 1'],
    ['pending 3 1+', 'recover', 'pending 0 1'],
    ['completed 0 0', 'recover', 'idle 0 0'],
    ['completed 0 1', 'recover', 'pending 0 1'],
    ['idle 0 0', 'recover', null],

    ['processing 1 0+', 'release', 'pending 0 0+'],
    ['processing 3 1+', 'release', 'pending 2 1+'],
    ['pending 1 1+', 'release', 'pending 0 1+'],
    ['pending 0 1', 'release', null],
    ['completed 0 0', 'release', null],

    ['pending 0 0', 'cancel', 'idle 0 0'],
    ['pending 0 1', 'cancel', null],
    ['pending 1 0+', 'cancel', 'processing 1 0+'],
    ['pending 1 1+', 'cancel', null],
    ['pending 0 0+', 'cancel', null],
    ['completed 0 0', 'cancel', null],

    ['pending 1 1+', 'interrupt', 'pending 0 1'],
    ['pending 0 2+', 'interrupt', 'pending 0 2'],
    ['processing 1 0+', 'interrupt', null],
    ['pending 0 1', 'interrupt', null],
    ['completed 0 1', 'interrupt', null],
  ])('that is %s after "%s" is %s', (before, event, after) => {
    expect(nextState(parse(before), event)).toEqual(after === null ? null : parse(after));
  });

  test('never gets into a state that lies or lasts, whatever happens in whatever order', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...EVENTS), { maxLength: 60 }), (events) => {
        let state: ChatState = parse('idle 0 0');
        for (const event of events) {
          if (event === 'cancel') {
            if (state.waiting === 0) continue;
            state = { ...state, waiting: state.waiting - 1 };
          }
          state = nextState(state, event) ?? state;
          const hasWork = state.waiting > 0 || state.unfinished;
          if (!isUnsettled(state.status)) expect(hasWork, 'at rest with work left').toBe(false);
          if (state.status === 'pending') expect(hasWork, 'pending with no work').toBe(true);
          if (state.status === 'processing') expect(state.unfinished, 'processing nothing').toBe(true);
          if (state.status === 'completed') expect(state.unfinished, 'completed too early').toBe(false);
          if (!state.unfinished) expect(state.attempts, 'attempts at nothing').toBe(0);
          expect(state.attempts).toBeLessThanOrEqual(MAX_ATTEMPTS + events.length);
        }
        for (let turns = 0; isUnsettled(state.status); turns += 1) {
          expect(turns, 'work without end').toBeLessThan(200);
          for (const event of ['recover', 'take', 'reply', 'follow_up_done'] as const) {
            state = nextState(state, event) ?? state;
          }
        }
        expect(state.waiting).toBe(0);
      }),
    );
  });

  test('can be sent to in every status', () => {
    for (const status of CHAT_STATUSES) {
      expect(nextState({ status, attempts: 0, waiting: 0, unfinished: false }, 'send')?.status).toBe(
        'pending',
      );
    }
  });
});
