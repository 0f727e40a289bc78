/** A worker thread, watched, and the turns in it. If it crashes, runs out of memory or hangs, it is ended and they are lost. */
import { Worker } from 'node:worker_threads';
import { secondsOf } from '../../shared/numbers.ts';
import { ThreadLostError, type TurnPorts, type TurnRequest } from '../agents/turn.ts';
import { AppError } from '../errors.ts';
import { describeFault, nameFault } from '../lib/fault-report.ts';
import { isOutOfFiles, OUT_OF_FILES } from '../lib/out-of-files.ts';
import { noteThread } from '../lib/threads.ts';
import { DoubtError, faultWords, ToolError } from '../tools/tool.ts';
import {
  PULSE_BYTES,
  type AttemptId,
  type AttemptEnd,
  type FromWorker,
  type ServiceCall,
  type ToWorker,
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

/** Why a thread was lost. `no_files`: there was no file descriptor left to start it. */
type LossKind = 'crashed' | 'hung' | 'not_started' | 'no_files';

/** Whose thread it is. */
export interface AgentThreadOwner {
  /** How long it may be idle until it ends itself, in milliseconds. Null: it is one turn's own, and ends with that. */
  idleMs: number | null;
  /** It has ended, or is about to. */
  onEnd: () => void;
  /** A line for the log. */
  onFault: (text: string) => void;
}

/** One try of a turn. */
interface Attempt {
  request: TurnRequest;
  ports: TurnPorts;
  resolve(end: AttemptEnd): void;
  reject(error: Error): void;
}

/** A worker thread that runs turns. */
export type AgentThread = ReturnType<typeof openAgentThread>;

/** Why a turn is rejected whose thread is ended by its owner. */
export const CLOSED = 'The agent runtime is closed.';

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

/** Starts a thread. It keeps the process alive only while a turn runs in it. */
export function openAgentThread(options: AgentThreadOptions, { idleMs, onEnd, onFault }: AgentThreadOwner) {
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
  /** Null: it was aborted, but the thread hasn't ended it yet. */
  const attempts = new Map<AttemptId, Attempt | null>();
  let lastAttempt: AttemptId = 0;
  let over = false;
  let ready = false;
  let busy = false;
  let watch: NodeJS.Timeout | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  let measuring = false;
  const startTimer = setTimeout(() => lose('not_started'), options.startMs).unref();

  const send = (message: ToWorker): void => worker.postMessage(message);

  /** Ends the thread and rejects the turns that are left in it. A thread stuck in native code may take long to end. */
  function end(reasonFor: (attempt: Attempt) => Error): Promise<unknown> {
    over = true;
    clearTimeout(startTimer);
    clearTimeout(idleTimer);
    clearInterval(watch);
    onEnd();
    const left = [...attempts.values()];
    attempts.clear();
    for (const attempt of left) attempt?.reject(reasonFor(attempt));
    return worker.terminate();
  }

  const stop = (): Promise<unknown> => end(() => new Error(CLOSED));

  function lose(kind: LossKind): void {
    if (over) return;
    onFault(`a thread is lost (${kind}) with ${attempts.size} turns`);
    const holder = kind === 'hung' ? attempts.get(Atomics.load(pulse, 1)) : null;
    const cause = holder?.request.workspaceId;
    void end(({ request }) => {
      const isSuspect = cause === undefined || cause === request.workspaceId;
      return lossError(kind, idleMs !== null, isSuspect, hangMs);
    });
  }

  /** While turns run in it, the thread is watched and keeps the process alive; without any, it ends after a while. */
  function noteLoad(): void {
    clearTimeout(idleTimer);
    const isBusy = attempts.size > 0;
    if (isBusy !== busy) {
      busy = isBusy;
      if (busy) worker.ref();
      else worker.unref();
      keepWatch();
    }
    if (busy) return;
    if (idleMs === null) void stop();
    else idleTimer = setTimeout(() => void stop(), idleMs).unref();
  }

  const checkMemory = async (): Promise<void> => {
    if (measuring) return;
    measuring = true;
    try {
      const heap = await worker.getHeapStatistics();
      const usedMb = Math.round((heap.used_heap_size + heap.external_memory) / 1024 ** 2);
      if (usedMb <= options.heapMb || over) return;
      onFault(`a thread used ${usedMb} MiB of memory`);
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

  /** Makes a call of a turn, if that still runs, and sends the result to the thread. */
  async function answer(ports: TurnPorts | undefined, { id, tool, input }: ServiceCall): Promise<void> {
    if (ports === undefined) return;
    try {
      const result = await ports.callTool(tool, input, (approval) =>
        send({ type: 'approval', id, approval }),
      );
      send({ type: 'answer', id, result });
    } catch (error) {
      const isInWords = error instanceof ToolError || error instanceof AppError;
      if (!isInWords && !ports.signal.aborted) onFault(`tool ${tool}: ${describeFault(error)}`);
      const message = isInWords ? error.message : faultWords(tool);
      send({ type: 'refusal', id, message, isInDoubt: error instanceof DoubtError });
    }
  }

  worker.on('message', (message: FromWorker) => {
    if (over) return;
    switch (message.type) {
      case 'ready':
        ready = true;
        clearTimeout(startTimer);
        keepWatch();
        break;
      case 'fault':
        onFault(message.text);
        break;
      case 'update':
        try {
          attempts.get(message.attempt)?.ports.onUpdate(message.update);
        } catch (error) {
          onFault(`an update of a turn was not taken: ${nameFault(error)}`);
        }
        break;
      case 'call':
        void answer(attempts.get(message.attempt)?.ports, message);
        break;
      case 'end': {
        const attempt = attempts.get(message.attempt);
        attempts.delete(message.attempt);
        noteLoad();
        if (message.end !== null) attempt?.resolve(message.end);
        break;
      }
    }
  });
  worker.on('error', (error: unknown) => {
    if (!over) onFault(describeFault(error));
    lose(ready ? 'crashed' : isOutOfFiles(error) ? 'no_files' : 'not_started');
  });
  worker.on('exit', () => lose(ready ? 'crashed' : 'not_started'));

  // Reading the output would keep the process alive whatever unref says; from these streams nobody ever reads.
  worker.stdout.destroy();
  worker.stderr.destroy();
  // After the listeners: adding one undoes it.
  worker.unref();
  // A thread of one turn waits for that.
  if (idleMs !== null) noteLoad();

  return {
    /** Runs one turn to its end; rejects with the reason of the ports' signal, {@link ThreadLostError}, or when the thread is stopped. */
    async run(request: TurnRequest, ports: TurnPorts): Promise<AttemptEnd> {
      const { signal } = ports;
      const id = (lastAttempt += 1);
      const { promise, resolve, reject } = Promise.withResolvers<AttemptEnd>();
      const abort = (): void => {
        if (!attempts.has(id)) return;
        attempts.set(id, null);
        send({ type: 'abort', attempt: id });
        if (idleMs === null) void stop();
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', abort, { once: true });
      attempts.set(id, { request, ports, resolve, reject });
      send({ type: 'run', attempt: id, request });
      noteLoad();
      try {
        return await promise;
      } finally {
        signal.removeEventListener('abort', abort);
      }
    },
    /** Ends the thread. */
    stop,
  };
}

const CRASHED =
  'The part of Parley that writes replies broke down twice over this message. Try again, or put it differently.';
const NOT_STARTED =
  'The part of Parley that writes replies could not be started. Restart Parley, and install it anew if that does not help.';

/** Why a turn's thread was lost, for the person who reads the reply. */
function lossError(kind: LossKind, isShared: boolean, isSuspect: boolean, hangMs: number): ThreadLostError {
  switch (kind) {
    case 'hung': {
      const words = `This kept the assistant busy for more than ${secondsOf(hangMs)} without a pause, so it was stopped. Try something smaller.`;
      return new ThreadLostError('timed_out', words, isShared, isSuspect);
    }
    case 'crashed':
      return new ThreadLostError('agent_crashed', CRASHED, isShared);
    case 'not_started':
      return new ThreadLostError('agent_crashed', NOT_STARTED, false);
    case 'no_files':
      return new ThreadLostError('agent_crashed', OUT_OF_FILES, false);
  }
}
