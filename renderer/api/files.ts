/** Uploads and downloads. Everything here rejects as the API does unless it says otherwise. */
import type { Attachment, FileAnswer, FileText } from '../../shared/api/attachment.ts';
import type { Chat } from '../../shared/api/chat.ts';
import type { ExportFormat, ImportPreview, ImportResult } from '../../shared/api/data.ts';
import { MAX_FILE_NAME_CHARACTERS } from '../../shared/limits.ts';
import { attempt } from '../../shared/attempt.ts';
import { revokeSoon } from '../lib/object-urls.ts';
import { words } from '../lib/words/index.ts';
import type { ApiClient } from './client.ts';
import { readToEnd } from './http.ts';
import { WordedProblem } from './problem.ts';

type Opens = Pick<ApiClient, 'open'>;

const exportPath = (chatId: string, format: ExportFormat): string =>
  `/api/v1/chats/${encodeURIComponent(chatId)}/export?format=${format}`;

/** Saves chats as one file, which can be imported as JSON. */
export async function exportChats(api: Opens, chats: readonly Chat[], format: ExportFormat): Promise<void> {
  const [first, ...others] = chats;
  if (first && others.length === 0) return downloadPath(api, exportPath(first.id, format));
  const texts: string[] = [];
  // One after the other: the service handles only a few exports at a time.
  for (const { id } of chats) {
    const { file } = await fetchNamed(api, exportPath(id, format));
    texts.push(await file.text());
  }
  const isJson = format === 'json';
  const text = isJson ? joinExports(texts) : texts.map((each) => each.trimEnd()).join('\n\n---\n\n');
  keepFile(new Blob([text]), isJson ? 'parley-chats.json' : 'parley-chats.md');
}

/** Merges exports into one: their common fields are the same in each. */
export function joinExports(texts: readonly string[]): string {
  const files = texts.map((text) => JSON.parse(text) as { chats: unknown[] });
  return JSON.stringify({ ...files[0], chats: files.flatMap(({ chats }) => chats) });
}

/** Saves all chats of the workspace as a file. */
export const exportAll = (api: Opens, format: ExportFormat): Promise<void> =>
  downloadPath(api, `/api/v1/export?format=${format}`);

/** Saves a backup as a file. */
export const downloadBackup = (api: Opens, name: string): Promise<void> =>
  downloadPath(api, `/api/v1/backups/${encodeURIComponent(name)}`);

/** The bytes of a file of a message or step. */
export const fetchFile = (api: Opens, path: string): Promise<Blob> =>
  fetchNamed(api, path).then(({ file }) => file);

/** The text of a message's PDF or Word document. */
export async function fetchText(api: Opens, path: string): Promise<FileText> {
  const response = await api.open(`${path}/text`);
  return readToEnd(response.json() as Promise<FileText>);
}

/** Uploads a file; the service keeps it until a message has it. Of a name that is too long, the end is kept. */
export async function uploadFile(
  api: Opens,
  name: string,
  body: ArrayBuffer,
  signal: AbortSignal,
): Promise<Attachment> {
  const shortened = Array.from(name).slice(-MAX_FILE_NAME_CHARACTERS).join('');
  const path = `/api/v1/files?name=${encodeURIComponent(shortened)}`;
  return (await sendFile<FileAnswer>(api, path, body, signal)).file;
}

/** The bytes of a file that a person chose. A request with one that was changed since looks like a lost connection. Rejects with WordedProblem. */
export const readChosen = (file: Blob): Promise<ArrayBuffer> =>
  file.arrayBuffer().catch(() => {
    throw new WordedProblem(words.files.unreadable);
  });

/** Deletes an upload that no message has. Never rejects: the service deletes such files later by itself. */
export async function deleteUpload(api: Opens, fileId: string): Promise<void> {
  await api.open(filePath(fileId), { method: 'DELETE' }).catch(() => undefined);
}

/** What importing a file would do now. */
export const previewImport = (api: Opens, file: Blob, signal: AbortSignal): Promise<ImportPreview> =>
  sendFile(api, '/api/v1/import/preview', file, signal);

/** Imports the chats of an export, of Parley or another app. */
export const importChats = (api: Opens, file: Blob): Promise<ImportResult> =>
  sendFile(api, '/api/v1/import', file);

/** Restores a backup from a file. */
export const restoreFile = (api: Opens, file: Blob): Promise<ImportResult> =>
  sendFile(api, '/api/v1/backups/restore', file);

async function sendFile<T>(
  api: Opens,
  path: string,
  body: Blob | ArrayBuffer,
  signal: AbortSignal | null = null,
): Promise<T> {
  if (body instanceof Blob) await readChosen(body.slice(0, 1));
  const headers = { 'Content-Type': 'application/octet-stream' };
  const response = await api.open(path, { method: 'POST', headers, body, signal });
  return readToEnd(response.json() as Promise<T>);
}

/** Where the service serves a message's file. */
export const filePath = (fileId: string): string => `/api/v1/files/${encodeURIComponent(fileId)}`;

/** Where the service serves a file that a tool returned. */
export const stepFilePath = (chatId: string, fileId: string): string =>
  `/api/v1/chats/${encodeURIComponent(chatId)}/files/${encodeURIComponent(fileId)}`;

/**
 * Downloads from the service and saves as a file. A link can't carry the key, so the answer is fetched whole and then given to the
 * browser as a file.
 */
export async function downloadPath(api: Opens, path: string): Promise<void> {
  const { file, name } = await fetchNamed(api, path);
  keepFile(file, name);
}

/** The bytes of a file, and its name. */
export async function fetchNamed(api: Opens, path: string): Promise<{ file: Blob; name: string }> {
  const response = await api.open(path);
  const name = fileNameIn(response.headers.get('content-disposition'));
  return { file: await readToEnd(response.blob()), name };
}

/** The name in a `content-disposition` header. */
export function fileNameIn(header: string | null): string {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(header ?? '')?.[1];
  return encoded === undefined ? 'parley' : attempt(() => decodeURIComponent(encoded), 'parley');
}

/** Saves a file through the browser. */
export function keepFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  revokeSoon(url);
}
