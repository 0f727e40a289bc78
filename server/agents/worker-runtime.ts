/**
 * Runs turns in worker threads, so that heavy libraries stay out of the main thread and no tool or model can block, crash
 * or exhaust the service. Turns share one thread; when many run at once, a second one relieves it. When a thread is lost
 * (it crashed, ran out of memory or hung), turns that cannot have been the cause begin anew in a fresh one; those that can
 * go one at a time through a thread of their own, the quarantine, where there is no doubt who was the cause. So a turn
 * fails only for what it did itself.
 */
import { OUT_OF_FILES } from '../out-of-files.ts';
import { within } from '../within.ts';
import { openAgentThread, type AgentThreadOptions, type LossKind } from './agent-thread.ts';
import { createLane, type Job, type Lane, type Loss } from './lane.ts';
import type { AgentRuntime, TurnResult } from './turn.ts';
import { createTurnJob, type TurnJob } from './turn-job.ts';

/** How the runtime works; times in milliseconds. */
export interface WorkerRuntimeOptions extends Partial<AgentThreadOptions> {
  /** The worker's entry, see `threadUrl`. */
  workerUrl: URL;
  /** The thread is given back, with its memory, after so long without a turn; 15 s unless told. */
  idleMs?: number;
  /** A second thread takes turns once the first has so many; 12 unless told. */
  reliefAt?: number;
  /** … and has had them for so long; 500 ms unless told. */
  reliefAfterMs?: number;
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
/** The second thread goes sooner: it costs as much memory and is needed only in a rush. */
const RELIEF_IDLE_MS = 5_000;
/** Few turns at once are better off in one thread, which is warm. */
const DEFAULT_RELIEF_AT = 12;
const DEFAULT_RELIEF_AFTER_MS = 500;

/** A turn that may have been the cause of so many losses is given up. */
const MAX_LOSSES = 2;
/** How often a turn waits for file descriptors: some 3 s in all, since others give theirs back. */
const MAX_STARTS = 6;

/** How long closing waits for a thread to end. */
const CLOSE_MS = 2_000;

/** A runtime that has started nothing yet. */
export function createWorkerRuntime(options: WorkerRuntimeOptions): WorkerRuntime {
  const threadOptions: AgentThreadOptions = { ...DEFAULTS, ...options };
  const log = options.log ?? ((line: string) => void process.stderr.write(`${line}\n`));
  const onFault = (text: string): void => log(`agent: ${text}`);
  const jobs = new Map<Job, { job: TurnJob; reject: (error: Error) => void }>();
  let closed = false;

  const lane = (capacity: number, idleMs: number): Lane =>
    createLane({
      capacity,
      idleMs,
      openThread: (events) => openAgentThread(threadOptions, events),
      onLost,
      onFault,
    });
  const open = lane(Infinity, options.idleMs ?? DEFAULT_IDLE_MS);
  const relief = lane(Infinity, Math.min(RELIEF_IDLE_MS, options.idleMs ?? DEFAULT_IDLE_MS));
  const reliefAt = options.reliefAt ?? DEFAULT_RELIEF_AT;
  const quarantine = lane(1, 0);

  /** Since when the first thread has had more than enough, in milliseconds; infinite while it hasn't. */
  let busySince = Infinity;

  /** A second thread is worth starting only when there is more than enough to do and that lasts. */
  const leastBusy = (): Lane => {
    if (open.load < reliefAt) busySince = Infinity;
    else busySince = Math.min(busySince, performance.now());
    const isRush = performance.now() - busySince >= (options.reliefAfterMs ?? DEFAULT_RELIEF_AFTER_MS);
    return isRush && relief.load < open.load ? relief : open;
  };

  const again = (job: Job, where: Lane): void => {
    jobs.get(job)?.job.restart();
    where.add(job);
  };

  function onLost({ kind, suspects, certain, innocents }: Loss): void {
    onFault(`a thread is lost (${kind}) with ${suspects.length + innocents.length} turns`);
    for (const job of innocents) again(job, open);
    for (const suspect of suspects) {
      const job = jobs.get(suspect)?.job;
      if (job === undefined) continue;
      job.losses += 1;
      if (kind === 'hung' && certain) job.fail('timed_out', hangWords(threadOptions.hangMs));
      else if (job.losses >= (kind === 'no_files' ? MAX_STARTS : MAX_LOSSES))
        job.fail('agent_crashed', crashWords(kind));
      else again(job, kind === 'not_started' || kind === 'no_files' ? open : quarantine);
    }
  }

  return {
    run: (request, ports) =>
      new Promise<TurnResult>((resolve, reject) => {
        ports.signal.throwIfAborted();
        if (closed) throw new RuntimeClosedError();
        const over = (): void => {
          jobs.delete(job);
          ports.signal.removeEventListener('abort', onAbort);
        };
        const onResult = (result: TurnResult): void => {
          over();
          resolve(result);
        };
        const onAbort = (): void => {
          over();
          for (const each of [open, relief, quarantine]) each.abandon(job);
          reject(ports.signal.reason as Error);
        };
        const job = createTurnJob(request, ports, onResult, onFault);
        jobs.set(job, {
          job,
          reject: (error) => {
            over();
            reject(error);
          },
        });
        ports.signal.addEventListener('abort', onAbort, { once: true });
        leastBusy().add(job);
      }),
    warm() {
      if (!closed) open.warm();
    },
    async close() {
      closed = true;
      for (const { reject } of [...jobs.values()]) reject(new RuntimeClosedError());
      await within(CLOSE_MS, Promise.all([open.close(), relief.close(), quarantine.close()]));
    },
  };
}

function hangWords(hangMs: number): string {
  const seconds = Math.max(1, Math.round(hangMs / 1000));
  return `This kept the assistant busy for more than ${seconds} seconds without a pause, so it was stopped. Try something smaller.`;
}

function crashWords(kind: LossKind): string {
  if (kind === 'no_files') return OUT_OF_FILES;
  return kind === 'not_started'
    ? 'The part of Parley that writes replies could not be started. Restart Parley, and install it anew if that does not help.'
    : 'The part of Parley that writes replies broke down twice over this message. Try again, or put it differently.';
}
