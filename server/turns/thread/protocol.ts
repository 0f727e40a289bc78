import type { GrowthUpdate } from '../../../shared/growth.ts';
import type { HostPort } from '../../agents/host-port.ts';
import type { WorkspacePort } from '../../tools/tool.ts';
import type { TurnRequest, TurnResult } from '../../agents/turn.ts';

/** Names one attempt at a turn; never used twice for one worker. */
export type AttemptId = number;

/** The methods of a turn's ports, which its thread calls on the main thread. */
export const PORT_METHODS = {
  workspace: ['searchMessages', 'addNote', 'findNotes', 'deleteNote'],
  host: ['announceCall', 'awaitApproval', 'runCall'],
} as const satisfies {
  workspace: readonly (keyof WorkspacePort)[];
  host: readonly (keyof HostPort)[];
};

/** A call of such a method, which is answered with what that returned: `id` is unique within its worker. */
export interface PortCall {
  id: number;
  port: keyof typeof PORT_METHODS;
  method: string;
  args: unknown[];
}

/**
 * How a call was rejected. `words`: the message is meant for the person. `doubt`: so it is, and nobody knows whether the call
 * took effect. `fault`: one of ours.
 */
export type RefusalKind = 'words' | 'doubt' | 'fault';

/** What the main thread tells a worker. */
export type ToWorker =
  | { type: 'run'; attempt: AttemptId; request: TurnRequest }
  | { type: 'abort'; attempt: AttemptId }
  | { type: 'answer'; id: number; value: unknown }
  | { type: 'refusal'; id: number; message: string; kind: RefusalKind };

/** What a worker tells the main thread. */
export type FromWorker =
  /** All is loaded. */
  | { type: 'ready' }
  | { type: 'update'; attempt: AttemptId; update: GrowthUpdate }
  | { type: 'result'; attempt: AttemptId; result: TurnResult }
  /** An aborted attempt is over. */
  | { type: 'gone'; attempt: AttemptId }
  | { type: 'call'; attempt: AttemptId; call: PortCall }
  /** A fault whose details only the log gets. */
  | { type: 'fault'; text: string };

/** What a worker is started with. */
export interface WorkerStart {
  /**
   * One Int32 that counts up while the worker's event loop turns: how the main thread sees it
   * is alive.
   */
  pulse: SharedArrayBuffer;
  /** How often it does, in milliseconds. */
  pulseMs: number;
  /** How long text is gathered before it is sent as an update, in milliseconds. */
  updateMs: number;
}

/** Size of {@link WorkerStart.pulse}. */
export const PULSE_BYTES = Int32Array.BYTES_PER_ELEMENT;
