import { downloadFile } from '../api/download.ts';
import { describeConnectionProblem } from '../api/problem-words.ts';
import type { ShownFile } from '../chats/shown-files.ts';
import { words } from '../lib/words/index.ts';
import type { Workbench } from '../session/workbench.svelte.ts';

/** Has the browser keep a file; what fails is told. Never rejects. */
export async function download(
  { api, toasts }: Pick<Workbench, 'api' | 'toasts'>,
  { path, name }: Pick<ShownFile, 'path' | 'name'>,
): Promise<void> {
  try {
    await downloadFile(api, path);
  } catch (problem) {
    toasts.show({ text: words.files.notDownloaded(name, describeConnectionProblem(problem)) });
  }
}
