/**
 * The calls of one turn that the service makes, or that need approval. Calls that change or send something are recorded before
 * they are made: a turn that has begun one is never started again (rows.ts).
 */
import { DENIED_WORDS, EXPIRED_WORDS, UNASKED_WORDS, UNATTENDED_WORDS } from '../../shared/choices.ts';
import type { StepApproval } from '../../shared/api/message.ts';
import { quoted } from '../../shared/visible.ts';
import type { AnnouncedCall, CallResult, HostPort } from '../agents/host-port.ts';
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
import { answerOf, canRemember, WITHDRAWN_WORDS, type Answer, type Approvals } from './approvals.ts';
import { makeCall, TURN_OVER, type CallDeps } from './make-call.ts';
import type { CallableTool } from './offer-tools.ts';

/** Dependencies. */
export interface TurnToolsDeps extends CallDeps {
  approvals: Pick<Approvals, 'wait'>;
  /** The tools that may be called, by name. */
  tools: ReadonlyMap<string, CallableTool>;
  /** Whether a person may be asked. If not, tools that ask are denied at once. */
  mayAsk: boolean;
  /** The tools that were allowed for the schedule that sent the message; null: a person or a program sent it. */
  allowed: readonly AllowedTool[] | null;
  /** How long a person has to answer, in milliseconds. */
  approvalMs: number;
}

/** What is known about an announced call. */
interface Call {
  tool: CallableTool['tool'];
  input: unknown;
  /** When the approval expires; null: nobody is asked. */
  expiresAt: string | null;
  /** Whether an earlier call of the tool in this chat was cut off, so this may do the same again. */
  mayRepeat: boolean;
  /** The state that the person's answer is based on; null: nothing that could change. */
  basis: string | null;
  /** Where it is always allowed; null: a person was asked, or it never asks. */
  place: string | null;
}

/** What a person is asked. */
type Approval = Pick<StoredToolCall, 'id' | 'basis' | 'place' | 'placeName' | 'described'> & {
  expiresAt: string;
};

/** For a call that could not be described. A tool that checks the basis then does nothing. */
const NOT_DESCRIBED: Description = { summary: '', basis: 'unknown', place: 'unknown' };

