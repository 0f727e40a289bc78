/**
 * Runs turns in worker threads, so that heavy libraries stay out of the main thread and no tool or model can block, crash
 * or exhaust the service. Turns share one thread. When it is lost (it crashed, ran out of memory or hung), all its turns are,
 * and nobody knows which one was the cause: each is to be run again in a thread of its own, where there is no doubt. So a
 * turn fails only for what it did itself.
 */
import { OUT_OF_FILES } from '../lib/out-of-files.ts';
import { withTimeout } from '../lib/with-timeout.ts';
import { openAgentThread, type AgentThreadOptions, type LossKind } from './agent-thread.ts';
import { createTurnThread, type TurnThread } from './turn-thread.ts';
import { ThreadLostError, type AgentRuntime } from '../agents/turn.ts';

/** How the runtime works; times in milliseconds. */
export interface WorkerRuntimeOptions extends Partial<AgentThreadOptions> {
  /** The worker's entry, see `threadUrl`. */
  workerUrl: URL;
  /** The thread is given back, with its memory, after so long without a turn; 15 s unless told. */
  idleMs?: number;
  /** Takes what only a log should show; the process's stderr unless told. */
  log?: (line: string) => void;
}

/** An agent runtime that can be made ready ahead of the first turn. */
export interface WorkerRuntime extends AgentRuntime {
  /** Starts the thread in the background. */
  warm(): void;
}

/** What running and new turns reject with once the runtime is closed. */
export class RuntimeClosedError extends Error {
  override name = 'RuntimeClosedError';
  constructor() {
    super('The agent runtime is closed.');
  }
}

const DEFAULTS = { hangMs: 10_000, startMs: 30_000, updateMs: 50, heapMb: 1_024 };
const DEFAULT_IDLE_MS = 15_000;

/** How long closing waits for a thread to end. */
const CLOSE_MS = 2_000;

/** A runtime that has started nothing yet. */
export function createWorkerRuntime(options: WorkerRuntimeOptions): WorkerRuntime {
  const threadOptions: AgentThreadOptions = { ...DEFAULTS, ...options };
  const log = options.log ?? ((line: string) => void process.stderr.write(`${line}\n`));
  const onFault = (text: string): void => log(`agent: ${text}`);
  const threads = new Set<TurnThread>();
  let isClosed = false;

  const addThread = (idleMs: number, isShared: boolean): TurnThread => {
    const thread = createTurnThread({
      idleMs,
      openThread: (events) => openAgentThread(threadOptions, events),
      onLost: (kind, turns) => {
        onFault(`a thread is lost (${kind}) with ${turns} turns`);
        return lossError(kind, isShared, threadOptions.hangMs);
      },
      onFault,
    });
    threads.add(thread);
    return thread;
  };
  const shared = addThread(options.idleMs ?? DEFAULT_IDLE_MS, true);

  return {
    async run(request, ports) {
      ports.signal.throwIfAborted();
      if (isClosed) throw new RuntimeClosedError();
      if (request.alone !== true) return shared.run(request, ports);
      const own = addThread(0, false);
      try {
        return await own.run(request, ports);
      } finally {
        threads.delete(own);
        void own.close(new RuntimeClosedError());
      }
    },
    warm() {
      if (!isClosed) shared.warm();
    },
    async close() {
      isClosed = true;
      const closing = [...threads].map((thread) => thread.close(new RuntimeClosedError()));
      await withTimeout(CLOSE_MS, Promise.all(closing));
    },
  };
}

/** Why a turn's thread is lost, in words for whoever reads the reply. */
function lossError(kind: LossKind, isShared: boolean, hangMs: number): ThreadLostError {
  switch (kind) {
    case 'hung': {
      const seconds = Math.max(1, Math.round(hangMs / 1000));
      const words = `This kept the assistant busy for more than ${seconds} seconds without a pause, so it was stopped. Try something smaller.`;
      return new ThreadLostError('timed_out', words, isShared);
    }
    case 'crashed': {
      const words =
        'The part of Parley that writes replies broke down twice over this message. Try again, or put it differently.';
      return new ThreadLostError('agent_crashed', words, isShared);
    }
    case 'not_started': {
      const words =
        'The part of Parley that writes replies could not be started. Restart Parley, and install it anew if that does not help.';
      return new ThreadLostError('agent_crashed', words, false);
    }
    case 'no_files':
      return new ThreadLostError('agent_crashed', OUT_OF_FILES, false);
  }
}
