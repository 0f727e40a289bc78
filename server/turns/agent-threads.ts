/**
 * Runs turns in worker threads, so that heavy libraries stay out of the main thread and no tool or model can block, crash
 * or exhaust the service. Turns share one thread. If it crashes, runs out of memory or hangs, all its turns are lost. Each runs
 * again alone in its own thread, so a turn only fails for what it did itself. If the turn that hung the thread is known, only
 * the turns of its workspace run alone, and the others go on together.
 */
import type { AgentRuntime } from '../agents/turn.ts';
import { withTimeout } from '../lib/with-timeout.ts';
import { CLOSED, openAgentThread, type AgentThread, type AgentThreadOptions } from './agent-thread.ts';
import { createRefusals } from './known-refusals.ts';

/** Options of the runtime. Times are in milliseconds. */
export interface AgentThreadsOptions extends Partial<AgentThreadOptions> {
  /** The worker's entry, see `threadUrl`. */
  workerUrl: URL;
  /** An idle thread is ended after this long to free its memory. Default: 15 s. */
  idleMs?: number;
  /** Gets lines for the log. Default: the process's stderr. */
  log?: (line: string) => void;
}

/** An agent runtime that can be made ready ahead of the first turn. */
export interface AgentThreads extends AgentRuntime {
  /** Starts the thread in the background. */
  warm(): void;
}

const DEFAULTS = { hangMs: 10_000, startMs: 30_000, updateMs: 50, heapMb: 1_024 };
const DEFAULT_IDLE_MS = 15_000;

/** How long closing waits for a thread to end. */
const CLOSE_MS = 2_000;

/** A runtime without any threads yet. */
export function createAgentThreads(options: AgentThreadsOptions): AgentThreads {
  const threadOptions: AgentThreadOptions = { ...DEFAULTS, ...options };
  const { log = (line: string) => void process.stderr.write(`${line}\n`), idleMs = DEFAULT_IDLE_MS } =
    options;
  const onFault = (text: string): void => log(`agent: ${text}`);
  const threads = new Set<AgentThread>();
  const refusals = createRefusals();
  let shared: AgentThread | null = null;
  let isClosed = false;

  function open(ownIdleMs: number | null): AgentThread {
    const thread: AgentThread = openAgentThread(threadOptions, {
      idleMs: ownIdleMs,
      onEnd() {
        threads.delete(thread);
        if (shared === thread) shared = null;
      },
      onFault,
    });
    threads.add(thread);
    return thread;
  }

  const openShared = (): AgentThread => (shared ??= open(idleMs));

  return {
    async run(asked, ports) {
      ports.signal.throwIfAborted();
      if (isClosed) throw new Error(CLOSED);
      const request = refusals.addTo(asked);
      const thread = request.alone === true ? open(null) : openShared();
      const { result, refused } = await thread.run(request, ports);
      refusals.learn(request.access, refused);
      return result;
    },
    warm() {
      if (!isClosed) openShared();
    },
    async close() {
      isClosed = true;
      await withTimeout(CLOSE_MS, Promise.all([...threads].map((thread) => thread.stop())));
    },
  };
}
