import type { StepApproval, StepFile } from '../../shared/api/message.ts';
import { ToolError, type WorkspacePort } from '../tools/tool.ts';

/** A call that was announced. */
export interface AnnouncedCall {
  /** Names it in what follows. */
  id: string;
  /** What a person has to be asked first; null: nothing. */
  approval: StepApproval | null;
}

/** A picture that a tool gave, for a model that looks at pictures. */
export interface Picture {
  mediaType: string;
  /** In base64. */
  data: string;
}

/** What a call gave. */
export interface CallResult {
  /** Plain JSON data of bounded size. */
  output: unknown;
  /** Files that were kept; absent: none. */
  files?: StepFile[];
  /** Those of them that the turn's model can look at; absent: none. */
  pictures?: Picture[];
  /** Why nothing was sent: a person has to sign in first. The call is to be announced again; absent: it was made. */
  unsent?: string;
}

/**
 * How an agents' thread has the service call tools that run there, or ask first: announce a call, have it approved if need
 * be, run it. Everything rejects in words where the call is not to be made (ToolError), and at once when the turn is stopped.
 */
export interface HostPort {
  /** The input has to be plain JSON data that fits the tool. */
  announceCall(tool: string, input: unknown): Promise<AnnouncedCall>;
  /** Resolves once a person said yes; rejects in words when they said no, or nobody did in time. */
  awaitApproval(id: string): Promise<void>;
  /** Makes the call, and resolves with what it gave. */
  runCall(id: string): Promise<CallResult>;
}

const refuse = (): Promise<never> =>
  Promise.reject(
    new ToolError(
      'This request is kept nowhere, so notes and earlier messages can’t be used in it; send it as a chat for that.',
    ),
  );

/** The ports of a request of which nothing is kept: there is no workspace to look at, and nobody to ask. */
export const NO_PORTS: { workspace: WorkspacePort; host: HostPort } = {
  workspace: { searchMessages: refuse, addNote: refuse, findNotes: refuse, deleteNote: refuse },
  host: { announceCall: refuse, awaitApproval: refuse, runCall: refuse },
};
