/**
 * Approvals by people. A call that waits here continues once the answer is on disk. An answer counts even if nothing is waiting
 * for it yet: after a restart, the turn finds it when it starts again.
 */
import {
  PERMISSION_PLACES,
  type ApprovalDecision,
  type PermissionPlace,
  type ToolPermissionInfo,
} from '../../shared/api/approval.ts';
import { atTime } from '../lib/at-time.ts';
import { createListeners } from '../lib/listeners.ts';
import { unlessAborted } from '../lib/unless-aborted.ts';
import { AppError, found } from '../errors.ts';
import { findChatIn, type ChatTarget, type StoredChat } from '../store/chat-repository.ts';
import {
  findToolCall,
  listToolCalls,
  updateToolCall,
  type StoredToolCall,
} from '../store/tool-call-repository.ts';
import {
  deleteToolPermission,
  findToolPermission,
  listToolPermissions,
  updateToolPermission,
  type PermissionScope,
  type ToolPermission,
} from '../store/tool-permission-repository.ts';
import { readSettled } from '../store/read-settled.ts';
import type { Store, Writer } from '../store/types.ts';
import { ASK_APPROVAL } from '../tools/ask-approval.ts';

/** The person's answer; `expired`: nobody answered in time; `withdrawn`: there is nothing left to answer. */
export type ApprovalOutcome = 'approved' | 'denied' | 'expired' | 'withdrawn';

/** Why a call was not made whose approval was withdrawn, for the person and the model. */
export const WITHDRAWN_WORDS =
  'The tool server was removed or changed before this was answered, so nothing was sent.';

/** An answer from a client. */
export interface DecideRequest extends ChatTarget {
  approvalId: string;
  decision: ApprovalDecision;
  /** Whether this also applies to later calls of the tool there, until its description changes. Only with `approve`. */
  remember: boolean;
}

/** The approvals of one store. */
export type PendingApprovals = ReturnType<typeof createApprovals>;

/** Whether an answer can apply to later calls of a tool. */
export const canRemember = ({ tool, place }: Pick<StoredToolCall, 'tool' | 'place'>): boolean =>
  tool !== ASK_APPROVAL && place !== null;

/** Where a remembered answer to this call applies. */
const scopeOf = (
  workspaceId: string,
  { tool, place, described }: Pick<StoredToolCall, 'tool' | 'place' | 'described'>,
): PermissionScope => ({ workspaceId, tool, place: place ?? '', described: described ?? '' });

const isAllowed = (writer: Writer, scope: PermissionScope): boolean =>
  findToolPermission(writer, scope)?.described === scope.described;

