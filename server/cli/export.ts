/** `parley export`: chats as Markdown or JSON. */
import { connect, type ServiceOptions } from './client.ts';
import { chatPath, findNamedChat } from './find-chat.ts';
import { type DownloadOptions, saveDownload } from './save-download.ts';

/** Options of the command. */
export interface ExportOptions extends ServiceOptions, DownloadOptions {
  /** As the file's name says, else `markdown`. */
  format?: 'markdown' | 'json';
}

/** Exports one chat, or all chats of the workspace. */
export async function writeExport(name: string | undefined, options: ExportOptions): Promise<void> {
  const { output, format = output?.endsWith('.json') === true ? 'json' : 'markdown' } = options;
  const client = await connect(options);
  const path =
    name === undefined ? '/api/v1/export' : chatPath((await findNamedChat(client, name)).id, '/export');
  await saveDownload(await client.request('GET', path, { query: { format } }), options);
}
