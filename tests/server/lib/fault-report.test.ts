import { describe, expect, it, onTestFinished } from 'vitest';
import { AppError } from '../../../server/errors.ts';
import { describeFault, nameFault } from '../../../server/lib/fault-report.ts';
import { openTempStore } from '../../support/store.ts';

const TEXT = 'my “secret” diary\'s words, "quoted" [and] `marked`';

const thrownBy = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('It did not throw.');
};

describe('what is reported of a fault', () => {
  it.each([
    ['JSON that is none', (): unknown => JSON.parse(TEXT)],
    ['JSON that breaks off', (): unknown => JSON.parse(`{"${TEXT.replaceAll('"', '')}" 1}`)],
    ['a property of a text', () => Object.assign(TEXT.slice() as unknown as object, { 0: 'x' })],
    ['a number that is none', () => BigInt(TEXT)],
    ['a URL that is none', () => new URL(TEXT)],
  ])('holds nothing of the text: %s', (_what, work) => {
    const error = thrownBy(work);
    const report = describeFault(error);
    for (const word of ['secret', 'diary', 'words', 'quoted', 'marked']) expect(report).not.toContain(word);
    expect(report).toContain((error as Error).name);
    expect(report).toContain('fault-report.test');
  });

  it('holds nothing of the text when it was thrown itself, or is in the message of a model’s error', () => {
    const model = Object.assign(new Error(`JSON parsing failed: Text: ${TEXT}.`), { statusCode: 400 });
    model.name = 'AI_JSONParseError';
    for (const thrown of [TEXT, { TEXT }, model]) {
      expect(describeFault(thrown)).not.toContain('diary');
      expect(nameFault(thrown)).not.toContain('diary');
    }
    expect(nameFault(model)).toBe('AI_JSONParseError (status 400)');
    expect(describeFault(undefined)).toContain('undefined');
  });

  it('holds nothing of what was searched for when SQLite chokes on it', async () => {
    const temp = await openTempStore();
    onTestFinished(() => temp.remove());
    const { store } = temp;
    await store.write((writer) => writer.run('CREATE VIRTUAL TABLE texts USING fts4(content)'));
    const error = thrownBy(() =>
      store.read((reader) => reader.all('SELECT docid FROM texts WHERE texts MATCH ?', ['"diary AND ('])),
    );
    expect(describeFault(error)).not.toContain('diary');
    const params = thrownBy(() =>
      store.read((reader) => reader.all('SELECT nought FROM chats WHERE title = ?', ['diary'])),
    );
    expect(describeFault(params)).not.toContain('diary');
    expect(describeFault(params)).toContain('no such column');
  });

  it('does not take a message of several lines for the stack', () => {
    const error = new Error('one\n    at my secret place (diary:1:2)\nthree');
    const report = describeFault(error);
    expect(report.split('\n').slice(1).join()).not.toContain('diary');
    expect(report.split('\n')[0]).toBe('Error: one at my secret place (diary:1:2) three');
  });

  it('says what the system said, and what lies behind', () => {
    const system = Object.assign(new Error("ENOSPC: no space left on device, write '/data/x'"), {
      code: 'ENOSPC',
      syscall: 'write',
    });
    expect(nameFault(system)).toBe(system.message);
    const report = describeFault(new AppError('storage_full', undefined, { cause: system }));
    expect(report).toMatch(/^AppError \[storage_full\]: The disk was full/);
    expect(report).toContain("caused by Error: ENOSPC: no space left on device, write '/data/x'");
  });

  it('keeps the name of a missing property', () => {
    const report = describeFault(thrownBy(() => (undefined as unknown as { diary: string }).diary));
    expect(report).toContain('reading ‹diary›');
  });
});
