import type { AgentThread, AgentThreadEvents, LossKind } from './agent-thread.ts';
import { AppError } from '../errors.ts';
import { DoubtError, ToolError } from '../tools/tool.ts';
import type { AttemptId, FromWorker, PortCall, RefusalKind } from './protocol.ts';
import type { TurnRequest, TurnResult, TurnUpdate } from './turn.ts';

/** A turn as a lane sees it. */
export interface Job {
  request: TurnRequest;
  onUpdate(update: TurnUpdate): void;
  onResult(result: TurnResult): void;
  /** Makes a call of a port for the turn. */
  onCall(call: PortCall): Promise<unknown>;
}

/** A lost thread, and the jobs that were lost with it. */
export interface Loss {
  kind: LossKind;
  /** Jobs that may have been the cause. */
  suspects: Job[];
  /** There is one suspect and nothing else can have been the cause. */
  certain: boolean;
  /** Jobs that cannot have been the cause. */
  innocents: Job[];
}

/** How a lane is run. */
export interface LaneOptions {
  /** Jobs that run at once; more wait. */
  capacity: number;
  /** The thread is given back after so long without a job. */
  idleMs: number;
  openThread(events: AgentThreadEvents): AgentThread;
  /** The lane has forgotten these jobs; it takes new ones during this call. */
  onLost(loss: Loss): void;
  onFault: (text: string) => void;
}

/** Runs jobs in one thread, which it opens when there is work and gives back when there is none. */
export interface Lane {
  /** How many jobs it has, running or waiting. */
  readonly load: number;
  add(job: Job): void;
  /** Stops a job; it hears no more. Nothing happens when the lane does not have it. */
  abandon(job: Job): void;
  /** Opens the thread before there is work for it. */
  warm(): void;
  /** Forgets all jobs and ends the thread. */
  close(): Promise<void>;
}

/** After a thread that did not start the next is tried so much later, twice as late each time. */
const START_PAUSE_MS = 100;
const MAX_START_PAUSE_MS = 10_000;

/** A lane without a thread. */
export function createLane(options: LaneOptions): Lane {
  // Null stands for an abandoned job whose attempt the thread has not ended yet.
  const attempts = new Map<AttemptId, Job | null>();
  const waiting: Job[] = [];
  let thread: AgentThread | null = null;
  let idleTimer: NodeJS.Timeout | null = null;
  let lastAttempt: AttemptId = 0;
  let failedStarts = 0;
  let pause: NodeJS.Timeout | null = null;

  const open = (): AgentThread => {
    if (thread !== null) return thread;
    const opened: AgentThread = options.openThread({
      onMessage: (message) => {
        if (thread === opened) receive(opened, message);
      },
      onLost: (kind, active) => {
        if (thread === opened) lose(kind, active);
      },
      onFault: options.onFault,
    });
    thread = opened;
    return opened;
  };

  const pump = (): void => {
    if (pause !== null) return;
    while (attempts.size < options.capacity) {
      const job = waiting.shift();
      if (job === undefined) break;
      lastAttempt = (lastAttempt % 0x7fff_ffff) + 1;
      attempts.set(lastAttempt, job);
      open().send({ type: 'run', attempt: lastAttempt, request: job.request });
    }
    thread?.setBusy(attempts.size > 0);
    if (idleTimer !== null) clearTimeout(idleTimer);
    idleTimer = null;
    if (thread !== null && attempts.size === 0) idleTimer = setTimeout(retire, options.idleMs).unref();
  };

  const retire = (): void => {
    void thread?.stop();
    thread = null;
  };

  const receive = (from: AgentThread, message: FromWorker): void => {
    if (message.type === 'ready') {
      failedStarts = 0;
      return;
    }
    if (message.type === 'fault') {
      options.onFault(message.text);
      return;
    }
    const job = attempts.get(message.attempt);
    switch (message.type) {
      case 'update':
        job?.onUpdate(message.update);
        break;
      case 'result':
      case 'gone':
        attempts.delete(message.attempt);
        pump();
        if (message.type === 'result') job?.onResult(message.result);
        break;
      case 'call':
        if (job) void answer(from, job, message.call);
        break;
    }
  };

  const answer = async (from: AgentThread, job: Job, call: PortCall): Promise<void> => {
    try {
      from.send({ type: 'answer', id: call.id, value: await job.onCall(call) });
    } catch (error) {
      from.send({
        type: 'refusal',
        id: call.id,
        message: error instanceof Error ? error.message : '',
        kind: refusalKind(error),
      });
    }
  };

  const lose = (kind: LossKind, active: AttemptId): void => {
    thread = null;
    const culprit = attempts.get(active);
    const alone = attempts.size === 1;
    const jobs = [...attempts.values()].filter((job) => job !== null);
    attempts.clear();
    if (kind === 'not_started' || kind === 'no_files') {
      const pauseMs = Math.min(START_PAUSE_MS * 2 ** failedStarts, MAX_START_PAUSE_MS);
      failedStarts += 1;
      pause = setTimeout(() => {
        pause = null;
        pump();
      }, pauseMs);
    }
    // An active attempt that is not among the jobs is one that was abandoned: then nobody else is to blame.
    const suspects = active === 0 ? jobs : culprit ? [culprit] : [];
    options.onLost({
      kind,
      suspects,
      certain: suspects.length === 1 && (alone || active !== 0),
      innocents: jobs.filter((job) => !suspects.includes(job)),
    });
    pump();
  };

  return {
    get load() {
      return attempts.size + waiting.length;
    },
    add(job) {
      waiting.push(job);
      pump();
    },
    abandon(job) {
      const at = waiting.indexOf(job);
      if (at >= 0) waiting.splice(at, 1);
      for (const [attempt, running] of attempts) {
        if (running !== job) continue;
        attempts.set(attempt, null);
        thread?.send({ type: 'abort', attempt });
      }
    },
    warm() {
      if (pause !== null) return;
      open();
      pump();
    },
    async close() {
      waiting.length = 0;
      attempts.clear();
      if (idleTimer !== null) clearTimeout(idleTimer);
      if (pause !== null) clearTimeout(pause);
      const closing = thread;
      thread = null;
      await closing?.stop();
    },
  };
}

function refusalKind(error: unknown): RefusalKind {
  if (error instanceof DoubtError) return 'doubt';
  return error instanceof ToolError || error instanceof AppError ? 'words' : 'fault';
}
