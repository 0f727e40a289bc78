import { describe, expect, it } from 'vitest';
import { ApiProblem } from '../../../../renderer/api/problem.ts';
import {
  describeDataProblem,
  describeFinding,
  describeResult,
} from '../../../../renderer/settings/data/data-words.ts';
import { fileNameIn } from '../../../../renderer/api/files.ts';
import {
  readExport,
  sendParts,
  UnfitFile,
  type ImportProgress,
} from '../../../../renderer/settings/data/split-import.ts';
import type { ExportFile, ImportResult } from '../../../../shared/api/data.ts';
import { exportedChat, exportFileOf, said } from '../../../support/exported.ts';

const fileOf = (content: unknown): Blob =>
  new Blob([typeof content === 'string' ? content : JSON.stringify(content)]);
const MIB = 1024 * 1024;
const chatOf = (characters: number): ReturnType<typeof exportedChat> =>
  exportedChat([said('é'.repeat(characters))]);

const unfit = async (content: unknown): Promise<string> => {
  const problem: unknown = await readExport(fileOf(content)).catch((error: unknown) => error);
  return problem instanceof UnfitFile ? problem.reason.kind : 'fits';
};

describe('an export file', () => {
  it('is taken apart into parts under 8 MiB, counted in bytes, and nothing is lost or moved', async () => {
    const chats = [3, 1, 1, 9, 0.1, 3].map((mib) => chatOf((mib * MIB) / 2));
    const parts = await readExport(fileOf(exportFileOf(...chats)));
    expect(parts.flat()).toEqual(chats);
    expect(parts.map((part) => part.length)).toEqual([3, 1, 2]);
  });

  it('is taken apart into parts of at most 1,000 chats', async () => {
    const chats = Array.from({ length: 2_001 }, () => exportedChat([]));
    const parts = await readExport(fileOf(exportFileOf(...chats)));
    expect(parts.map((part) => part.length)).toEqual([1_000, 1_000, 1]);
  });

  it.each([
    ['hello', 'not_json'],
    ['', 'not_json'],
    ['null', 'not_an_export'],
    ['[]', 'not_an_export'],
    [{ format: 'parley-export', version: 1 }, 'not_an_export'],
    [{ ...exportFileOf(), version: 2 }, 'newer'],
    [{ format: 'parley-backup', version: 1 }, 'is_a_backup'],
    ['\u001f\u008bgzip', 'is_a_backup'],
    [exportFileOf(), 'fits'],
  ])('is told from what is none: %j', async (content, kind) => {
    expect(await unfit(content)).toBe(kind);
  });

  it.each([JSON.stringify(exportFileOf(chatOf(9))), JSON.stringify(exportFileOf(), null, 2)])(
    'that was cut off is not called something else: %j',
    async (text) => {
      expect(await unfit(text.slice(0, -5))).toBe('damaged');
      expect(await unfit(`\ufeff${text.slice(0, 40)}`)).toBe('damaged');
    },
  );

  it('may begin with a byte order mark', async () => {
    expect(await unfit(`\ufeff${JSON.stringify(exportFileOf())}`)).toBe('fits');
  });
});

describe('an import in parts', () => {
  const three = [[chatOf(1)], [chatOf(1), chatOf(1)], [chatOf(1)]];

  it('adds up what came of the parts, and tells how far it is', async () => {
    const progress: ImportProgress[] = [];
    const importChats = async ({ chats }: ExportFile): Promise<ImportResult> => ({
      imported: chats.length - 1,
      copied: 0,
      skipped: 1,
      chatIds: chats.slice(1).map(({ chat }) => chat.id),
      mended: 0,
      leftOut: 1,
      problems: [{ chat: chats.length, title: 'T', message: 2, what: 'It was left out.' }],
    });
    const result = await sendParts({ importChats }, three, (step) => progress.push(step));
    expect(result).toMatchObject({ imported: 1, copied: 0, skipped: 3, chatIds: [three[1]?.[1]?.chat.id] });
    expect(describeResult(result)).toBe(
      '1 chat imported, 3 were already here. 3 items could not be imported and were left out.',
    );
    expect(result.problems.map(describeFinding)).toEqual(
      [1, 3, 4].map(() => '“T”, message 2: It was left out.'),
    );
    expect(result.problems.map(({ chat }) => chat)).toEqual([1, 3, 4]);
    expect(progress.map(({ done }) => done)).toEqual([0, 1, 3, 4]);
  });

  it.each([
    ['storage_full', 'The disk or Parley’s storage is full.'],
    ['storage_unavailable', 'Parley could not write to the disk.'],
    ['invalid_request', 'Why. 1 chat was imported before that.'],
  ] as const)('that was stopped with %s says why, of the whole file', async (code, words) => {
    const importChats = async ({ chats }: ExportFile): Promise<ImportResult> => {
      if (chats.length === 1)
        return { imported: 1, copied: 0, skipped: 0, chatIds: ['a'], mended: 0, leftOut: 0, problems: [] };
      throw new ApiProblem(400, code, 'Why.', []);
    };
    const problem: unknown = await sendParts({ importChats }, three, () => undefined).catch(
      (error: unknown) => error,
    );
    expect(describeDataProblem(problem).startsWith(words)).toBe(true);
  });
});

describe('the name of a download', () => {
  it.each([
    [`attachment; filename="a.md"; filename*=UTF-8''a%20%C3%A9.md`, 'a é.md'],
    ['attachment', 'parley'],
    [`attachment; filename*=UTF-8''%zz`, 'parley'],
    [null, 'parley'],
  ])('in %s is %s', (header, name) => {
    expect(fileNameIn(header)).toBe(name);
  });
});
