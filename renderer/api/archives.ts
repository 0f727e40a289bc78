/** Exports of other apps, which are sent as the files that they are. All reject as the API does. */
import type { ImportPreview, ImportResult } from '../../shared/api/data.ts';
import type { ApiClient } from './client.ts';
import { whole } from './http.ts';

type Opens = Pick<ApiClient, 'open'>;

/** What an import of the file would do just now. */
export const previewArchive = (api: Opens, file: Blob, signal: AbortSignal): Promise<ImportPreview> =>
  sendFile(api, '/api/v1/import/preview', file, signal);

/** Brings in the file's chats. */
export const importArchive = (api: Opens, file: Blob): Promise<ImportResult> =>
  sendFile(api, '/api/v1/import', file);

/** How many chats of the import under way are done; null when there is none. */
export const findImportProgress = async (api: Pick<ApiClient, 'ask'>): Promise<number | null> =>
  (await api.ask((operations) => operations.GET('/api/v1/import'))).chats;

async function sendFile<T>(api: Opens, path: string, file: Blob, signal?: AbortSignal): Promise<T> {
  const headers = { 'Content-Type': 'application/octet-stream' };
  const response = await api.open(path, { method: 'POST', headers, body: file, signal: signal ?? null });
  return whole(response.json() as Promise<T>);
}
