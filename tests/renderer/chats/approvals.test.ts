import { afterEach, expect, test, vi } from 'vitest';
import type { ApprovalBody } from '../../../shared/api/approval.ts';
import type { Chat } from '../../../shared/api/chat.ts';
import { ApiProblem, ConnectionProblem } from '../../../renderer/api/problem.ts';
import { approvalCommands } from '../../../renderer/chats/approval-commands.ts';
import { Approvals } from '../../../renderer/chats/approvals.svelte.ts';
import type { Conversation } from '../../../renderer/chats/conversation.svelte.ts';
import { aChat, aMessage } from '../support/conversations.ts';
import { aPendingStep } from '../support/pending-steps.ts';

const EXPIRES = Date.parse(aPendingStep().approval.expiresAt);

afterEach(() => void vi.useRealTimers());

/** Answers of one chat, over a service that does as it is told. */
function open(outcome: Error | null = null, now = EXPIRES - 60_000) {
  vi.useFakeTimers({ toFake: ['Date'], now });
  const sent: [string, string, ApprovalBody][] = [];
  const noted: Chat[] = [];
  const conversation = {
    chatId: 'c',
    working: true,
    messages: [aMessage('a1', { status: 'streaming', steps: [aPendingStep()] })],
    note: (chat: Chat) => noted.push(chat),
  };
  const outcomes = [outcome];
  const approvals = new Approvals({
    api: {
      answerApproval: (...call) => {
        sent.push(call);
        const problem = outcomes.shift() ?? null;
        return problem === null ? Promise.resolve(aChat({ id: 'c' })) : Promise.reject(problem);
      },
    },
    conversation: () => conversation,
  });
  return { approvals, conversation, sent, noted };
}

test('an answer is sent once, however often the button is pressed, and stands until the step has changed', async () => {
  const { approvals, sent, noted } = open();
  const step = aPendingStep();
  await Promise.all([
    approvals.answer(step, 'once'),
    approvals.answer(step, 'once'),
    approvals.answer(step, 'deny'),
  ]);
  await approvals.answer(step, 'deny');
  expect(sent).toEqual([['c', 'approval', { decision: 'approve' }]]);
  expect(noted).toHaveLength(1);
  expect(approvals.stateOf(step)).toEqual({ given: 'once', problem: null, isOver: false });
});

test('“always” is an approval that is remembered, and no is no', async () => {
  const one = open();
  await one.approvals.answer(aPendingStep(), 'always');
  expect(one.sent[0]?.[2]).toEqual({ decision: 'approve', remember: true });
  const other = open();
  await other.approvals.answer(aPendingStep(), 'deny');
  expect(other.sent[0]?.[2]).toEqual({ decision: 'deny' });
});

test('each question has an answer of its own', async () => {
  const { approvals, sent } = open();
  const second = aPendingStep({ approval: { ...aPendingStep().approval, id: 'second' } });
  await approvals.answer(aPendingStep(), 'deny');
  expect(approvals.stateOf(second).given).toBeNull();
  await approvals.answer(second, 'once');
  expect(sent.map(([, id]) => id)).toEqual(['approval', 'second']);
});

test('an answer that did not get there can be given again', async () => {
  const { approvals, sent } = open(new ConnectionProblem('gone'));
  const step = aPendingStep();
  await approvals.answer(step, 'once');
  expect(approvals.stateOf(step)).toEqual({
    given: null,
    problem: 'Your answer was not received. There is no connection to Parley’s service.',
    isOver: false,
  });
  await approvals.answer(step, 'once');
  expect(sent).toHaveLength(2);
  expect(approvals.stateOf(step)).toMatchObject({ given: 'once', problem: null });
});

test.each([
  ['the time was over', 409, 'conflict', EXPIRES + 1, 'It was too late to answer, which counts as a no.'],
  [
    'somebody else answered',
    409,
    'conflict',
    EXPIRES - 1,
    'No answer is needed any more: it was answered elsewhere, or the request has changed.',
  ],
  ['it is gone', 404, 'approval_not_found', EXPIRES - 1, 'This no longer needs an answer.'],
] as const)(
  'when %s, that is told, and there is nothing to answer any more',
  async (...[, status, code, now, reported]) => {
    const { approvals, sent } = open(new ApiProblem(status, code, 'x'), now);
    const step = aPendingStep();
    await approvals.answer(step, 'once');
    expect(approvals.stateOf(step)).toEqual({ given: null, problem: reported, isOver: true });
    await approvals.answer(step, 'once');
    expect(sent).toHaveLength(1);
  },
);

test('commands answer what is asked alone, and only show where several ask', async () => {
  const { approvals, conversation, sent } = open();
  const commands = approvalCommands(() => conversation as unknown as Conversation, approvals);
  const available = (): string[] =>
    commands.filter(({ isAvailable }) => isAvailable?.() ?? true).map(({ id }) => id);
  expect(available()).toEqual(['approval.show', 'approval.allow', 'approval.deny']);
  const second = aPendingStep({ id: 's2', approval: { ...aPendingStep().approval, id: 'second' } });
  conversation.messages = [aMessage('a1', { status: 'streaming', steps: [aPendingStep(), second] })];
  expect(available()).toEqual(['approval.show']);
  await commands.find(({ id }) => id === 'approval.deny')?.run();
  expect(sent).toEqual([]);
  conversation.messages = [aMessage('a1', { status: 'streaming', steps: [second] })];
  await commands.find(({ id }) => id === 'approval.deny')?.run();
  expect(sent).toEqual([['c', 'second', { decision: 'deny' }]]);
  expect(available()).toEqual(['approval.show']);
  conversation.messages = [aMessage('a1')];
  expect(available()).toEqual([]);
});
