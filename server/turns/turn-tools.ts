/**
 * The calls of one turn that the service makes, after asking a person if need be. Calls that change or send something are recorded
 * before they are made: a turn that has begun one is never started again (rows.ts).
 */
import { DENIED_WORDS, EXPIRED_WORDS, UNASKED_WORDS, UNATTENDED_WORDS } from '../../shared/choices.ts';
import type { StepApproval } from '../../shared/api/message.ts';
import { quoted } from '../../shared/visible.ts';
import type { CallResult, CallTool, OnPendingApproval } from '../agents/call-tool.ts';
import { canonicalJson } from '../lib/canonical-json.ts';
import { findToolPermission, type ToolPermission } from '../store/tool-permission-repository.ts';
import {
  beginToolCall,
  createToolCall,
  deleteToolCall,
  hasDoubt,
  listToolCalls,
  settleDoubts,
  updateToolCall,
  type StoredToolCall,
} from '../store/tool-call-repository.ts';
import type { AllowedTool } from '../store/schedule-repository.ts';
import type { Writer } from '../store/types.ts';
import { DoubtError, SignInNeededError, ToolError, type Description, type Tool } from '../tools/tool.ts';
import {
  answerOf,
  canRemember,
  WITHDRAWN_WORDS,
  type ApprovalOutcome,
  type PendingApprovals,
} from './approvals.ts';
import { makeCall, type CallDeps, type ReadyCall } from './make-call.ts';
import type { CallableTool } from './offer-tools.ts';

/** Dependencies. */
export interface TurnToolsDeps extends CallDeps {
  clock: () => Date;
  workspaceId: string;
  approvals: Pick<PendingApprovals, 'wait'>;
  /** The tools that may be called, by name. */
  tools: ReadonlyMap<string, CallableTool>;
  /** Whether a person may be asked. If not, tools that ask are denied at once. */
  mayAsk: boolean;
  /** The tools that were allowed for the schedule that sent the message; null: a person or a program sent it. */
  allowed: readonly AllowedTool[] | null;
  /** How long a person has to answer, in milliseconds. */
  approvalMs: number;
}

/** The row of a call that a person is asked about. */
type AskedCall = StoredToolCall & { expiresAt: string };

/** A call that a model wants, and that may be made once it is permitted. */
interface Call extends ReadyCall {
  /** Its row, which is only stored if a person is asked, or if it changes or sends something. */
  row: Pick<StoredToolCall, 'id' | 'chatId' | 'replyId' | 'tool' | 'input' | 'createdAt'>;
  /** Whether an earlier call of the tool in this chat was cut off, so this may do the same again. */
  mayRepeat: boolean;
  /** Whether a person was asked. */
  wasAsked: boolean;
}

/** For a call that could not be described. Nothing has the basis `unknown`, so a tool that checks its basis does nothing. */
const NOT_DESCRIBED: Description = { summary: '', basis: 'unknown', place: 'unknown' };

/** How often a call is made whose server wants a sign-in, whatever a person answers. */
const MAX_SIGN_INS = 3;

