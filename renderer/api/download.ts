import type { FileText } from '../../shared/api/attachment.ts';
import type { Chat } from '../../shared/api/chat.ts';
import { revokeSoon } from '../lib/object-urls.ts';
import type { ApiClient } from './client.ts';
import { whole } from './http.ts';

/** How an export is written. */
export type ExportFormat = 'markdown' | 'json';

type Opens = Pick<ApiClient, 'open'>;

/** Has the browser keep a chat as a file. Rejects as the API does. */
export const exportChat = (api: Opens, chat: Chat, format: ExportFormat): Promise<void> =>
  download(api, exportPath(chat.id, format));

const exportPath = (chatId: string, format: ExportFormat): string =>
  `/api/v1/chats/${encodeURIComponent(chatId)}/export?format=${format}`;

/** Has the browser keep several chats as one file, which an import takes as one. Rejects as the API does. */
export async function exportChats(api: Opens, chats: readonly Chat[], format: ExportFormat): Promise<void> {
  const texts: string[] = [];
  // One after the other: the service sends a few at a time.
  for (const { id } of chats) {
    const { file } = await fetchNamed(api, exportPath(id, format));
    texts.push(await file.text());
  }
  const isJson = format === 'json';
  const text = isJson ? joinExports(texts) : texts.map((each) => each.trimEnd()).join('\n\n---\n\n');
  keepFile(new Blob([text]), isJson ? 'parley-chats.json' : 'parley-chats.md');
}

/** Exports as one: what holds for all stands in each of them. */
export function joinExports(texts: readonly string[]): string {
  const files = texts.map((text) => JSON.parse(text) as { chats: unknown[] });
  return JSON.stringify({ ...files[0], chats: files.flatMap(({ chats }) => chats) });
}

/** Has the browser keep all chats of the workspace as a file. Rejects as the API does. */
export const exportAll = (api: Opens, format: ExportFormat): Promise<void> =>
  download(api, `/api/v1/export?format=${format}`);

/** Has the browser keep a backup as a file. Rejects as the API does. */
export const downloadBackup = (api: Opens, name: string): Promise<void> =>
  download(api, `/api/v1/backups/${encodeURIComponent(name)}`);

/** The bytes of a file of a message or step. Rejects as the API does. */
export const fetchFile = (api: Opens, path: string): Promise<Blob> =>
  fetchNamed(api, path).then(({ file }) => file);

/** The text of a message's PDF or Word document. Rejects as the API does. */
export async function fetchText(api: Opens, path: string): Promise<FileText> {
  const response = await api.open(`${path}/text`);
  return whole(response.json() as Promise<FileText>);
}

/** Where the bytes of a message's file are. */
export const filePath = (fileId: string): string => `/api/v1/files/${encodeURIComponent(fileId)}`;

/** Where the bytes of a file are that a tool gave. */
export const stepFilePath = (chatId: string, fileId: string): string =>
  `/api/v1/chats/${encodeURIComponent(chatId)}/files/${encodeURIComponent(fileId)}`;

/**
 * Has the browser keep what the service gives there. A link can't carry the key, so the answer is fetched whole and then handed to the
 * browser as a file. Rejects as the API does.
 */
export async function download(api: Opens, path: string): Promise<void> {
  const { file, name } = await fetchNamed(api, path);
  keepFile(file, name);
}

/** The bytes of a file, and what it is called. Rejects as the API does. */
export async function fetchNamed(api: Opens, path: string): Promise<{ file: Blob; name: string }> {
  const response = await api.open(path);
  const name = fileNameIn(response.headers.get('content-disposition'));
  return { file: await whole(response.blob()), name };
}

/** The name in a `content-disposition` header. */
export function fileNameIn(header: string | null): string {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return 'parley';
  try {
    return decodeURIComponent(encoded);
  } catch {
    return 'parley';
  }
}

/** Has the browser keep a file. */
export function keepFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  revokeSoon(url);
}
