import { setTimeout as sleep } from 'node:timers/promises';
import PQueue from 'p-queue';
import { ToolError, type Tool, type ToolSource } from '../tool.ts';
import { createListFiles } from './list-files.ts';
import { createPathResolver, type PathResolverDeps } from './resolve-path.ts';
import { createReadFile } from './read-file.ts';
import { createSearchFiles } from './search-files.ts';
import { createWriteFile } from './write-file.ts';

/** Dependencies of {@link createFileTools}. */
export interface FileToolDeps extends PathResolverDeps {
  /** Whether any folder is allowed. Called before each turn, so it doesn't access disks, which may hang. */
  isAnyAllowed: () => boolean;
}

/** The tools that work in the folders that a person allowed; there are none while no folder is allowed. */
export function createFileTools({ isAnyAllowed, ...deps }: FileToolDeps): ToolSource {
  const resolver = createPathResolver(deps);
  const tools: readonly Tool[] = [
    createListFiles(resolver),
    createReadFile(resolver),
    createSearchFiles(resolver),
    createWriteFile(resolver),
  ];
  const queue = new PQueue({ concurrency: MAX_CALLS });
  const bounded = tools.map((tool) => bound(tool, queue));
  return { isForOffline: false, list: async () => (isAnyAllowed() ? [...bounded] : []) };
}

/**
 * Calls at a time. A turn gives up a call on a disk that doesn't answer, but for the system the call continues and
 * blocks a thread of the process: further calls wait, so that there are always threads left for the store.
 */
const MAX_CALLS = 8;
/** How long a look at what a call would do may take. */
const DESCRIBE_MS = 10_000;

/** The tool, limited to the queue's number of calls at a time. */
export function bound(tool: Tool, queue: PQueue): Tool {
  return {
    ...tool,
    run: (input, call) =>
      queue.add(() => {
        // It was given up while it waited.
        call.signal.throwIfAborted();
        return tool.run(input, call);
      }),
    async describe(input) {
      const inspecting = queue.add(async () => (await tool.describe?.(input)) ?? null);
      return Promise.race([inspecting, unanswered()]);
    },
  };
}

async function unanswered(): Promise<never> {
  await sleep(DESCRIBE_MS, undefined, { ref: false });
  throw new ToolError('The disk that the file is on doesn’t answer.');
}
