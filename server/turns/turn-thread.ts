import { AppError } from '../errors.ts';
import { nameFault } from '../lib/fault-report.ts';
import { NO_HOST } from '../agents/host-port.ts';
import { DoubtError, ToolError } from '../tools/tool.ts';
import type { AgentThread, AgentThreadEvents, LossKind } from './agent-thread.ts';
import type { AttemptId, FromWorker, PortCall, RefusalKind } from './thread/protocol.ts';
import type { TurnPorts, TurnRequest, TurnResult } from '../agents/turn.ts';

/** How a thread is run. */
export interface TurnThreadOptions {
  /** The thread is given back after so long without a turn, in milliseconds. */
  idleMs: number;
  openThread: (events: AgentThreadEvents) => AgentThread;
  /** What turns reject with whose thread is lost; called once for all of them, however many there are. */
  onLost: (kind: LossKind, turns: number) => Error;
  /** Told of what only the log needs to know. */
  onFault: (text: string) => void;
}

/** Runs turns in one thread, which it opens when there is work and gives back when there is none. */
export interface TurnThread {
  /** Runs a turn to its end. Rejects with the signal's reason, or when the thread is lost or this is closed. */
  run(request: TurnRequest, ports: TurnPorts): Promise<TurnResult>;
  /** Opens the thread before there is work for it. */
  warm(): void;
  /** Rejects all turns with `reason` and ends the thread. */
  close(reason: Error): Promise<void>;
}

interface Turn {
  request: TurnRequest;
  ports: TurnPorts;
  resolve(result: TurnResult): void;
  reject(error: Error): void;
}

/** A thread that could not be started is tried again after a pause, which is as long as it hasn't started so far. */
const SHORTEST_PAUSE_MS = 100;
/** Turns wait so long for it: whoever holds the file descriptors that it needs may give them back. */
const START_PATIENCE_MS = 3_000;

/** Opens no thread yet. */
export function createTurnThread({ idleMs, openThread, onLost, onFault }: TurnThreadOptions): TurnThread {
  // Null stands for a turn that was aborted and that the thread has not ended yet.
  const turns = new Map<AttemptId, Turn | null>();
  let thread: AgentThread | null = null;
  let lastAttempt: AttemptId = 0;
  let idleTimer: NodeJS.Timeout | undefined;
  let failingSince: number | null = null;
  let pause: NodeJS.Timeout | null = null;

  function open(): void {
    if (thread !== null || pause !== null) return;
    const opened = openThread({
      onMessage: (message) => {
        if (thread === opened) receive(opened, message);
      },
      onLost: (kind) => {
        if (thread === opened) lose(kind);
      },
      onFault,
    });
    thread = opened;
    for (const [attempt, turn] of turns) begin(attempt, turn);
    noteLoad();
  }

  function begin(attempt: AttemptId, turn: Turn | null): void {
    if (turn !== null) thread?.send({ type: 'run', attempt, request: turn.request });
  }

  function noteLoad(): void {
    thread?.setBusy(turns.size > 0);
    clearTimeout(idleTimer);
    if (thread !== null && turns.size === 0) idleTimer = setTimeout(retire, idleMs).unref();
  }

  function retire(): void {
    void thread?.stop();
    thread = null;
  }

  function receive(from: AgentThread, message: FromWorker): void {
    if (message.type === 'ready') {
      failingSince = null;
      return;
    }
    if (message.type === 'fault') {
      onFault(message.text);
      return;
    }
    const turn = turns.get(message.attempt) ?? null;
    switch (message.type) {
      case 'update':
        try {
          turn?.ports.onUpdate(message.update);
        } catch (error) {
          onFault(`an update of a turn was not taken: ${nameFault(error)}`);
        }
        break;
      case 'result':
      case 'gone':
        turns.delete(message.attempt);
        noteLoad();
        if (message.type === 'result') turn?.resolve(message.result);
        break;
      case 'call':
        if (turn !== null) void answer(from, turn.ports, message.call);
        break;
    }
  }

  function lose(kind: LossKind): void {
    thread = null;
    if ((kind === 'not_started' || kind === 'no_files') && isWaitedFor()) return;
    failingSince = null;
    rejectAll(onLost(kind, turns.size));
  }

  /** Plans another start, unless there was none for too long. */
  function isWaitedFor(): boolean {
    failingSince ??= performance.now();
    const failedMs = performance.now() - failingSince;
    if (failedMs >= START_PATIENCE_MS) return false;
    pause = setTimeout(
      () => {
        pause = null;
        if (turns.size > 0) open();
      },
      Math.max(SHORTEST_PAUSE_MS, failedMs),
    );
    return true;
  }

  function rejectAll(error: Error): void {
    const lost = [...turns.values()];
    turns.clear();
    for (const turn of lost) turn?.reject(error);
  }

  return {
    run: (request, ports) =>
      new Promise((resolve, reject) => {
        const { signal } = ports;
        signal.throwIfAborted();
        const attempt = (lastAttempt += 1);
        const abort = (): void => {
          if (thread === null) turns.delete(attempt);
          else turns.set(attempt, null);
          thread?.send({ type: 'abort', attempt });
          reject(signal.reason as Error);
        };
        const over =
          <T>(settle: (value: T) => void) =>
          (value: T): void => {
            signal.removeEventListener('abort', abort);
            settle(value);
          };
        signal.addEventListener('abort', abort, { once: true });
        const turn: Turn = { request, ports, resolve: over(resolve), reject: over(reject) };
        turns.set(attempt, turn);
        if (thread === null) open();
        else begin(attempt, turn);
        noteLoad();
      }),
    warm: open,
    async close(reason) {
      rejectAll(reason);
      clearTimeout(idleTimer);
      if (pause !== null) clearTimeout(pause);
      const closing = thread;
      thread = null;
      await closing?.stop();
    },
  };
}

/** Makes a call of a turn's port, and tells its thread what came of it. */
async function answer(thread: AgentThread, ports: TurnPorts, call: PortCall): Promise<void> {
  const { id } = call;
  try {
    thread.send({ type: 'answer', id, value: await callPort(ports, call) });
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    thread.send({ type: 'refusal', id, message, kind: refusalKind(error) });
  }
}

async function callPort(
  { workspace, host = NO_HOST }: TurnPorts,
  { port, method, args }: PortCall,
): Promise<unknown> {
  const methods = { workspace, host }[port] as unknown as Record<string, (...args: unknown[]) => unknown>;
  return methods[method]?.(...args);
}

function refusalKind(error: unknown): RefusalKind {
  if (error instanceof DoubtError) return 'doubt';
  return error instanceof ToolError || error instanceof AppError ? 'words' : 'fault';
}
