import { expect, test } from 'vitest';
import type { HistoryExchange } from '../../../server/agents/branch.ts';
import { excerpt, extractSummary } from '../../../server/agents/extract.ts';

const exchange = (question: string, answer: string): HistoryExchange => {
  const row = {
    seq: 1,
    id: 'm',
    createdAt: '',
    attachments: null,
    steps: [],
    rounds: null,
    stopReason: null,
    replyTo: null,
    model: null,
    usage: null,
  };
  return {
    question: { ...row, role: 'user', content: question },
    reply: { ...row, role: 'assistant', content: answer },
  };
};
const never = new AbortController().signal;

test('short messages are kept word for word, in their order, with who said them', async () => {
  const made = await extractSummary(null, [exchange('My cat is Mio.\n', 'Noted!')], 2_000, never);
  expect(made).toBe('- The person: My cat is Mio.\n- The assistant: Noted!');
});

test('an earlier summary goes on, and the whole stays within its length', async () => {
  const long = 'The garden needs water. '.repeat(200);
  const many = Array.from({ length: 30 }, (_, index) => exchange(`Question ${index}. ${long}`, long));
  const made = await extractSummary('- The person: My cat is Mio.', many.slice(0, 3), 1_500, never);
  expect(made).toMatch(/^- The person: My cat is Mio\./);
  expect(made.length).toBeLessThanOrEqual(1_500);
  const full = await extractSummary('- The person: My cat is Mio.', many, 1_500, never);
  expect(full.length).toBeLessThanOrEqual(1_500);
  // What is oldest goes first.
  expect(full).toContain('Question 29');
});

test('of an earlier summary in one paragraph, as models write them, facts are kept however much came since', async () => {
  const facts = Array.from(
    { length: 40 },
    (_, item) => `Item ${item} is kept in drawer ${item * 7} of the cabinet.`,
  );
  for (const count of [2, 20, 120]) {
    const since = Array.from({ length: count }, (_, index) =>
      exchange(`Question ${index} on birds`, `Answer ${index}.`),
    );
    const made = await extractSummary(facts.join(' '), since, 6_000, never);
    expect(facts.filter((fact) => made.includes(fact))).toEqual(facts);
    expect(made).toContain(`Answer ${count - 1}.`);
    expect(made.length).toBeLessThanOrEqual(6_000);
  }
});

test('an earlier summary without sentences or lines is not lost, though it is cut', async () => {
  const made = await extractSummary('Mio '.repeat(300), [exchange('x'.repeat(900), 'Noted.')], 800, never);
  expect(made).toMatch(/^Mio Mio .*…\n- The person: x+…\n- The assistant: Noted\.$/);
});

test('an excerpt says what a text begins with and is about', () => {
  const text = `We met in Lyon. ${'Nothing else was said. '.repeat(40)}`;
  expect(excerpt(text, 120)).toMatch(/^We met in Lyon\./);
  expect(excerpt('x'.repeat(500), 50)).toHaveLength(50);
});

test('it ends when it is told to', async () => {
  await expect(extractSummary(null, [exchange('a', 'b')], 500, AbortSignal.abort())).rejects.toThrow();
});
