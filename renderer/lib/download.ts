import type { Chat } from '../../shared/api/chat.ts';
import type { ApiClient } from '../api/client.ts';
import { ConnectionProblem } from '../api/problem.ts';

/** How an export is written. */
export type ExportFormat = 'markdown' | 'json';

type Opens = Pick<ApiClient, 'open'>;

/** How long the browser may take to begin keeping a file, in milliseconds. */
const KEEP_MS = 30_000;

/** Has the browser keep a chat as a file. Rejects as the API does. */
export const exportChat = (api: Opens, chat: Chat, format: ExportFormat): Promise<void> =>
  download(api, `/api/v1/chats/${encodeURIComponent(chat.id)}/export?format=${format}`);

/** Has the browser keep all chats of the workspace as a file. Rejects as the API does. */
export const exportAll = (api: Opens, format: ExportFormat): Promise<void> =>
  download(api, `/api/v1/export?format=${format}`);

/** Has the browser keep a backup as a file. Rejects as the API does. */
export const downloadBackup = (api: Opens, name: string): Promise<void> =>
  download(api, `/api/v1/backups/${encodeURIComponent(name)}`);

/** A link can't carry the key, so the answer is fetched whole and then handed to the browser as a file. */
async function download(api: Opens, path: string): Promise<void> {
  const response = await api.open(path);
  let file: Blob;
  try {
    file = await response.blob();
  } catch (error) {
    throw new ConnectionProblem('The answer broke off.', { cause: error });
  }
  keepFile(file, fileNameIn(response.headers.get('content-disposition')));
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

function keepFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEEP_MS);
}
