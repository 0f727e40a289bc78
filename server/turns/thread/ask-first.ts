import type { OutsidePort } from '../host-port.ts';
import type { Reply } from './reply.ts';

/** What asking goes through. */
export interface AskFirstDeps {
  outside: OutsidePort;
  /** Shows what is asked, and what files came. */
  reply: Pick<Reply, 'setApproval' | 'setFiles'>;
}

/** A tool call of the model's. */
export interface AskedCall {
  /** The model's id of it. */
  callId: string;
  tool: string;
  input: unknown;
}

/**
 * Announces a call and has it approved, where a person has to be asked; resolves with its id at the port. Rejects in words
 * where it is not to be made.
 */
export async function askFirst(
  { outside, reply }: AskFirstDeps,
  { callId, tool, input }: AskedCall,
): Promise<string> {
  const { id, approval } = await outside.announceCall(tool, input);
  if (approval === null) return id;
  reply.setApproval(callId, approval);
  try {
    await outside.awaitApproval(id);
  } finally {
    reply.setApproval(callId, null);
  }
  return id;
}
