import { basename } from 'node:path';
import type { ResolvedPath } from './resolve-path.ts';
import { readAtMost } from './read-file.ts';
import { withFile } from './safe-open.ts';
import { readContent } from './text.ts';

/** Largest file, and longest text, that are compared. */
const MAX_BYTES = 256 * 1024;
/** Longest comparison that is shown: a person has to read it. */
const MAX_CHARACTERS = 20_000;
/** Longest time that comparing may block the service, in milliseconds. */
const COMPARING_MS = 50;
/** Longest time that reading may take, in milliseconds. */
const READING_MS = 5_000;

/** The changes from replacing a file by `text`, as hunks of a unified diff; null: they can't be shown in full. */
export async function diffFile(resolved: ResolvedPath, text: string): Promise<string | null> {
  if (text.length > MAX_BYTES || resolved.stats === null || resolved.stats.size > MAX_BYTES) return null;
  const signal = AbortSignal.timeout(READING_MS);
  const reading = withFile(resolved, (handle) => readAtMost(handle, MAX_BYTES, signal));
  const bytes = await reading.catch(() => null);
  const content = bytes === null ? null : await readContent(bytes, basename(resolved.real));
  if (content === null || 'guess' in content) return null;
  const { createTwoFilesPatch, OMIT_HEADERS } = await import('diff');
  const options = { context: 3, timeout: COMPARING_MS, headerOptions: OMIT_HEADERS };
  const before = content.hasMark ? `\ufeff${content.text}` : content.text;
  const diff = createTwoFilesPatch('', '', before, text, '', '', options);
  return diff === undefined || diff.length > MAX_CHARACTERS ? null : diff.replace(/\n$/, '');
}
