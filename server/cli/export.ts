/** `parley export`: chats as Markdown or JSON. */
import { connect, forReader, type ServiceOptions } from './client.ts';
import { chatPath, findChat } from './find-chat.ts';
import { printDownload, saveDownload } from './save-download.ts';
import { note } from './terminal.ts';

/** Options of the command. */
export interface ExportOptions extends ServiceOptions {
  /** As the file's name says, else `markdown`. */
  format?: 'markdown' | 'json';
  /** Standard output unless given. */
  output?: string;
  force?: true;
}

/** Exports one chat, or all drafts of the workspace. */
export async function exportChats(name: string | undefined, options: ExportOptions): Promise<void> {
  const { output, format = output?.endsWith('.json') === true ? 'json' : 'markdown' } = options;
  const client = await connect(options);
  const path = name === undefined ? '/api/v1/export' : chatPath((await findChat(client, name)).id, '/export');
  const answer = await client.request('GET', path, { query: { format } });
  if (output !== undefined) {
    await saveDownload(answer, output, options.force === true);
    note(`Written to ${output}.`);
  } else if (process.stdout.isTTY) process.stdout.write(forReader(await answer.text()));
  else await printDownload(answer);
}
