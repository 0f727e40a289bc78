/** Prepares the files of a message's steps for the store: only those whose bytes are there. */
import type { ExportedMessage } from '../../shared/api/data.ts';
import type { Step } from '../../shared/api/message.ts';
import { MAX_STEP_FILE_BYTES, MAX_STEP_FILES } from '../../shared/limits.ts';
import { storableText } from '../lib/clean-name.ts';
import { MAX_FILE_NAME_CHARACTERS, mediaTypeOf } from '../lib/media-type.ts';
import type { ImportedFile } from '../store/import-repository.ts';

/** Without groups: they would fail on a long text. */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const MAX_CHARACTERS = Math.ceil(MAX_STEP_FILE_BYTES / 3) * 4;

/** The bytes of a step's files that can be kept, by position; null for the others. */
function keptData({ fileData = {} }: ExportedMessage, { files = [] }: Step): (string | null)[] {
  return files.map(({ id }, position) => {
    const data = Object.hasOwn(fileData, id) ? (fileData[id] ?? '') : null;
    const isSound =
      data !== null && data.length <= MAX_CHARACTERS && data.length % 4 === 0 && BASE64.test(data);
    return isSound && position < MAX_STEP_FILES ? data : null;
  });
}

/** How many files named by a message's steps can't be kept: usually because a message had more than an export includes. */
export const countFilesLeftOut = (message: ExportedMessage): number =>
  (message.steps ?? []).flatMap((step) => keptData(message, step)).filter((data) => data === null).length;

/** The steps with the files that can be kept, under new ids, and those files. */
export function settleFiles(
  message: ExportedMessage,
  steps: readonly Step[],
  newId: () => string,
): { steps: Step[]; files: ImportedFile[] } {
  const files: ImportedFile[] = [];
  const settled = steps.map((named): Step => {
    const { files: told = [], ...step } = named;
    const all = keptData(message, named);
    const kept = told.flatMap(({ name, mediaType }, position): ImportedFile[] => {
      const data = all[position] ?? null;
      if (data === null) return [];
      const bytes = Buffer.byteLength(data, 'base64');
      const plain = storableText(name)
        .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
        .trim();
      const cut = plain.slice(0, MAX_FILE_NAME_CHARACTERS).toWellFormed() || 'file';
      return [{ id: newId(), name: cut, mediaType: mediaTypeOf(mediaType), bytes, position, data }];
    });
    files.push(...kept);
    return kept.length === 0
      ? step
      : { ...step, files: kept.map(({ id, name, mediaType, bytes }) => ({ id, name, mediaType, bytes })) };
  });
  return { steps: settled, files };
}
