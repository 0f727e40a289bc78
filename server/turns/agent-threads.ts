/**
 * Runs turns in worker threads, so that heavy libraries stay out of the main thread and no tool or model can block, crash
 * or exhaust the service. Turns share one thread. If it crashes, runs out of memory or hangs, it is ended, and all its turns are
 * lost. Each runs again alone in its own thread, so a turn only fails for what it did itself. If the turn that hung the thread is
 * known, only the turns of its workspace run alone, and the others go on together.
 */
import { secondsOf } from '../../shared/numbers.ts';
import { ThreadLostError, type TurnPorts, type TurnRequest, type TurnResult } from '../agents/turn.ts';
import { AppError } from '../errors.ts';
import { describeFault, nameFault } from '../lib/fault-report.ts';
import { isOutOfFiles, OUT_OF_FILES } from '../lib/out-of-files.ts';
import { startThread } from '../lib/threads.ts';
import { unlessAborted } from '../lib/unless-aborted.ts';
import { withTimeout } from '../lib/with-timeout.ts';
import { createRefusals } from '../models/known-refusals.ts';
import { DoubtError, faultWords, ToolError } from '../tools/tool.ts';
import {
  PULSE_BYTES,
  type AttemptId,
  type FromWorker,
  type ServiceCall,
  type ToWorker,
  type WorkerStart,
} from './thread/protocol.ts';

/** Options of the runtime. Times are in milliseconds. */
export interface AgentThreadsOptions {
  /** The worker's entry, see `threadUrl`. */
  workerUrl: URL;
  /** A busy thread without a sign of life for this long counts as hung. Default: 10 s. */
  hangMs?: number;
  /** A thread with turns that hasn't loaded after this long counts as not started. Default: 30 s. */
  startMs?: number;
  /** How long text is collected before it is sent as an update. Default: 50 ms. */
  updateMs?: number;
  /** Maximum memory for a thread's objects and buffers, in MiB. A thread that holds more is ended as crashed. Default: 1,024. */
  heapMb?: number;
  /** An idle thread is ended after this long to free its memory. Default: 15 s. */
  idleMs?: number;
  /** Gets lines for the log. Default: the process's stderr. */
  log?: (line: string) => void;
}

/** An agent runtime that can be made ready ahead of the first turn. */
export type AgentThreads = ReturnType<typeof createAgentThreads>;

/** One try of a turn. */
interface Attempt extends PromiseWithResolvers<TurnResult> {
  request: TurnRequest;
  ports: TurnPorts;
}

/** Why a turn is rejected whose thread is ended by its owner. */
const CLOSED = 'The agent runtime is closed.';
/** How long closing waits for a thread to end. */
const CLOSE_MS = 2_000;

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

