import { parentPort, workerData } from 'node:worker_threads';
import { applyUpdate, markOf, NO_GROWTH, updateSince, type GrowthUpdate } from '../../../shared/growth.ts';
import { describeFault } from '../../lib/fault-report.ts';
import type { CallOutcome, OnPendingApproval } from '../../agents/call-tool.ts';
import type { ThreadTool } from '../../tools/tool.ts';
import type { AttemptId, FromWorker, ToWorker, WorkerStart } from './protocol.ts';
import { runTurn, type RunDeps } from './run-turn.ts';
import { createToolKit, type ThreadPorts } from './tool-kit.ts';
import { NO_REPLY, type TurnRequest, type TurnResult } from '../../agents/turn.ts';

/** Dependencies of a worker. */
export interface WorkerDeps {
  createModel: RunDeps['createModel'];
  tools: readonly ThreadTool[];
}

/** A call that the service has yet to answer. */
interface PendingCall {
  onApproval: OnPendingApproval;
  resolve: (outcome: CallOutcome) => void;
}

const BROKEN: TurnResult = { outcome: 'failed', ...NO_GROWTH, error: NO_REPLY };

/** Makes this thread run the turns the main thread sends. Call once, in a worker started by agent-threads.ts. */
export function startWorker(deps: WorkerDeps): void {
  if (parentPort === null) throw new Error('This runs only as a worker thread.');
  const port = parentPort;
  const { pulse: shared, pulseMs, updateMs } = workerData as WorkerStart;
  const beats = new Int32Array(shared);
  const send = (message: FromWorker): void => port.postMessage(message);
  const onFault = (where: string, error: unknown): void =>
    send({ type: 'fault', text: `${where}: ${describeFault(error)}` });
  const kit = createToolKit(deps.tools);
  /** Runs work of an attempt that may block this thread, and shows meanwhile which attempt it is. */
  const hold = <T>(attempt: AttemptId, work: () => T): T => {
    Atomics.store(beats, 1, attempt);
    try {
      return work();
    } finally {
      Atomics.store(beats, 1, 0);
    }
  };
  const depsOf = (attempt: AttemptId): RunDeps => ({
    createModel(...args) {
      const model = deps.createModel(...args);
      return model && { doStream: (options) => hold(attempt, () => model.doStream(options)) };
    },
    tools: (offered, context) =>
      kit(offered, context).map(({ run, ...tool }) => ({
        ...tool,
        run: (...call) => hold(attempt, () => run(...call)),
      })),
    onFault,
  });
  const attempts = new Map<AttemptId, AbortController>();
  const calls = new Map<number, PendingCall>();
  let lastCall = 0;

  silence(process.stdout);
  silence(process.stderr);
  // An unhandled rejection harms no turn; an uncaught exception may have broken anything, and ends the thread.
  process.on('unhandledRejection', (error) => onFault('a forgotten promise', error));

  // Always runs: a turn that comes and goes must not restart the wait for the next beat.
  setInterval(() => Atomics.add(beats, 0, 1), pulseMs).unref();

  const callToolIn =
    (attempt: AttemptId): ThreadPorts['callTool'] =>
    (tool, input, onApproval) =>
      new Promise((resolve) => {
        const id = (lastCall += 1);
        calls.set(id, { onApproval, resolve });
        send({ type: 'call', attempt, id, tool, input });
      });

  const run = async (attempt: AttemptId, request: TurnRequest): Promise<void> => {
    const controller = new AbortController();
    attempts.set(attempt, controller);
    // Node delivers messages as long as there are any, so back-to-back turns would starve all timers.
    await new Promise((resolve) => setImmediate(resolve));
    const updates = gatherUpdates((update) => send({ type: 'update', attempt, update }), updateMs);
    try {
      const { signal } = controller;
      const ports = { callTool: callToolIn(attempt), signal, onUpdate: updates.add };
      const result = await runTurn(request, ports, depsOf(attempt));
      // That pictures are refused isn't remembered: the next message may be about its own picture.
      const lasting = request.access?.refused?.filter((name) => name !== 'pictures');
      send({ type: 'end', attempt, result, refused: lasting });
    } catch (error) {
      const { aborted } = controller.signal;
      // runTurn reports every expected error; any other must not leave the turn waiting.
      if (!aborted) onFault('a turn', error);
      send({ type: 'end', attempt, result: aborted ? null : BROKEN });
    } finally {
      updates.drop();
      attempts.delete(attempt);
    }
  };

  port.on('message', (message: ToWorker) => {
    switch (message.type) {
      case 'run':
        void run(message.attempt, message.request);
        break;
      case 'abort':
        attempts.get(message.attempt)?.abort();
        break;
      case 'approval':
        calls.get(message.id)?.onApproval(message.approval);
        break;
      case 'answer':
        calls.get(message.id)?.resolve(message.outcome);
        calls.delete(message.id);
        break;
    }
  });
  send({ type: 'ready' });
}

const NOTHING_SENT = markOf(NO_GROWTH);

/**
 * Collects updates and sends them as one, at most every `everyMs` and not before that time has passed: a quick turn
 * sends only its result. `drop` discards unsent updates and sends no more.
 */
function gatherUpdates(send: (update: GrowthUpdate) => void, everyMs: number) {
  let unsent = NO_GROWTH;
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    timer = undefined;
    const update = updateSince(NOTHING_SENT, unsent);
    unsent = NO_GROWTH;
    send(update);
  };
  return {
    add: (update: GrowthUpdate): void => {
      if (update.keeps !== undefined) {
        // `keeps` counts from the start of the reply, not of what is unsent.
        clearTimeout(timer);
        flush();
        send(update);
        return;
      }
      unsent = applyUpdate(unsent, update);
      timer ??= setTimeout(flush, everyMs);
    },
    drop: (): void => clearTimeout(timer),
  };
}

/** Nobody reads a worker's output, so it would pile up. */
function silence(stream: NodeJS.WriteStream): void {
  stream.write = (...args: unknown[]): boolean => {
    const done = args.at(-1);
    if (typeof done === 'function') process.nextTick(done);
    return true;
  };
}
