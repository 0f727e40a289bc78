/** Reads pages in a thread, so that a page made to take minutes blocks nobody. */
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
  const { promise, resolve, reject } = Promise.withResolvers<ReadPage>();
  const worker = startThread('html-thread', {
    workerData: page,
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
  });
  const stop = (): void => reject(signal.reason as Error);
  const timer = setTimeout(() => reject(new ToolError(TANGLED)), timeoutMs);
  signal.addEventListener('abort', stop);
  worker.on('message', (read: ReadPage) => resolve(read));
  worker.on('error', (error) => reject(new ToolError(TANGLED, { cause: error })));
  worker.on('exit', () => reject(new ToolError(TANGLED)));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    void worker.terminate();
  }
}
