import fc from 'fast-check';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Step } from '../../../shared/api/message.ts';
import { createReplySaver, type ReplySaver } from '../../../server/store/growing-reply.ts';
import { createMessage, findMessage, updateFinalReply } from '../../../server/store/message-repository.ts';
import type { Writer } from '../../../server/store/types.ts';
import { stoppedReply } from '../../../server/turns/final-reply.ts';
import { rounds } from '../../support/effort.ts';
import { openTempStore, type TempStore } from '../../support/store.ts';
import { anyCharacter } from '../../support/any-character.ts';

let temp: TempStore;
let replies = 0;

beforeEach(async () => {
  temp = await openTempStore();
  onTestFinished(() => temp.remove());
});

async function createReply(): Promise<{ id: string; save: ReplySaver }> {
  const id = `reply-${(replies += 1)}`;
  await temp.store.write((writer) =>
    createMessage(writer, {
      id,
      chatId: 'chat',
      workspaceId: 'workspace',
      role: 'assistant',
      content: '',
      status: 'pending',
      mode: null,
      model: 'm',
      steps: [],
      error: null,
      usage: null,
      stopReason: null,
      replyTo: 'question',
      versionOf: null,
      createdAt: '2026-11-20T12:00:00.000Z',
    } as Parameters<typeof createMessage>[1]),
  );
  return { id, save: createReplySaver(id) };
}

const read = (id: string) => temp.store.read((reader) => findMessage(reader, 'chat', id));

/** A writer that notes how many characters of text it was given. */
function counting(writer: Writer): { writer: Writer; characters: () => number } {
  let characters = 0;
  return {
    writer: {
      ...writer,
      run(sql, params) {
        characters += String(params?.[0]).length;
        return writer.run(sql, params);
      },
    },
    characters: () => characters,
  };
}

test('whatever is written, in whatever pieces, is what the row holds after a save, also read anew from disk', async () => {
  const piece = fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit: anyCharacter, maxLength: 6 }) },
    {
      weight: 2,
      arbitrary: fc.constantFrom('a', '\u{1f600}', '\ud83d', '\ude00', '\0', '"', '\\', 'é', '\n'),
    },
  );
  const write = fc.record({
    text: piece,
    kind: fc.constantFrom(
      'text',
      'text',
      'text',
      'thought',
      'thought',
      'step',
      'tried again',
      'changed by others',
    ),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 12 }), async (writes) => {
      const { id, save: first } = await createReply();
      let save = first;
      let content = '';
      let reasoning = '';
      let steps: Step[] = [];
      for (const { text, kind } of writes) {
        if (kind === 'tried again') {
          content = '';
          reasoning = '';
          save = createReplySaver(id);
        }
        if (kind === 'step') steps = [...steps, { id: 's', tool: 't', status: 'running', input: text }];
        if (kind === 'changed by others') {
          await temp.store.write((writer) =>
            writer.run('UPDATE messages SET content = ?, reasoning = NULL WHERE id = ?', ['', id]),
          );
        }
        if (kind === 'thought') reasoning += text;
        else content += text;
        const isSaved = await temp.store.write((writer) => save(writer, { content, steps, reasoning }));
        expect(isSaved).toBe(true);
        // Half a character at the end is saved once the other half is there.
        const whole = /[\ud800-\udbff]$/.test(content) ? content.slice(0, -1) : content;
        const thought = /[\ud800-\udbff]$/.test(reasoning) ? reasoning.slice(0, -1) : reasoning;
        expect(read(id)).toMatchObject({
          content: whole,
          steps,
          // What SQLite's text can't hold is replaced.
          reasoning: thought === '' ? null : thought.replaceAll('\0', '\ufffd').toWellFormed(),
          status: 'streaming',
        });
      }
      const before = read(id);
      await temp.reopen();
      expect(read(id)).toEqual(before);
    }),
    { numRuns: rounds(15) },
  );
});

test('a save writes what is new and no more, in text and in text kept as JSON', async () => {
  for (const first of ['plain', 'odd \ud83d half']) {
    const { save } = await createReply();
    const steps: Step[] = [];
    let content = first;
    await temp.store.write((writer) => save(writer, { content, steps, reasoning: '' }));
    for (let index = 0; index < 20; index += 1) {
      content += 'x'.repeat(100);
      await temp.store.write((writer) => {
        const counted = counting(writer);
        expect(save(counted.writer, { content, steps, reasoning: '' })).toBe(true);
        expect(counted.characters()).toBe(100);
      });
    }
  }
});

test('a save writes what is new of the reasoning and no more, with or without new text', async () => {
  const { id, save } = await createReply();
  const steps: Step[] = [];
  let content = '';
  let reasoning = 'First of all, ';
  await temp.store.write((writer) => save(writer, { content, steps, reasoning }));
  for (let index = 0; index < 20; index += 1) {
    reasoning += 'y'.repeat(50);
    if (index > 10) content += 'x'.repeat(50);
    await temp.store.write((writer) => {
      const counted = counting(writer);
      expect(save(counted.writer, { content, steps, reasoning })).toBe(true);
      expect(counted.characters()).toBe(index > 10 ? 100 : 50);
    });
  }
  expect(read(id)).toMatchObject({ content, reasoning });
});

test('a reply that is final is left as it is', async () => {
  const { id, save } = await createReply();
  const steps: Step[] = [];
  await temp.store.write((writer) => save(writer, { content: 'Hel', steps, reasoning: '' }));
  const seq = read(id)?.seq ?? 0;
  await temp.store.write((writer) =>
    updateFinalReply(writer, { seq }, stoppedReply({ content: 'Hel', steps })),
  );
  const before = read(id);
  const isSaved = await temp.store.write((writer) =>
    save(writer, { content: 'Hello', steps, reasoning: '' }),
  );
  expect(isSaved).toBe(false);
  expect(read(id)).toEqual(before);
});
