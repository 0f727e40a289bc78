import { Worker } from 'node:worker_threads';
import { describeFault } from '../lib/fault-report.ts';
import { isOutOfFiles } from '../lib/out-of-files.ts';
import { PULSE_BYTES, type FromWorker, type ToWorker, type WorkerStart } from './thread/protocol.ts';

/** How an agent thread is run. */
export interface AgentThreadOptions {
  /** The worker's entry. */
  workerUrl: URL;
  /** A busy thread that gives no sign of life for so long counts as hung. */
  hangMs: number;
  /** A thread that has not loaded after so long counts as not started. */
  startMs: number;
  /** How long text is gathered before it is sent as an update. */
  updateMs: number;
  /** Most memory for the thread's objects and buffers, in MiB; a thread found to hold more is ended as crashed. */
  heapMb: number;
}

/** Why a thread is no more. `no_files`: it could not be started, for want of file descriptors. */
export type LossKind = 'crashed' | 'hung' | 'not_started' | 'no_files';

/** What an agent thread tells its owner. */
export interface AgentThreadEvents {
  onMessage(message: FromWorker): void;
  /** The thread is lost, once. */
  onLost(kind: LossKind): void;
  /** Something only the log needs to know. */
  onFault(text: string): void;
}

/** A worker thread that runs turns. */
export interface AgentThread {
  send(message: ToWorker): void;
  /** While busy the thread is watched and keeps the process alive. */
  setBusy(busy: boolean): void;
  /** Ends the thread without a word to the owner. */
  stop(): Promise<void>;
}

/** Looks for a pulse so often within `hangMs`: time in which the computer slept counts as one look, not as a hang. */
const LOOKS = 10;

/**
 * How often a busy thread's memory is looked at. V8's own limit does not do: a single large allocation that meets it
 * takes the whole process along. So that limit is set out of the way, and this finds the thread before it gets there.
 */
const MEMORY_LOOK_MS = 100;
const V8_LIMIT_FACTOR = 3;
/** Of V8's own choice it would take five times as much memory, and save one part in fifty of the time. */
const YOUNG_GENERATION_MB = 8;

/** Starts a thread. It does not keep the process alive until it is busy. */
export function openAgentThread(options: AgentThreadOptions, events: AgentThreadEvents): AgentThread {
  const pulse = new Int32Array(new SharedArrayBuffer(PULSE_BYTES));
  const lookMs = options.hangMs / LOOKS;
  const start: WorkerStart = { pulse: pulse.buffer, pulseMs: lookMs / 4, updateMs: options.updateMs };
  const worker = new Worker(options.workerUrl, {
    name: 'parley-agents',
    workerData: start,
    execArgv: [],
    // What libraries print there has no place in the service's own output.
    stdout: true,
    stderr: true,
    resourceLimits: {
      maxOldGenerationSizeMb: options.heapMb * V8_LIMIT_FACTOR,
      maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
    },
  });
  let over = false;
  let ready = false;
  let busy = false;
  let watch: NodeJS.Timeout | null = null;
  let memoryWatch: NodeJS.Timeout | null = null;
  let measuring = false;

  const end = (): void => {
    over = true;
    clearTimeout(startTimer);
    keepWatch();
  };
  const lose = (kind: LossKind): void => {
    if (over) return;
    end();
    // Not waited for: a thread stuck in native code may take its time, and nothing here depends on it.
    void worker.terminate();
    events.onLost(kind);
  };
  const startTimer = setTimeout(() => lose('not_started'), options.startMs).unref();

  const lookAtMemory = async (): Promise<void> => {
    if (measuring) return;
    measuring = true;
    try {
      const heap = await worker.getHeapStatistics();
      const usedMb = Math.round((heap.used_heap_size + heap.external_memory) / 1024 ** 2);
      if (usedMb <= options.heapMb || over) return;
      events.onFault(`a thread used ${usedMb} MiB of memory`);
      lose('crashed');
    } catch {
      // The thread ended meanwhile; its end is told elsewhere.
    } finally {
      measuring = false;
    }
  };

  function keepWatch(): void {
    if (watch !== null) clearInterval(watch);
    if (memoryWatch !== null) clearInterval(memoryWatch);
    watch = null;
    memoryWatch = null;
    if (!busy || !ready || over) return;
    memoryWatch = setInterval(() => void lookAtMemory(), MEMORY_LOOK_MS);
    let seen = Atomics.load(pulse, 0);
    let missed = 0;
    watch = setInterval(() => {
      const beats = Atomics.load(pulse, 0);
      missed = beats === seen ? missed + 1 : 0;
      seen = beats;
      if (missed >= LOOKS) lose('hung');
    }, lookMs);
  }

  worker.on('message', (message: FromWorker) => {
    if (over) return;
    if (message.type === 'ready') {
      ready = true;
      clearTimeout(startTimer);
      keepWatch();
    }
    events.onMessage(message);
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
    send: (message) => worker.postMessage(message),
    setBusy(now) {
      if (now === busy) return;
      busy = now;
      if (busy) worker.ref();
      else worker.unref();
      keepWatch();
    },
    async stop() {
      end();
      await worker.terminate();
    },
  };
}
