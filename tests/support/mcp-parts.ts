/** The tool-server service over its own store and secrets, without HTTP. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createMcpService, type McpOptions, type McpService } from '../../server/mcp/mcp-service.ts';
import type { Tool } from '../../server/tools/tool.ts';
import { createSecrets, type Secrets } from '../../server/secrets/secrets.ts';
import { openStore } from '../../server/store/store.ts';
import type { Store } from '../../server/store/types.ts';
import type { McpServer } from '../../shared/api/mcp.ts';
import { STDIO_MCP_SERVER } from './mcp-server/index.ts';
import { createTempDir } from './service.ts';
import { toolContext } from './tool-context.ts';

export interface McpParts {
  mcp: McpService;
  store: Store;
  secrets: Secrets;
  dir: string;
  log: string[];
  /** Adds the test server over stdio, called Lamp, with these switches as its environment and arguments. */
  addLamp: (env?: Record<string, string>, args?: readonly string[]) => Promise<McpServer>;
  /** The tools that a turn of the default agent gets. */
  tools: (agentType?: string) => Promise<Tool[]>;
  /** Calls a tool of Lamp as a turn would; `signal` stops it, `onProgress` gets its progress. */
  call: (
    tool: string,
    input?: Record<string, unknown>,
    signal?: AbortSignal,
    onProgress?: () => void,
  ) => Promise<unknown>;
  /** Lines that the test server wrote down, where `MCP_TEST_EVENTS_FILE` is `eventsFile`. */
  events: () => Promise<string[]>;
  eventsFile: string;
  /** Process ids of all programs that were started. */
  pids: () => Promise<number[]>;
}

/** A machine that is busy with other tests starts programs slowly; nothing waits longer than it has to. */
const PATIENT = { openMs: 30_000, startMs: 30_000, firstListingMs: 30_000, listingMs: 30_000 };

/** Opens the parts, patient with programs unless told otherwise; they are closed after the test. */
export async function openMcpParts(options: McpOptions = {}): Promise<McpParts> {
  const dir = await createTempDir();
  const log: string[] = [];
  const tell = (line: string): void => void log.push(line);
  const store = await openStore({ dir: join(dir, 'store') });
  const secrets = createSecrets({ dataDir: dir, openBox: () => Promise.resolve(null), log: tell });
  const mcp = createMcpService({
    ...options,
    limits: { ...PATIENT, ...options.limits },
    store,
    secrets,
    clock: () => new Date(),
    newId: randomUUID,
    log: tell,
    onApprovalsWithdrawn: () => undefined,
    onError: (error) => tell(String(error)),
  });
  onTestFinished(async () => {
    await mcp.close();
    await store.close();
  });
  const eventsFile = join(dir, 'events');
  const tools: McpParts['tools'] = (agentType = 'orchestrator') => mcp.tools.list([agentType]);
  const events = async (): Promise<string[]> =>
    (await readFile(eventsFile, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');
  return {
    mcp,
    store,
    secrets,
    dir,
    log,
    eventsFile,
    addLamp: (env = {}, args = []) =>
      mcp.create({
        name: 'Lamp',
        transport: 'stdio',
        command: STDIO_MCP_SERVER.command,
        args: [...STDIO_MCP_SERVER.args, ...args],
        env: { MCP_TEST_EVENTS_FILE: eventsFile, ...env },
      }),
    tools,
    async call(name, input = {}, signal = new AbortController().signal, onProgress = () => undefined) {
      const tool = (await tools()).find((one) => one.name === `lamp__${name}`);
      if (tool === undefined) throw new Error(`There is no tool ${name}.`);
      return tool.run(input, toolContext({ signal, onProgress }));
    },
    events,
    async pids() {
      return (await events()).flatMap((line) => (line.startsWith('started ') ? [Number(line.slice(8))] : []));
    },
  };
}

/** Whether a process is there. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
