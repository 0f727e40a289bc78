/**
 * Runs turns in worker threads, so that heavy libraries stay out of the main thread and no tool or model can block, crash
 * or exhaust the service. Turns share one thread. If it crashes, runs out of memory or hangs, all its turns are lost. Each runs
 * again alone in its own thread, so a turn only fails for what it did itself. If it is known which one the thread hung in, only
 * those of its workspace do, and the others go on together.
 */
import {
  ThreadLostError,
  type AgentRuntime,
  type TurnPorts,
  type TurnRequest,
  type TurnResult,
} from '../agents/turn.ts';
import { AppError } from '../errors.ts';
import { describeFault, nameFault } from '../lib/fault-report.ts';
import { OUT_OF_FILES } from '../lib/out-of-files.ts';
import { withTimeout } from '../lib/with-timeout.ts';
import { DoubtError, faultWords, ToolError } from '../tools/tool.ts';
import { openAgentThread, type AgentThread, type AgentThreadOptions, type LossKind } from './agent-thread.ts';
import { createRefusals } from './known-refusals.ts';
import type { AttemptId, ServiceCall, TurnMessage } from './thread/protocol.ts';

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

/** One try of a turn, in a thread. */
interface Attempt {
  request: TurnRequest;
  ports: TurnPorts;
  resolve(result: TurnResult): void;
  reject(error: Error): void;
}

/** A thread, and what runs in it. */
interface Seat {
  thread: AgentThread;
  /** Null: it was aborted, but the thread hasn't ended it yet. */
  attempts: Map<AttemptId, Attempt | null>;
  /** Null: it is one turn's own. */
  idleMs: number | null;
  idleTimer?: NodeJS.Timeout;
}

const DEFAULTS = { hangMs: 10_000, startMs: 30_000, updateMs: 50, heapMb: 1_024 };
const DEFAULT_IDLE_MS = 15_000;

const CLOSED = 'The agent runtime is closed.';

/** How long closing waits for a thread to end. */
const CLOSE_MS = 2_000;

/** A runtime without any threads yet. */
export function createAgentThreads(options: AgentThreadsOptions): AgentThreads {
  const threadOptions: AgentThreadOptions = { ...DEFAULTS, ...options };
  const { log = (line: string) => void process.stderr.write(`${line}\n`), idleMs = DEFAULT_IDLE_MS } =
    options;
  const onFault = (text: string): void => log(`agent: ${text}`);
  const seats = new Set<Seat>();
  const refusals = createRefusals();
  let shared: Seat | null = null;
  let lastAttempt: AttemptId = 0;
  let isClosed = false;

  function open(ownIdleMs: number | null): Seat {
    const thread = openAgentThread(threadOptions, {
      onMessage: (message) => receive(seat, message),
      onLost: (kind, holder) => {
        onFault(`a thread is lost (${kind}) with ${seat.attempts.size} turns`);
        const cause = holder === null ? undefined : seat.attempts.get(holder)?.request.workspaceId;
        leave(seat, ({ request }) => {
          const isSuspect = cause === undefined || cause === request.workspaceId;
          return lossError(kind, seat.idleMs !== null, isSuspect, threadOptions.hangMs);
        });
      },
      onFault,
    });
    const seat: Seat = { thread, attempts: new Map(), idleMs: ownIdleMs };
    seats.add(seat);
    return seat;
  }

  const openShared = (): Seat => (shared ??= open(idleMs));

  /** Forgets a thread and rejects its remaining turns. */
  function leave(seat: Seat, reasonFor: (attempt: Attempt) => Error): void {
    clearTimeout(seat.idleTimer);
    seats.delete(seat);
    if (shared === seat) shared = null;
    const left = [...seat.attempts.values()];
    seat.attempts.clear();
    for (const attempt of left) attempt?.reject(reasonFor(attempt));
  }

  function closeSeat(seat: Seat): Promise<void> {
    leave(seat, () => new Error(CLOSED));
    return seat.thread.stop();
  }

  function noteLoad(seat: Seat): void {
    const { thread, attempts } = seat;
    thread.setBusy(attempts.size > 0);
    clearTimeout(seat.idleTimer);
    if (attempts.size > 0) return;
    if (seat.idleMs === null) void closeSeat(seat);
    else seat.idleTimer = setTimeout(() => void closeSeat(seat), seat.idleMs).unref();
  }

  function receive(seat: Seat, message: TurnMessage): void {
    const attempt = seat.attempts.get(message.attempt) ?? null;
    switch (message.type) {
      case 'update':
        try {
          attempt?.ports.onUpdate(message.update);
        } catch (error) {
          onFault(`an update of a turn was not taken: ${nameFault(error)}`);
        }
        break;
      case 'result':
      case 'gone':
        seat.attempts.delete(message.attempt);
        noteLoad(seat);
        if (message.type === 'gone' || attempt === null) break;
        refusals.learn(attempt.request.access, message.refused);
        attempt.resolve(message.result);
        break;
      case 'call':
        if (attempt !== null) void answer(seat.thread, attempt.ports, message);
        break;
    }
  }

  /** Makes a call of a turn and sends the result to its thread. */
  async function answer(
    thread: AgentThread,
    { callTool, signal }: TurnPorts,
    { id, tool, input }: ServiceCall,
  ): Promise<void> {
    try {
      const result = await callTool(tool, input, (approval) =>
        thread.send({ type: 'approval', id, approval }),
      );
      thread.send({ type: 'answer', id, result });
    } catch (error) {
      const isInWords = error instanceof ToolError || error instanceof AppError;
      if (!isInWords && !signal.aborted) onFault(`tool ${tool}: ${describeFault(error)}`);
      const message = isInWords ? error.message : faultWords(tool);
      thread.send({ type: 'refusal', id, message, isInDoubt: error instanceof DoubtError });
    }
  }

  return {
    async run(asked, ports) {
      const { signal } = ports;
      signal.throwIfAborted();
      if (isClosed) throw new Error(CLOSED);
      const request = refusals.addTo(asked);
      const seat = request.alone === true ? open(null) : openShared();
      const id = (lastAttempt += 1);
      const { promise, resolve, reject } = Promise.withResolvers<TurnResult>();
      const abort = (): void => {
        if (!seat.attempts.has(id)) return;
        seat.attempts.set(id, null);
        seat.thread.send({ type: 'abort', attempt: id });
        if (seat.idleMs === null) void closeSeat(seat);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', abort, { once: true });
      seat.attempts.set(id, { request, ports, resolve, reject });
      seat.thread.send({ type: 'run', attempt: id, request });
      noteLoad(seat);
      try {
        return await promise;
      } finally {
        signal.removeEventListener('abort', abort);
      }
    },
    warm() {
      if (!isClosed) noteLoad(openShared());
    },
    async close() {
      isClosed = true;
      await withTimeout(CLOSE_MS, Promise.all([...seats].map(closeSeat)));
    },
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
      const seconds = Math.max(1, Math.round(hangMs / 1000));
      const words = `This kept the assistant busy for more than ${seconds} seconds without a pause, so it was stopped. Try something smaller.`;
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
