import type { GrowthUpdate } from '../../../shared/growth.ts';
import type { HostPort } from '../../agents/host-port.ts';
import type { WorkspacePort } from '../../tools/tool.ts';
import type { TurnRequest, TurnResult } from '../../agents/turn.ts';

/** Identifies one attempt at a turn; never used twice for one worker. */
export type AttemptId = number;

/** The methods of a turn's ports, which its thread calls on the main thread. */
export const PORT_METHODS = {
  workspace: ['searchMessages', 'addNote', 'findNotes', 'deleteNote'],
  host: ['announceCall', 'awaitApproval', 'runCall'],
} as const satisfies {
  workspace: readonly (keyof WorkspacePort)[];
  host: readonly (keyof HostPort)[];
};

/** A call of such a method, answered with its result; `id` is unique within its worker. */
export interface PortCall {
  id: number;
  port: keyof typeof PORT_METHODS;
  method: string;
  args: unknown[];
}

/**
 * How a call was rejected. `words`: the message is for people. `doubt`: the same, and it is unknown whether the call
 * took effect. `fault`: an internal error.
 */
export type RefusalKind = 'words' | 'doubt' | 'fault';

/** Messages from the main thread to a worker. */
export type ToWorker =
  | { type: 'run'; attempt: AttemptId; request: TurnRequest }
  | { type: 'abort'; attempt: AttemptId }
  | { type: 'answer'; id: number; value: unknown }
  | { type: 'refusal'; id: number; message: string; kind: RefusalKind };

/** Messages from a worker about one of its turns. */
export type TurnMessage =
  | { type: 'update'; attempt: AttemptId; update: GrowthUpdate }
  /** `refused`: what the model's server is known to refuse, if anything; see `ModelAccess`. */
  | { type: 'result'; attempt: AttemptId; result: TurnResult; refused?: readonly string[] | undefined }
  /** An aborted attempt is over. */
  | { type: 'gone'; attempt: AttemptId }
  | { type: 'call'; attempt: AttemptId; call: PortCall };

/** Messages from a worker to the main thread. */
export type FromWorker =
  | TurnMessage
  /** Everything is loaded. */
  | { type: 'ready' }
  /** An internal error; its details go only to the log. */
  | { type: 'fault'; text: string };

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