/** Serves the calls of one attempt of a turn. */
export function createTurnTools(deps: TurnToolsDeps): CallTool {
  const { store, approvals, signal, newId, chatId, replyId } = deps;
  /** Approvals that a call of this attempt waits for. */
  const claimed = new Set<string>();
  const now = (): string => deps.clock().toISOString();

  /** Resolves with a call when it may be made, after asking a person if need be; rejects in words if it must not be made. */
  async function permit(name: string, input: unknown, onApproval: OnPendingApproval): Promise<Call> {
    const callable = deps.tools.get(name);
    if (callable === undefined) throw new ToolError(`There is no tool called “${name}”.`);
    const { tool, asks } = callable;
    const mayRepeat = tool.changes && store.read((reader) => hasDoubt(reader, chatId, name));
    const row = { id: newId(), chatId, replyId, tool: name, input: canonicalJson(input), createdAt: now() };
    const call: Call = { row, id: row.id, tool, input, mayRepeat, wasAsked: false, basis: null, place: null };
    if (!asks) return call;
    const about = await describe(tool, input);
    const fresh: AskedCall = {
      ...row,
      state: 'waiting',
      expiresAt: new Date(deps.clock().getTime() + deps.approvalMs).toISOString(),
      basis: about?.basis ?? null,
      ...placeOf(about),
      described: tool.described ?? '',
    };
    const permission = findPermission(name, fresh.place);
    const signIn = about?.signIn;
    if (!mayRepeat && signIn === undefined && isAllowed(fresh, permission))
      return { ...call, place: fresh.place };
    if (!deps.mayAsk) {
      if (signIn !== undefined) throw new ToolError(signInWords(signIn.name));
      throw new ToolError(deps.allowed === null ? UNASKED_WORDS : UNATTENDED_WORDS);
    }
    const asked = await store.write((writer) => saveApproval(writer, fresh));
    let answer = answerOf(asked, now());
    if (answer === null) {
      onApproval(approvalOf(asked, fresh, mayRepeat, about, permission));
      answer = await approvals.wait(asked, signal).finally(() => onApproval(null));
    }
    if (answer !== 'approved') throw new ToolError(REFUSED_WORDS[answer]);
    return { ...call, row: asked, id: asked.id, basis: asked.basis, wasAsked: true };
  }

  const findPermission = (tool: string, place: string | null): ToolPermission | null =>
    place === null
      ? null
      : store.read((reader) => findToolPermission(reader, { workspaceId: deps.workspaceId, tool, place }));

  /** Whether the schedule may use this tool, or the person always allows it there: as it is described now. */
  const isAllowed = ({ tool, place, described }: AskedCall, known: ToolPermission | null): boolean =>
    known?.described === described ||
    (place !== null &&
      deps.allowed?.some((one) => one.name === tool && one.described === described) === true);

  /** What the person is shown: of an approval from before a restart, what the tool says now. */
  function approvalOf(
    { id, expiresAt }: AskedCall,
    { tool, place, described }: AskedCall,
    mayRepeat: boolean,
    about: Description | null,
    permission: ToolPermission | null,
  ): StepApproval {
    const isRedescribed = permission !== null && permission.described !== described;
    const summary = [
      ...(mayRepeat ? [REPEAT_WARNING] : []),
      ...(isRedescribed ? [REDESCRIBED_WARNING] : []),
      about?.summary ?? '',
    ]
      .join(' ')
      .trim();
    return {
      id,
      expiresAt,
      ...(summary !== '' && { summary }),
      ...(about?.diff !== undefined && { diff: about.diff }),
      ...(about?.signIn !== undefined && { signIn: about.signIn }),
      canRemember: canRemember({ tool, place }),
    };
  }

  /**
   * Stores an approval to wait for, and returns it. If this turn asked the same before it was started again, that one is returned instead,
   * perhaps with an answer; but if its basis has changed since and nobody has answered it, it can't be answered any more.
   */
  function saveApproval(writer: Writer, fresh: AskedCall): AskedCall {
    for (const known of listToolCalls(writer, replyId)) {
      const { id, tool, input, expiresAt, state, basis } = known;
      if (expiresAt === null || tool !== fresh.tool || input !== fresh.input || claimed.has(id)) continue;
      claimed.add(id);
      // Never longer than a new approval: the clock may have been set back since.
      if (state !== 'waiting' || basis === fresh.basis)
        return { ...known, expiresAt: expiresAt < fresh.expiresAt ? expiresAt : fresh.expiresAt };
      deleteToolCall(writer, id);
      break;
    }
    claimed.add(fresh.id);
    createToolCall(writer, fresh);
    return fresh;
  }

  async function describe(tool: Tool, input: unknown): Promise<Description | null> {
    let about: Description | null;
    try {
      about = (await tool.describe?.(input as Record<string, unknown>)) ?? null;
    } catch (error) {
      if (error instanceof ToolError) throw error;
      deps.onFault(error);
      about = NOT_DESCRIBED;
    }
    // If the turn has ended, its approval must not be stored.
    signal.throwIfAborted();
    return about;
  }

  async function make(call: Call): Promise<CallResult> {
    const { id, tool } = call;
    if (tool.changes || tool.sends === true) await begin(call);
    if (!tool.changes) return makeCall(call, deps);
    try {
      const result = await makeCall(call, deps);
      await store.write((writer) => updateToolCall(writer, id, 'done'));
      return result;
    } catch (error) {
      // If the turn was cut off, the outcome is unknown, and the record stays as it is.
      if (signal.aborted) throw error;
      await store.write((writer) => {
        // Nothing was sent.
        if (error instanceof SignInNeededError) deleteToolCall(writer, id);
        else updateToolCall(writer, id, error instanceof DoubtError ? 'in_doubt' : 'failed');
      });
      throw error;
    }
  }

  async function begin({ row, tool, wasAsked, mayRepeat }: Call): Promise<void> {
    const hasBegun = await store.write((writer) => {
      if (signal.aborted || !beginToolCall(writer, { ...row, state: tool.changes ? 'begun' : 'sent' }))
        return false;
      // The person has read that it may repeat something, and approved it.
      if (mayRepeat && wasAsked) settleDoubts(writer, chatId, tool.name);
      return true;
    });
    signal.throwIfAborted();
    if (!hasBegun) throw new ToolError(TURN_OVER);
  }

  return async (name, input, onApproval) => {
    for (let tries = 1; ; tries += 1) {
      const call = await permit(name, input, onApproval);
      try {
        return await make(call);
      } catch (error) {
        // The next time it is described as a call that needs a sign-in.
        if (!(error instanceof SignInNeededError) || signal.aborted || tries === MAX_SIGN_INS) throw error;
      }
    }
  };
}

const TURN_OVER = 'The reply ended before this was begun, so it was not done.';

const REFUSED_WORDS: Record<Exclude<ApprovalOutcome, 'approved'>, string> = {
  denied: DENIED_WORDS,
  expired: EXPIRED_WORDS,
  withdrawn: WITHDRAWN_WORDS,
};

const signInWords = (server: string): string =>
  `The tool server ${quoted(server)} asks for a sign-in, which only a person can give in Parley, and nobody was asked.`;

const REPEAT_WARNING =
  'An earlier try was cut off: something like this may have been done before, and would be done again.';

const REDESCRIBED_WARNING =
  'This was always allowed, but its server describes the tool differently now, so it is asked about again.';

/** Where a remembered answer would apply. */
function placeOf(about: Description | null): Pick<AskedCall, 'place' | 'placeName'> {
  if (about?.place === 'unknown') return { place: null, placeName: null };
  return { place: about?.place?.id ?? '', placeName: about?.place?.name ?? '' };
}
