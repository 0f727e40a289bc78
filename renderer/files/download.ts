import { downloadPath as downloadFrom, keepFile } from '../api/files.ts';
import { describeProblem } from '../api/problem-words.ts';
import type { ShownFile } from '../chats/shown-files.ts';
import { words } from '../lib/words/index.ts';
import type { Workbench } from '../session/workbench.svelte.ts';

/** Saves a file through the browser; a failure is shown in a toast. Never rejects. */
export async function download(
  { api, toasts }: Pick<Workbench, 'api' | 'toasts'>,
  { path, name, blob }: Pick<ShownFile, 'path' | 'name' | 'blob'>,
): Promise<void> {
  try {
    if (blob === undefined) await downloadFrom(api, path);
    else keepFile(blob, name);
  } catch (problem) {
    toasts.show({ text: words.files.notDownloaded(name, describeProblem(problem)) });
  }
}
