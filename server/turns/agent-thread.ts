import { Worker } from 'node:worker_threads';
import { describeFault } from '../lib/fault-report.ts';
import { noteThread } from '../lib/threads.ts';
import { isOutOfFiles } from '../lib/out-of-files.ts';
import {
  PULSE_BYTES,
  type AttemptId,
  type FromWorker,
  type ToWorker,
  type TurnMessage,
  type WorkerStart,
} from './thread/protocol.ts';

/** Options of an agent thread. */
export interface AgentThreadOptions {
  /** The worker's entry. */
  workerUrl: URL;
  /** A busy thread without a sign of life for this long counts as hung. */
  hangMs: number;
  /** A thread that hasn't loaded after this long counts as not started. */
  startMs: number;
  /** How long text is collected before it is sent as an update. */
  updateMs: number;
  /** Maximum memory for the thread's objects and buffers, in MiB. A thread that holds more is ended as crashed. */
  heapMb: number;
}

/** Why a thread ended. `no_files`: there was no file descriptor left to start it. */
export type LossKind = 'crashed' | 'hung' | 'not_started' | 'no_files';

/** Callbacks from an agent thread to its owner. */
export interface AgentThreadEvents {
  onMessage(message: TurnMessage): void;
  /** The thread is lost. Called once. `holder`: the attempt that it hung in; null if that isn't known. */
  onLost(kind: LossKind, holder: AttemptId | null): void;
  /** A line for the log. */
  onFault(text: string): void;
}

/** A worker thread that runs turns. */
export type AgentThread = ReturnType<typeof openAgentThread>;

/**
 * How often to check a busy thread's memory and signs of life. The checks without a sign are counted, not the time, since the
 * computer may have slept.
 */
const CHECK_MS = 100;
/** The least number of checks until a thread counts as hung. */
const CHECKS = 10;

/**
 * V8's own limit of memory isn't enough: one large allocation beyond it ends the whole process. So that limit is set out of
 * reach, and the check ends the thread before it gets there.
 */
const V8_LIMIT_FACTOR = 3;
/** V8's default would take five times as much memory and save 2% of the time. */
const YOUNG_GENERATION_MB = 8;

/** Starts a thread. It does not keep the process alive until it is busy. */
export function openAgentThread(options: AgentThreadOptions, events: AgentThreadEvents) {
  const pulse = new Int32Array(new SharedArrayBuffer(PULSE_BYTES));
  const { hangMs, updateMs } = options;
  const checkMs = Math.min(CHECK_MS, hangMs / CHECKS);
  const start: WorkerStart = { pulse: pulse.buffer, pulseMs: hangMs / CHECKS / 4, updateMs };
  const worker = new Worker(options.workerUrl, {
    name: 'parley-agents',
    workerData: start,
    execArgv: [],
    // Keep what libraries print out of the service's output.
    stdout: true,
    stderr: true,
    resourceLimits: {
      maxOldGenerationSizeMb: options.heapMb * V8_LIMIT_FACTOR,
      maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
    },
  });
  noteThread(worker);
  let over = false;
  let ready = false;
  let busy = false;
  let watch: NodeJS.Timeout | undefined;
  let measuring = false;

  const unwatch = (): void => {
    over = true;
    clearTimeout(startTimer);
    keepWatch();
  };
  const lose = (kind: LossKind): void => {
    if (over) return;
    unwatch();
    // Don't wait: a thread stuck in native code may take long, and nothing here depends on it.
    void worker.terminate();
    events.onLost(kind, kind === 'hung' ? Atomics.load(pulse, 1) || null : null);
  };
  const startTimer = setTimeout(() => lose('not_started'), options.startMs).unref();

  const checkMemory = async (): Promise<void> => {
    if (measuring) return;
    measuring = true;
    try {
      const heap = await worker.getHeapStatistics();
      const usedMb = Math.round((heap.used_heap_size + heap.external_memory) / 1024 ** 2);
      if (usedMb <= options.heapMb || over) return;
      events.onFault(`a thread used ${usedMb} MiB of memory`);
      lose('crashed');
    } catch {
      // The thread has ended; that is reported elsewhere.
    } finally {
      measuring = false;
    }
  };

  function keepWatch(): void {
    clearInterval(watch);
    if (!busy || !ready || over) return;
    let seen = Atomics.load(pulse, 0);
    let missed = 0;
    watch = setInterval(() => {
      const beats = Atomics.load(pulse, 0);
      missed = beats === seen ? missed + 1 : 0;
      seen = beats;
      if (missed * checkMs >= hangMs) lose('hung');
      else void checkMemory();
    }, checkMs);
  }

  worker.on('message', (message: FromWorker) => {
    if (over) return;
    if (message.type === 'fault') events.onFault(message.text);
    else if (message.type !== 'ready') events.onMessage(message);
    else {
      ready = true;
      clearTimeout(startTimer);
      keepWatch();
    }
  });
  worker.on('error', (error: unknown) => {
    if (!over) events.onFault(describeFault(error));
    lose(ready ? 'crashed' : isOutOfFiles(error) ? 'no_files' : 'not_started');
  });
  worker.on('exit', () => lose(ready ? 'crashed' : 'not_started'));

  // Reading the output would keep the process alive whatever unref says; from these streams nobody ever reads.
  worker.stdout.destroy();
  worker.stderr.destroy();
  // After the listeners: adding one undoes it.
  worker.unref();

  return {
    send: (message: ToWorker): void => worker.postMessage(message),
    /** While busy the thread is watched and keeps the process alive. */
    setBusy(now: boolean): void {
      if (now === busy) return;
      busy = now;
      if (busy) worker.ref();
      else worker.unref();
      keepWatch();
    },
    /** Ends the thread without calling `onLost`. */
    async stop(): Promise<void> {
      unwatch();
      await worker.terminate();
    },
  };
}