/** Makes the approvals of a store. */
export function createApprovals({ store, clock }: { store: Store; clock: () => Date }) {
  /** Announces which calls may have been answered; null: any. */
  const answers = createListeners<[ids: readonly string[] | null]>();

  /** The calls that an answer is for. A remembered one is also for the turn's other waiting calls of that tool and place. */
  const answered = (writer: Writer, call: StoredToolCall, remember: boolean): StoredToolCall[] =>
    remember
      ? listToolCalls(writer, call.replyId).filter(
          ({ tool, place, described, state }) =>
            tool === call.tool && place === call.place && described === call.described && state === 'waiting',
        )
      : [call];

  return {
    /** Resolves with the answer once it is on disk, or when the time is up. Rejects when the signal fires. */
    wait(
      { id, chatId, expiresAt }: { id: string; chatId: string; expiresAt: string },
      signal: AbortSignal,
    ): Promise<ApprovalOutcome> {
      const { promise, resolve } = Promise.withResolvers<ApprovalOutcome>();
      const check = (): void => {
        const call = store.read((reader) => findToolCall(reader, chatId, id));
        const answer = call && answerOf(call, null);
        if (answer !== null) resolve(answer);
      };
      const expire = (): void => {
        store
          .write((writer) => {
            const call = findToolCall(writer, chatId, id);
            if (call?.state === 'waiting') updateToolCall(writer, id, 'expired');
            return call === null ? 'expired' : (answerOf(call, null) ?? 'expired');
          })
          // It counts as a refusal even if that can't be stored.
          .then(resolve, () => resolve('expired'));
      };
      const callOff = atTime(Date.parse(expiresAt), clock, expire);
      const stopListening = answers.on((ids) => {
        if (ids === null || ids.includes(id)) check();
      });
      check();
      return unlessAborted(signal, promise).finally(() => {
        callOff();
        stopListening();
      });
    },

    /**
     * Stores an answer, and resolves with the chat once that is on disk. The same answer again changes nothing. Throws AppError
     * `chat_not_found` or `approval_not_found`; `conflict` if it was answered differently (including once instead of always), or too
     * late, if it was withdrawn, or if this tool's answers can't be remembered.
     */
    async decide(request: DecideRequest): Promise<StoredChat> {
      const { chatId, workspaceId, approvalId, decision, remember } = request;
      const answer: ApprovalOutcome = decision === 'approve' ? 'approved' : 'denied';
      const now = clock().toISOString();
      const { chat, calls } = await store.write((writer) => {
        const stored = found(findChatIn(writer, chatId, workspaceId), 'chat_not_found');
        const call = findToolCall(writer, chatId, approvalId);
        if (call === null || call.expiresAt === null) throw new AppError('approval_not_found');
        if (remember && !canRemember(call)) throw new AppError('conflict', NOT_REMEMBERED);
        const earlier = answerOf(call, now);
        if (earlier === 'expired') throw new AppError('conflict', TOO_LATE);
        if (earlier === 'withdrawn') throw new AppError('conflict', WITHDRAWN);
        if (earlier !== null && earlier !== answer) throw new AppError('conflict', ANSWERED);
        const isRemembered = remember && answer === 'approved';
        // Only stored together with the answer: later, the tool's name may mean another tool.
        const scope = scopeOf(stored.workspaceId, call);
        if (isRemembered && earlier !== null && !isAllowed(writer, scope)) {
          throw new AppError('conflict', ANSWERED);
        }
        if (isRemembered && earlier === null) {
          // It has the id of the approval, since each is answered once.
          updateToolPermission(writer, {
            ...scope,
            id: call.id,
            placeName: call.placeName ?? '',
            createdAt: now,
          });
        }
        const chosen = earlier === null ? answered(writer, call, isRemembered) : [];
        for (const each of chosen) updateToolCall(writer, each.id, answer);
        return { chat: stored, calls: chosen };
      });
      answers.emit(calls.map(({ id }) => id));
      return chat;
    },

    /** Checks again the approvals that calls wait for: another write to the store may have withdrawn some. */
    recheck: (): void => answers.emit(null),

    /** What is always allowed, sorted by tool. */
    async permissions(): Promise<ToolPermissionInfo[]> {
      const all = await readSettled(store, listToolPermissions);
      return all.map(toInfo);
    },

    /** Makes a tool ask again, by the id of a permission, or by name for all of the tool's permissions. Null: there was none. */
    forget: (idOrTool: string): Promise<ToolPermissionInfo | null> =>
      store.write((writer) => {
        const all = listToolPermissions(writer);
        const one = all.filter(({ id }) => id === idOrTool);
        const chosen = one.length > 0 ? one : all.filter(({ tool }) => tool === idOrTool);
        for (const { id } of chosen) deleteToolPermission(writer, id);
        const [first] = chosen;
        return first === undefined ? null : toInfo(first);
      }),
  };
}

const KINDS: readonly string[] = PERMISSION_PLACES;

/** As clients see it. */
function toInfo({ id, tool, workspaceId, place, placeName, createdAt }: ToolPermission): ToolPermissionInfo {
  const [kind] = place.split(':', 1);
  const isKind = (text: string | undefined): text is PermissionPlace => KINDS.includes(text ?? '');
  return {
    id,
    tool,
    workspaceId,
    place: isKind(kind) ? { kind, name: placeName } : null,
    createdAt,
  };
}

const TOO_LATE = 'The time to answer this is over, which counted as a no; send a new message to try again.';
const WITHDRAWN =
  'The tool server was removed or changed meanwhile, so there is nothing to answer any more; send a new message to try again.';
const ANSWERED = 'This was answered otherwise already; read the chat’s messages for what came of it.';
const NOT_REMEMBERED = 'An answer to this can not be remembered; answer without “remember”.';

/** How a call was answered; null: still waiting. `now`: when that is checked, if its time may be over. */
export function answerOf(
  { state, expiresAt }: Pick<StoredToolCall, 'state' | 'expiresAt'>,
  now: string | null,
): ApprovalOutcome | null {
  switch (state) {
    case 'waiting':
      return now !== null && expiresAt !== null && expiresAt <= now ? 'expired' : null;
    case 'denied':
    case 'expired':
    case 'withdrawn':
      return state;
    default:
      return 'approved';
  }
}
