/**
 * Asking people: whoever waits here goes on once the answer is on disk. Who answers need not know whether anybody waits now:
 * after a restart the answer is found by the turn that begins anew.
 */
import type { ApprovalDecision, ToolPermissionInfo } from '../../shared/api/approval.ts';
import { AppError } from '../errors.ts';
import { findChatIn, type StoredChat } from '../store/chat-repository.ts';
import {
  findToolCall,
  listToolCalls,
  updateToolCall,
  type StoredToolCall,
} from '../store/tool-call-repository.ts';
import {
  createToolPermission,
  deleteToolPermission,
  listToolPermissions,
} from '../store/tool-permission-repository.ts';
import type { Store, Writer } from '../store/types.ts';
import { ASK_APPROVAL } from './rehearsal-tools.ts';

/** How a person answered, or that nobody did. */
export type Answer = 'approved' | 'denied' | 'expired';

/** An answer from a client. */
export interface DecideRequest {
  chatId: string;
  /** Null: any. */
  workspaceId: string | null;
  approvalId: string;
  decision: ApprovalDecision;
  /** Also for all later calls of the tool; only with `approve`. */
  remember: boolean;
}

/** The approvals of one store. */
export interface Approvals {
  /** Resolves with the answer once it is on disk, or once the time is over; rejects when the signal fires. */
  wait(call: { id: string; chatId: string; expiresAt: string }, signal: AbortSignal): Promise<Answer>;
  /**
   * Answers, and resolves with the chat once that is on disk. The same answer again changes nothing. AppError
   * `chat_not_found`; `approval_not_found`; `conflict` when it was answered otherwise or too late, or `remember` is not for
   * that tool.
   */
  decide(request: DecideRequest): Promise<StoredChat>;
  /** The tools that are always allowed, by name. */
  permissions(): Promise<ToolPermissionInfo[]>;
  /** Has a tool ask again; null: it did anyway. */
  forget(tool: string): Promise<ToolPermissionInfo | null>;
}

/** Whether an answer can be remembered for all later calls of a tool. */
export const canRemember = (tool: string): boolean => tool !== ASK_APPROVAL;

/** Makes the approvals of a store. */
export function createApprovals({ store, clock }: { store: Store; clock: () => Date }): Approvals {
  const waiting = new Map<string, Set<(answer: Answer) => void>>();

  function tell(id: string, answer: Answer): void {
    const all = waiting.get(id);
    waiting.delete(id);
    for (const resolve of all ?? []) resolve(answer);
  }

  /** The calls that the answer is for: all of the tool that wait in the turn, if it is to be remembered. */
  const answered = (writer: Writer, call: StoredToolCall, remember: boolean): StoredToolCall[] =>
    remember
      ? listToolCalls(writer, call.replyId).filter(
          ({ tool, state }) => tool === call.tool && state === 'waiting',
        )
      : [call];

  return {
    wait({ id, chatId, expiresAt }, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      const stop = (): void => reject(signal.reason as Error);
      if (signal.aborted) stop();
      signal.addEventListener('abort', stop, { once: true });
      const all = waiting.get(id) ?? new Set();
      waiting.set(id, all.add(resolve));
      const expire = (): void => {
        store
          .write((writer) => {
            const call = findToolCall(writer, chatId, id);
            if (call?.state === 'waiting') updateToolCall(writer, id, { state: 'expired' });
            return call === null ? 'expired' : (answerOf(call) ?? 'expired');
          })
          // It counts as a no also where that can't be written down.
          .catch((): Answer => 'expired')
          .then(
            (answer) => tell(id, answer),
            () => undefined,
          );
      };
      const timer = setTimeout(expire, Math.max(0, Date.parse(expiresAt) - clock().getTime()));
      const known = store.read((reader) => findToolCall(reader, chatId, id));
      const answer = known && answerOf(known);
      if (answer !== null) tell(id, answer);
      return promise.finally(() => {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
        all.delete(resolve);
      });
    },

    async decide({ chatId, workspaceId, approvalId, decision, remember }) {
      const answer: Answer = decision === 'approve' ? 'approved' : 'denied';
      const now = clock().toISOString();
      const { chat, calls } = await store.write((writer) => {
        const found = findChatIn(writer, chatId, workspaceId);
        if (found === null) throw new AppError('chat_not_found');
        const call = findToolCall(writer, chatId, approvalId);
        if (call === null || call.expiresAt === null) throw new AppError('approval_not_found');
        if (remember && !canRemember(call.tool)) throw new AppError('conflict', NOT_REMEMBERED);
        const given = call.state === 'waiting' && call.expiresAt <= now ? 'expired' : answerOf(call);
        if (given === 'expired') throw new AppError('conflict', TOO_LATE);
        if (given !== null && given !== answer) throw new AppError('conflict', ANSWERED);
        const isRemembered = remember && answer === 'approved';
        if (isRemembered) createToolPermission(writer, { tool: call.tool, createdAt: now });
        const meant = given === null ? answered(writer, call, isRemembered) : [];
        for (const each of meant) updateToolCall(writer, each.id, { state: answer });
        return { chat: found, calls: meant };
      });
      for (const { id } of calls) tell(id, answer);
      return chat;
    },

    async permissions() {
      const all = store.read(listToolPermissions);
      await store.settled();
      return all;
    },

    forget: (tool) =>
      store.write((writer) => {
        const known = listToolPermissions(writer).find((permission) => permission.tool === tool) ?? null;
        deleteToolPermission(writer, tool);
        return known;
      }),
  };
}

const TOO_LATE = 'The time to answer this is over, which counted as a no; send a new message to try again.';
const ANSWERED = 'This was answered otherwise already; read the chat’s messages for what came of it.';
const NOT_REMEMBERED = 'An answer to this can not be remembered; answer without “remember”.';

/** How a call was answered; null: it still waits. */
function answerOf({ state }: StoredToolCall): Answer | null {
  switch (state) {
    case 'waiting':
      return null;
    case 'denied':
    case 'expired':
      return state;
    default:
      return 'approved';
  }
}
