/** Reads pages in a thread, so that a page made to take minutes blocks nobody. */
import { once } from 'node:events';
import { startThread } from '../../lib/threads.ts';
import { ToolError } from '../tool.ts';
import type { ReadPage } from './read-html.ts';

/** The longest that reading one page may take, in milliseconds. */
const READ_TIMEOUT_MS = 8_000;
const MAX_MEMORY_MB = 192;

const TANGLED = 'The page is too tangled to be turned into text.';

/** The page as text, `maxCharacters` of it at most. Rejects with ToolError when that takes too long or too much memory, or as the signal does. */
export async function readHtmlApart(
  page: { html: string; address: string; maxCharacters?: number },
  { signal, timeoutMs = READ_TIMEOUT_MS }: { signal: AbortSignal; timeoutMs?: number },
): Promise<ReadPage> {
  signal.throwIfAborted();
  const worker = startThread('html-thread', {
    workerData: [page.html, page.address, page.maxCharacters],
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
  });
  // Also while it is being ended, when nobody waits for it any more.
  worker.on('error', () => undefined);
  try {
    const until = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const [read] = (await once(worker, 'message', { signal: until })) as [ReadPage];
    return read;
  } catch (error) {
    signal.throwIfAborted();
    throw new ToolError(TANGLED, { cause: error });
  } finally {
    void worker.terminate();
  }
}
