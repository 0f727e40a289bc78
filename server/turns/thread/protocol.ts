import type { StepApproval } from '../../../shared/api/message.ts';
import type { GrowthUpdate } from '../../../shared/growth.ts';
import type { CallOutcome } from '../../agents/call-tool.ts';
import type { TurnRequest, TurnResult } from '../../agents/turn.ts';

/** Identifies one attempt at a turn; never used twice for one worker. */
export type AttemptId = number;

/** A call of a tool of the service. */
export interface ServiceCall {
  type: 'call';
  attempt: AttemptId;
  /** Unique within its worker. */
  id: number;
  tool: string;
  input: unknown;
}

/** Messages from the main thread to a worker. */
export type ToWorker =
  | { type: 'run'; attempt: AttemptId; request: TurnRequest }
  | { type: 'abort'; attempt: AttemptId }
  /** What a person is asked before the call of that id; null: that is over. */
  | { type: 'approval'; id: number; approval: StepApproval | null }
  | { type: 'answer'; id: number; outcome: CallOutcome };

/** Messages from a worker to the main thread. */
export type FromWorker =
  /** Everything is loaded. */
  | { type: 'ready' }
  /** An internal error; its details go only to the log. */
  | { type: 'fault'; text: string }
  | { type: 'update'; attempt: AttemptId; update: GrowthUpdate }
  | ServiceCall
  /**
   * An attempt is over. `result`: null if it was aborted. `refused`: what the model's server is known to refuse, see `ModelAccess`;
   * absent: nothing.
   */
  | { type: 'end'; attempt: AttemptId; result: TurnResult | null; refused?: readonly string[] | undefined };

/** The start data of a worker. */
export interface WorkerStart {
  /**
   * Two Int32: the first counts up while the worker's event loop runs, which shows the main thread that it is alive. The second is
   * the attempt that holds it, as far as is known, else 0.
   */
  pulse: SharedArrayBuffer;
  /** How often it counts up, in milliseconds. */
  pulseMs: number;
  /** How long text is collected before it is sent as an update, in milliseconds. */
  updateMs: number;
}

/** Size of {@link WorkerStart.pulse}. */
export const PULSE_BYTES = 2 * Int32Array.BYTES_PER_ELEMENT;