/** A runtime without any threads yet. */
export function createAgentThreads({
  workerUrl,
  hangMs = 10_000,
  startMs = 30_000,
  updateMs = 50,
  heapMb = 1_024,
  idleMs = 15_000,
  log = (line) => void process.stderr.write(`${line}\n`),
}: AgentThreadsOptions) {
  const onFault = (text: string): void => log(`agent: ${text}`);
  const checkMs = Math.min(CHECK_MS, hangMs / CHECKS);
  const threads = new Set<AgentThread>();
  const refusals = createRefusals();
  let shared: AgentThread | null = null;
  let isClosed = false;

  type AgentThread = ReturnType<typeof openThread>;

  /** Starts a thread. It keeps the process alive only while a turn runs in it. One that isn't shared ends with its turn. */
  function openThread(isShared: boolean) {
    const pulse = new Int32Array(new SharedArrayBuffer(PULSE_BYTES));
    const workerData: WorkerStart = { pulse: pulse.buffer, pulseMs: hangMs / CHECKS / 4, updateMs };
    const worker = startThread(workerUrl, {
      name: 'parley-agents',
      workerData,
      env: process.env,
      resourceLimits: {
        maxOldGenerationSizeMb: heapMb * V8_LIMIT_FACTOR,
        maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
      },
    });
    /** Null: it was aborted, but the thread hasn't ended it yet. */
    const attempts = new Map<AttemptId, Attempt | null>();
    let lastAttempt: AttemptId = 0;
    let isOver = false;
    let isReady = false;
    let seen = 0;
    let missed = 0;
    let isMeasuring = false;
    /** The next checks while there are turns; then the end of the idle thread. */
    let timer: NodeJS.Timeout;
    let isIdle = true;

    const send = (message: ToWorker): void => worker.postMessage(message);

    /** Ends the thread and rejects the turns that are left in it. A thread stuck in native code may take long to end. */
    function end(reasonFor: (attempt: Attempt) => Error): Promise<unknown> {
      isOver = true;
      clearTimeout(timer);
      threads.delete(thread);
      if (shared === thread) shared = null;
      const left = [...attempts.values()];
      attempts.clear();
      for (const attempt of left) attempt?.reject(reasonFor(attempt));
      return worker.terminate();
    }

    const stop = (): Promise<unknown> => end(() => new Error(CLOSED));

    function lose(kind: keyof typeof LOSS_WORDS): void {
      if (isOver) return;
      onFault(`a thread is lost (${kind}) with ${attempts.size} turns`);
      const holder = kind === 'hung' ? attempts.get(Atomics.load(pulse, 1)) : null;
      const cause = holder?.request.workspaceId;
      const code = kind === 'hung' ? 'timed_out' : 'agent_crashed';
      const wasShared = isShared && (kind === 'hung' || kind === 'crashed');
      void end(({ request: { workspaceId } }) => {
        const isSuspect = cause === undefined || cause === workspaceId;
        return new ThreadLostError(code, LOSS_WORDS[kind](hangMs), wasShared, isSuspect);
      });
    }

    /** Has the thread checked from now on, or ended after a while. */
    function setIdle(value: boolean): void {
      isIdle = value;
      missed = 0;
      clearTimeout(timer);
      timer = (isIdle ? setTimeout(() => void stop(), idleMs) : setInterval(check, checkMs)).unref();
    }

    /**
     * Ends the thread if it hangs or holds too much memory. It counts as idle once a check finds no turns, so quick turns never restart the
     * timer.
     */
    function check(): void {
      if (attempts.size === 0) {
        setIdle(true);
        return;
      }
      const beats = Atomics.load(pulse, 0);
      missed = beats === seen ? missed + 1 : 0;
      seen = beats;
      if (missed * checkMs >= (isReady ? hangMs : startMs)) lose(isReady ? 'hung' : 'not_started');
      else if (isReady && !isMeasuring) void checkMemory();
    }

    async function checkMemory(): Promise<void> {
      isMeasuring = true;
      // Null: the thread has ended, which is reported elsewhere.
      const heap = await worker.getHeapStatistics().catch(() => null);
      isMeasuring = false;
      const usedMb = heap && Math.round((heap.used_heap_size + heap.external_memory) / 1024 ** 2);
      if (usedMb === null || usedMb <= heapMb || isOver) return;
      onFault(`a thread used ${usedMb} MiB of memory`);
      lose('crashed');
    }

    /** Makes a call of a turn and sends the result to the thread. */
    async function answer(ports: TurnPorts, { id, tool, input }: ServiceCall): Promise<void> {
      try {
        const outcome = await ports.callTool(tool, input, (approval) =>
          send({ type: 'approval', id, approval }),
        );
        send({ type: 'answer', id, outcome });
      } catch (error) {
        const isInWords = error instanceof ToolError || error instanceof AppError;
        if (!isInWords && !ports.signal.aborted) onFault(`tool ${tool}: ${describeFault(error)}`);
        const isInDoubt = error instanceof DoubtError && ({ inDoubt: true } as const);
        const outcome = { error: isInWords ? error.message : faultWords(tool), ...isInDoubt };
        send({ type: 'answer', id, outcome });
      }
    }

    worker.on('message', (message: FromWorker) => {
      if (isOver) return;
      missed = 0;
      // Of an attempt that was aborted, nothing but its end matters.
      const attempt = 'attempt' in message ? attempts.get(message.attempt) : null;
      switch (message.type) {
        case 'ready':
          isReady = true;
          break;
        case 'fault':
          onFault(message.text);
          break;
        case 'update':
          try {
            attempt?.ports.onUpdate(message.update);
          } catch (error) {
            onFault(`an update of a turn was not taken: ${nameFault(error)}`);
          }
          break;
        case 'call':
          if (attempt) void answer(attempt.ports, message);
          break;
        case 'end':
          attempts.delete(message.attempt);
          if (attempts.size === 0) worker.unref();
          if (!isShared) void stop();
          refusals.learn(attempt?.request.access ?? null, message.refused);
          if (message.result !== null) attempt?.resolve(message.result);
          break;
      }
    });
    worker.on('error', (error: unknown) => {
      if (!isOver) onFault(describeFault(error));
      lose(isReady ? 'crashed' : isOutOfFiles(error) ? 'no_files' : 'not_started');
    });
    worker.on('exit', () => lose(isReady ? 'crashed' : 'not_started'));

    // Reading the output would keep the process alive whatever unref says; from these streams nobody ever reads.
    worker.stdout.destroy();
    worker.stderr.destroy();
    // After the listeners were added, as each of them would ref it again.
    worker.unref();
    setIdle(true);

    const thread = {
      /** Runs one turn to its end; rejects with the reason of the ports' signal, {@link ThreadLostError}, or when the thread is stopped. */
      async run(request: TurnRequest, ports: TurnPorts): Promise<TurnResult> {
        const id = (lastAttempt += 1);
        const attempt: Attempt = { request, ports, ...Promise.withResolvers<TurnResult>() };
        attempts.set(id, attempt);
        send({ type: 'run', attempt: id, request });
        // With turns in it, the thread keeps the process alive.
        worker.ref();
        if (isIdle) setIdle(false);
        try {
          return await unlessAborted(ports.signal, attempt.promise);
        } catch (error) {
          if (attempts.has(id)) {
            attempts.set(id, null);
            send({ type: 'abort', attempt: id });
            if (!isShared) void stop();
          }
          throw error;
        }
      },
      stop,
    };
    threads.add(thread);
    return thread;
  }

  return {
    /** See `AgentRuntime`. */
    async run(request: TurnRequest, ports: TurnPorts): Promise<TurnResult> {
      ports.signal.throwIfAborted();
      if (isClosed) throw new Error(CLOSED);
      const thread = request.alone === true ? openThread(false) : (shared ??= openThread(true));
      return thread.run(refusals.addTo(request), ports);
    },
    /** Starts the thread in the background. */
    warm(): void {
      if (!isClosed) shared ??= openThread(true);
    },
    async close(): Promise<void> {
      isClosed = true;
      await withTimeout(CLOSE_MS, Promise.all([...threads].map((thread) => thread.stop())));
    },
  };
}

/** Why a turn's thread was lost, for the person who reads the reply. `no_files`: no file descriptor was left to start it. */
const LOSS_WORDS = {
  hung: (hangMs: number) =>
    `This kept the assistant busy for more than ${secondsOf(hangMs)} without a pause, so it was stopped. Try something smaller.`,
  crashed: () =>
    'The part of Parley that writes replies broke down twice over this message. Try again, or put it differently.',
  not_started: () =>
    'The part of Parley that writes replies could not be started. Restart Parley, and install it anew if that does not help.',
  no_files: () => OUT_OF_FILES,
};