/** Serves the calls of one attempt of a turn. */
export function createTurnTools(deps: TurnToolsDeps): HostPort {
  const { store, approvals, signal, newId, chatId, replyId } = deps;
  const calls = new Map<string, Call>();
  /** Approvals that a call of this attempt waits for. */
  const claimed = new Set<string>();
  const now = (): string => deps.clock().toISOString();

  async function announceCall(name: string, input: unknown): Promise<AnnouncedCall> {
    const callable = deps.tools.get(name);
    if (callable === undefined) throw new ToolError(`There is no tool called “${name}”.`);
    const { tool, asks } = callable;
    const mayRepeat = tool.changes && store.read((reader) => hasDoubt(reader, chatId, name));
    const call: Call = { tool, input, mayRepeat, expiresAt: null, basis: null, place: null };
    const about = asks ? await describe(call) : null;
    const approval = newApproval(about, tool);
    const needsSignIn = about?.signIn !== undefined;
    if (
      !asks ||
      (!mayRepeat && !needsSignIn && (isScheduled(name, approval) || wasAllowed(name, approval)))
    ) {
      calls.set(approval.id, { ...call, place: asks ? approval.place : null });
      return { id: approval.id, approval: null };
    }
    if (!deps.mayAsk) {
      if (about?.signIn !== undefined) throw new ToolError(signInWords(about.signIn.name));
      throw new ToolError(deps.allowed === null ? UNASKED_WORDS : UNATTENDED_WORDS);
    }
    return ask(call, approval, about);
  }

  const newApproval = (about: Description | null, tool: Call['tool']): Approval => ({
    id: newId(),
    expiresAt: new Date(deps.clock().getTime() + deps.approvalMs).toISOString(),
    basis: about?.basis ?? null,
    ...placeOf(about),
    described: hosted(tool)?.described ?? '',
  });

  const findPermission = (tool: string, { place }: Pick<Approval, 'place'>): ToolPermission | null =>
    place === null
      ? null
      : store.read((reader) => findToolPermission(reader, { workspaceId: deps.workspaceId, tool, place }));

  /** Whether the schedule may use this tool as it is described now. */
  const isScheduled = (tool: string, { place, described }: Approval): boolean =>
    place !== null && deps.allowed?.some((one) => one.name === tool && one.described === described) === true;

  /** Whether the person always allows this tool there, as it is described now. */
  const wasAllowed = (tool: string, approval: Approval): boolean =>
    findPermission(tool, approval)?.described === approval.described;

  async function ask(call: Call, fresh: Approval, about: Description | null): Promise<AnnouncedCall> {
    const known = await store.write((writer) => saveApproval(writer, call, fresh));
    // Never longer than a new approval: the clock may have been set back since.
    const askedUntil = known?.expiresAt ?? fresh.expiresAt;
    const expiresAt = askedUntil < fresh.expiresAt ? askedUntil : fresh.expiresAt;
    const { id, basis } = known ?? fresh;
    calls.set(id, { ...call, expiresAt, basis });
    const answer = known && answerOf(known, now());
    if (answer === 'approved') return { id, approval: null };
    if (answer !== null) throw new ToolError(REFUSED_WORDS[answer]);
    const tool = call.tool.name;
    const permission = findPermission(tool, fresh);
    const isRedescribed = permission !== null && permission.described !== fresh.described;
    const summary = [
      ...(call.mayRepeat ? [REPEAT_WARNING] : []),
      ...(isRedescribed ? [REDESCRIBED_WARNING] : []),
      about?.summary ?? '',
    ]
      .join(' ')
      .trim();
    const approval: StepApproval = {
      id,
      expiresAt,
      ...(summary !== '' && { summary }),
      ...(about?.diff !== undefined && { diff: about.diff }),
      ...(about?.signIn !== undefined && { signIn: about.signIn }),
      canRemember: canRemember({ tool, place: fresh.place }),
    };
    return { id, approval };
  }

  /**
   * Stores an approval to wait for. If this turn asked the same before it was started again, that one is returned instead,
   * perhaps with an answer; but if its basis has changed since and nobody has answered it, it can't be answered any more.
   */
  function saveApproval(writer: Writer, { tool, input }: Call, fresh: Approval): StoredToolCall | null {
    const json = canonicalJson(input);
    const known = listToolCalls(writer, replyId).find(
      (each) =>
        each.expiresAt !== null && each.tool === tool.name && each.input === json && !claimed.has(each.id),
    );
    if (known !== undefined) {
      claimed.add(known.id);
      if (known.state !== 'waiting' || known.basis === fresh.basis) return known;
      deleteToolCall(writer, known.id);
    }
    claimed.add(fresh.id);
    const row = { replyId, chatId, tool: tool.name, input: json, createdAt: now() };
    createToolCall(writer, { ...fresh, ...row, state: 'waiting' });
    return null;
  }

  async function describe({ tool, input }: Call): Promise<Description | null> {
    let about: Description | null;
    try {
      about = (await hosted(tool)?.describe?.(input as Record<string, unknown>)) ?? null;
    } catch (error) {
      if (error instanceof ToolError) throw error;
      deps.onFault(error);
      about = NOT_DESCRIBED;
    }
    // If the turn has ended, its question must not be stored.
    signal.throwIfAborted();
    return about;
  }

  async function awaitApproval(id: string): Promise<void> {
    const { expiresAt } = announced(id);
    if (expiresAt === null) return;
    const answer = await approvals.wait({ id, chatId, expiresAt }, signal);
    if (answer !== 'approved') throw new ToolError(REFUSED_WORDS[answer]);
  }

  async function runCall(id: string): Promise<CallResult> {
    const call = announced(id);
    const tool = hosted(call.tool);
    if (tool === null) throw new Error(`“${call.tool.name}” is not run here.`);
    // Don't trust the turn's thread alone.
    await awaitApproval(id);
    if (tool.changes || tool.sends === true) await begin(id, call);
    if (!tool.changes) return makeCall(tool, id, call, deps);
    try {
      const result = await makeCall(tool, id, call, deps);
      await store.write((writer) => updateToolCall(writer, id, 'done'));
      return result;
    } catch (error) {
      if (error instanceof SignInNeededError && !signal.aborted) {
        // Nothing was sent; the same call is announced again, as one that needs a sign-in.
        await store.write((writer) => deleteToolCall(writer, id));
        return { output: null, unsent: error.message };
      }
      // If the turn was cut off, the outcome is unknown, and the record stays as it is.
      const state = error instanceof DoubtError ? 'in_doubt' : 'failed';
      if (!signal.aborted) await store.write((writer) => updateToolCall(writer, id, state));
      throw error;
    }
  }

  async function begin(id: string, { tool, input, expiresAt, mayRepeat }: Call): Promise<void> {
    const row = { id, chatId, replyId, tool: tool.name, input: canonicalJson(input), createdAt: now() };
    const hasBegun = await store.write((writer) => {
      if (signal.aborted || !beginToolCall(writer, { ...row, state: tool.changes ? 'begun' : 'sent' }))
        return false;
      // The person has read that it may repeat something, and approved it.
      if (mayRepeat && expiresAt !== null) settleDoubts(writer, chatId, tool.name);
      return true;
    });
    signal.throwIfAborted();
    if (!hasBegun) throw new ToolError(TURN_OVER);
  }

  function announced(id: string): Call {
    const call = calls.get(id);
    if (call === undefined) throw new Error(`No call ${id} was announced.`);
    return call;
  }

  return { announceCall, awaitApproval, runCall };
}

/** The tool as run by the service; null: the agent thread runs it. */
const hosted = (tool: Call['tool']): Tool | null => ('run' in tool ? tool : null);

const REFUSED_WORDS: Record<Exclude<Answer, 'approved'>, string> = {
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
function placeOf(about: Description | null): Pick<Approval, 'place' | 'placeName'> {
  if (about?.place === 'unknown') return { place: null, placeName: null };
  return { place: about?.place?.id ?? '', placeName: about?.place?.name ?? '' };
}
