/** Export files for tests of imports, and random ones. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { ExportedChat, ExportedMessage, ExportFile } from '../../shared/api/data.ts';
import { anyCharacter } from './any-character.ts';

const TIME = '2026-11-20T09:30:00.000Z';

/** A user message of an export. */
export const said = (content: string, more: Partial<ExportedMessage> = {}): ExportedMessage => ({
  role: 'user',
  content,
  status: 'complete',
  createdAt: TIME,
  id: randomUUID(),
  mode: 'agent',
  ...more,
});

/** A reply of an export. */
export const replied = (
  content: string,
  replyTo: string,
  more: Partial<ExportedMessage> = {},
): ExportedMessage => ({
  role: 'assistant',
  content,
  status: 'complete',
  createdAt: TIME,
  id: randomUUID(),
  model: 'offline-assistant',
  stopReason: 'end',
  replyTo,
  ...more,
});

/** A chat of an export. */
export const exportedChat = (
  messages: ExportedMessage[],
  more: Partial<ExportedChat['chat']> = {},
): ExportedChat => ({
  chat: {
    id: randomUUID(),
    title: 'A chat',
    status: 'idle',
    model: 'offline-assistant',
    createdAt: TIME,
    updatedAt: TIME,
    workspaceId: 'elsewhere',
    agentType: 'orchestrator',
    pinned: false,
    archived: false,
    ...more,
  },
  titleSource: 'person',
  messages,
});

/** A file with those chats. */
export const exportFileOf = (...chats: ExportedChat[]): ExportFile => ({
  format: 'parley-export',
  version: 1,
  exportedAt: TIME,
  chats,
});

/** A file as the body of an import, in pieces. */
export async function* importBodyOf(file: unknown): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(JSON.stringify(file));
  for (let start = 0; start < bytes.length; start += 64 * 1024)
    yield bytes.subarray(start, start + 64 * 1024);
}

/** A message whose second version is the one that is listed; the first keeps its reply. */
export function twoVersions(): ExportedMessage[] {
  const first = said('first version');
  const second = said('second version', { versionOf: first.id, retryOf: null });
  const mine = { versionOf: first.id, retryOf: null, hiddenBy: first.id };
  return [
    { ...first, ...mine },
    replied('to the first', first.id, { hiddenBy: first.id }),
    second,
    replied('to the second', second.id),
  ];
}

/** Text with all that is hard to keep: NUL, halves of surrogate pairs, separators, quotes, emoji. */
const oddText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.constantFrom(
    '\0',
    'a\0b',
    '\ud800',
    'x\udc00y',
    '\u2028',
    '"\\"',
    '👩‍👩‍👧',
    '\ufeff',
    ']}',
    '`]}\n]}',
    '```',
  ),
  fc.string({ maxLength: 400 }),
);

const step = fc.record(
  {
    id: fc.string({ maxLength: 8 }),
    tool: fc.constantFrom('calculate', 'search_messages'),
    status: fc.constantFrom('done' as const, 'failed' as const),
    input: fc.jsonValue({ maxDepth: 3 }),
    output: fc.jsonValue({ maxDepth: 3 }),
    error: oddText,
  },
  { requiredKeys: ['id', 'tool', 'status', 'input'] },
);

/** One exchange: a message with its reply, in one version or in two. */
const exchange = fc
  .record({
    question: oddText,
    answer: oddText,
    steps: fc.array(step, { maxLength: 3 }),
    edited: fc.boolean(),
  })
  .map(({ question, answer, steps, edited }): ExportedMessage[] => {
    if (edited) {
      return twoVersions().map((message) => ({ ...message, content: message.content + question }));
    }
    const asked = said(question);
    const withSteps = steps.length === 0 ? {} : { steps };
    return [
      asked,
      replied(answer, asked.id, {
        ...withSteps,
        usage: { inputTokens: 3, outputTokens: 4 },
        timing: { totalMs: 7 },
      }),
    ];
  });

/** Any chat that could have been exported: with versions, odd text and tool steps; the ids are new each time. */
export const anyChat = fc
  .record({
    exchanges: fc.array(exchange, { maxLength: 6 }),
    title: fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }).map((title) => `A ${title}`.trim()),
    pinned: fc.boolean(),
    archived: fc.boolean(),
    status: fc.constantFrom('idle' as const, 'failed' as const, 'stopped' as const),
  })
  .map(({ exchanges, ...more }) => exportedChat(exchanges.flat(), more));
