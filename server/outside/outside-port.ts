import type { StepApproval } from '../../shared/api/message.ts';

/** A call that was announced. */
export interface AnnouncedCall {
  /** Names it in what follows. */
  id: string;
  /** What a person has to be asked first; null: nothing. */
  approval: StepApproval | null;
}

/**
 * How a turn calls tools that reach out, or ask first: announce it, have it approved if need be, run it. Everything rejects
 * in words where the call is not to be made (ToolError), and at once when the turn is stopped.
 */
export interface OutsidePort {
  /** The input has to be plain JSON data that fits the tool. */
  announceCall(tool: string, input: unknown): Promise<AnnouncedCall>;
  /** Resolves once a person said yes; rejects in words when they said no, or nobody did in time. */
  awaitApproval(id: string): Promise<void>;
  /** Makes the call, and resolves with its output as plain JSON data of bounded size. */
  runCall(id: string): Promise<unknown>;
}

/** The port of a turn without such tools. */
export const NO_OUTSIDE: OutsidePort = {
  announceCall: () => Promise.reject(new Error('This turn has no such tools.')),
  awaitApproval: () => Promise.reject(new Error('This turn has no such tools.')),
  runCall: () => Promise.reject(new Error('This turn has no such tools.')),
};
