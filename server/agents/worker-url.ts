import { existsSync } from 'node:fs';

/**
 * Where the agent worker's entry is: `worker.ts` beside this module when it runs from source, else the built
 * `agent-worker.js` beside it or one folder up, since the bundler may put this module in a folder of chunks.
 * Throws when a built one is not there.
 */
export function agentWorkerUrl(from: string = import.meta.url): URL {
  const candidates = from.endsWith('.ts') ? ['./worker.ts'] : ['./agent-worker.js', '../agent-worker.js'];
  const urls = candidates.map((candidate) => new URL(candidate, from));
  const found = urls.find((url) => existsSync(url));
  if (found === undefined) throw new Error(`There is no agent worker beside ${from}.`);
  return found;
}
