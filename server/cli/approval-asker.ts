import type { Message } from '../../shared/api/message.ts';
import { askToAllow, decide, type WaitingCall, waitingCallsOf } from './approvals.ts';
import { type Client, RefusedError } from './client.ts';
import { shortId } from './find-chat.ts';
import { canAsk, note } from './terminal.ts';
import { messageOf } from '../lib/message-of.ts';

/** Asks the person a reply's approval questions, or says how to answer them. `beforePrinting` is called each time. */
export function createAsker(client: Client, chatId: string, beforePrinting: () => void) {
  const answered = new Set<string>();
  let waiting: WaitingCall[] = [];
  let asking: { id: string; over: AbortController } | null = null;

  const printHow = (): void =>
    note(
      `Answer with parley answer ${shortId(chatId)} yes (or no), or in Parley's window (parley open). The reply waits for your answer.`,
    );

  async function put(call: WaitingCall, over: AbortController): Promise<void> {
    note(call.words);
    try {
      const isAllowed = await askToAllow(call, over, () => process.emit('SIGINT'));
      if (isAllowed !== null)
        await decide(client, chatId, call.id, { decision: isAllowed ? 'approve' : 'deny' });
    } catch (error) {
      // Somebody else was faster, or this key isn't allowed to answer.
      if (over.signal.aborted || (error instanceof RefusedError && error.code === 'approval_not_found'))
        return;
      note(messageOf(error));
      printHow();
    }
  }

  function next(): void {
    if (asking !== null) return;
    const call = waiting.find(({ id }) => !answered.has(id));
    if (call === undefined) return;
    answered.add(call.id);
    beforePrinting();
    if (!canAsk()) {
      note(`Parley asks first. ${call.words}`);
      printHow();
      next();
      return;
    }
    const over = new AbortController();
    asking = { id: call.id, over };
    void put(call, over).finally(() => {
      asking = null;
      next();
    });
  }

  return {
    /** Asks new questions, and withdraws those that somebody else has answered. */
    update(reply: Message | null): void {
      waiting = reply === null ? [] : waitingCallsOf(reply);
      if (asking !== null && !waiting.some(({ id }) => id === asking?.id)) asking.over.abort();
      next();
    },
    /** Whether the person is being asked. */
    isAsking: (): boolean => asking !== null,
    close: (): void => asking?.over.abort(),
  };
}
