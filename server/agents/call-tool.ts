import type { StepApproval, StepFile } from '../../shared/api/message.ts';
import { ToolError } from '../tools/tool.ts';

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
}

/** How a call ended, with words for the model and the reader if it failed; files also come with a failed one. */
export type CallOutcome = CallResult | (Pick<CallResult, 'files'> & { error: string; inDoubt?: true });

/** Gets what a person is asked before a call, and null when that is over. */
export type OnPendingApproval = (approval: StepApproval | null) => void;

/**
 * How an agents' thread has the service call a tool, with input that is plain JSON data and fits it. Rejects in words (ToolError) if the
 * call isn't made or fails, and at once when the turn is stopped.
 */
export type CallTool = (tool: string, input: unknown, onApproval: OnPendingApproval) => Promise<CallResult>;

/** For a request of which nothing is kept: there is no workspace to look at, and nobody to ask. */
export const refuseCalls: CallTool = () =>
  Promise.reject(
    new ToolError(
      'This request is kept nowhere, so notes and earlier messages can’t be used in it; send it as a chat for that.',
    ),
  );
