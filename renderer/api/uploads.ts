/** Files that a message shall have. All reject as the API does. */
import type { Attachment, FileAnswer } from '../../shared/api/attachment.ts';
import { MAX_FILE_NAME_CHARACTERS } from '../../shared/limits.ts';
import type { ApiClient } from './client.ts';
import { filePath } from './download.ts';
import { whole } from './http.ts';

type Opens = Pick<ApiClient, 'open'>;

/** Has the service keep a file until a message has it. Of a name that is too long the end counts. */
export async function uploadFile(
  api: Opens,
  name: string,
  body: ArrayBuffer,
  signal: AbortSignal,
): Promise<Attachment> {
  const shortened = Array.from(name).slice(-MAX_FILE_NAME_CHARACTERS).join('');
  const headers = { 'Content-Type': 'application/octet-stream' };
  const path = `/api/v1/files?name=${encodeURIComponent(shortened)}`;
  const response = await api.open(path, { method: 'POST', headers, body, signal });
  return (await whole(response.json() as Promise<FileAnswer>)).file;
}

/** Takes back a file that no message has. */
export async function deleteUpload(api: Opens, fileId: string): Promise<void> {
  await api.open(filePath(fileId), { method: 'DELETE' });
}
