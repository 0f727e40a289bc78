/** Files to send, and what a service keeps of them. */
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileAnswer } from '../../shared/api/attachment.ts';
import type { TestAnswer, TestService } from './service.ts';

/** A picture of one pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A text of that many bytes; each seed gives a different one. */
export const textFile = (bytes: number, seed = 'a'): Buffer => Buffer.alloc(bytes, `${seed} line of text\n`);

export const base64 = (data: Buffer | string): string => Buffer.from(data).toString('base64');

export const sha256Of = (data: Buffer | string): string => createHash('sha256').update(data).digest('hex');

/** Uploads a file, as nothing but bytes. */
export const upload = (
  service: Pick<TestService, 'request'>,
  name: string,
  body: Buffer | string,
  options: object = {},
): Promise<TestAnswer> =>
  service.request({
    method: 'POST',
    path: `/api/v1/files?name=${encodeURIComponent(name)}`,
    body,
    ...options,
  });

/** Uploads a file that is taken; its id. */
export async function uploaded(
  service: Pick<TestService, 'request'>,
  name: string,
  body: Buffer | string,
): Promise<string> {
  const answer = await upload(service, name, body);
  if (answer.status !== 201) throw new Error(`The upload was answered with ${answer.status}: ${answer.text}`);
  return answer.json<FileAnswer>().file.id;
}

/** The names of all files in the folder of files, temporary ones too, in order. */
export async function namesOnDisk(dataDir: string): Promise<string[]> {
  const entries = await readdir(join(dataDir, 'files'), { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
}
