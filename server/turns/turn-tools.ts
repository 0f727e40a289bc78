/**
 * The calls of one turn that the service makes, or that need approval. Calls that change something are recorded before and after:
 * if the turn starts again, finished ones are not repeated, and those with unknown outcomes are reported as such.
 */
import { DENIED_WORDS, EXPIRED_WORDS, UNASKED_WORDS } from '../../shared/choices.ts';
import type { StepApproval } from '../../shared/api/message.ts';
import { findToolPermission, type ToolPermission } from '../store/tool-permission-repository.ts';
import type { StoredQuestion, StoredToolCall } from '../store/tool-call-repository.ts';
import { DoubtError, ToolError, type Description, type Tool } from '../tools/tool.ts';
import { canRemember, WITHDRAWN_WORDS, type Answer, type Approvals } from './approvals.ts';
import type { CallJournal } from './call-journal.ts';
import { keepFiles, keptFiles, makeCall, type CallDeps, type FileDeps } from './make-call.ts';
import type { AnnouncedCall, CallResult, HostPort } from '../agents/host-port.ts';
import type { CallableTool } from './offer-tools.ts';

/** Dependencies. */
export interface TurnToolsDeps extends CallDeps, FileDeps {
  journal: CallJournal;
  approvals: Pick<Approvals, 'wait'>;
  /** The tools that may be called, by name. */
  tools: ReadonlyMap<string, CallableTool>;
  /** Whether a person may be asked. If not, tools that ask are denied at once. */
  mayAsk: boolean;
  /** How long a person has to answer, in milliseconds. */
  approvalMs: number;
}

/** Serves the calls of one attempt of a turn. */
export interface TurnTools extends HostPort {
  /** Resolves when no call that changes something is running and all results are stored. Never rejects. */
  settled(): Promise<unknown>;
}

/** What is known about an announced call. */
interface Call {
  tool: CallableTool['tool'];
  input: unknown;
  /** When the approval expires; null: nobody is asked. */
  expiresAt: string | null;
  /** Whether it is in the journal. */
  isKept: boolean;
  /** Whether the same call may have been made before the turn restarted. */
  isRepeat: boolean;
  /** The state that the person's answer is based on; null: nothing that could change. */
  basis: string | null;
  /** Where it is always allowed; null: a person was asked, or it never asks. */
  place: string | null;
  /** Its result, if it was made before. */
  made: CallResult | null;
}

/** What a person is asked. */
interface Question extends StoredQuestion {
  expiresAt: string;
}

/** For a call that could not be described. A tool that checks the basis then does nothing. */
const NOT_DESCRIBED: Description = { summary: '', basis: 'unknown', place: 'unknown' };

const UNKNOWN =
  'Parley stopped while this was being done. Whether it took effect is not known, so it was not done again.';
const OVER = 'The reply ended before this was begun, so it was not done.';

/** Serves the calls of a turn. */
export function createTurnTools(deps: TurnToolsDeps): TurnTools {
  const { store, journal, approvals, signal } = deps;
  const calls = new Map<string, Call>();
  const changes = new Set<Promise<CallResult>>();

  async function announceCall(name: string, input: unknown): Promise<AnnouncedCall> {
    const callable = deps.tools.get(name);
    if (callable === undefined) throw new ToolError(`There is no tool called “${name}”.`);
    const { tool, asks } = callable;
    const known = journal.claim(name, input);
    const isRepeat = tool.changes && journal.mayRepeat(name, input);
    const base = { ...NEW_CALL, tool, input, isRepeat };
    if (known !== null) return resume(known, base);

    const about = asks ? await describe(base) : null;
    const question = newQuestion(about, tool);
    const isAllowed = !asks || (!isRepeat && wasAllowed(name, question));
    if (isAllowed) {
      calls.set(question.id, { ...base, place: asks ? question.place : null });
      return { id: question.id, approval: null };
    }
    if (!deps.mayAsk) throw new ToolError(UNASKED_WORDS);
    await journal.add({ ...question, tool: name, input, state: 'waiting' });
    return ask(question, base, about);
  }

  const expiry = (): string => new Date(deps.clock().getTime() + deps.approvalMs).toISOString();

  const newQuestion = (about: Description | null, tool: Call['tool']): Question => ({
    id: deps.newId(),
    expiresAt: expiry(),
    basis: about?.basis ?? null,
    ...placeOf(about),
    described: hosted(tool)?.described ?? '',
  });

  const findPermission = (tool: string, { place }: Pick<Question, 'place'>): ToolPermission | null =>
    place === null
      ? null
      : store.read((reader) => findToolPermission(reader, { workspaceId: deps.workspaceId, tool, place }));

  /** Whether the person always allows this tool there, as it is described now. */
  const wasAllowed = (tool: string, question: Question): boolean =>
    findPermission(tool, question)?.described === question.described;

  function ask(question: Question, call: Call, about: Description | null): AnnouncedCall {
    const { id, expiresAt, basis } = question;
    calls.set(id, { ...call, expiresAt, basis, isKept: true });
    const permission = findPermission(call.tool.name, question);
    const isRedescribed = permission !== null && permission.described !== question.described;
    const summary = [
      ...(call.isRepeat ? [REPEAT_WARNING] : []),
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
      canRemember: canRemember({ tool: call.tool.name, place: question.place }),
    };
    return { id, approval };
  }

  /** Asks again what was asked before the turn started again. If its basis has changed, that is a new question. */
  async function askAgain(known: StoredToolCall, expiresAt: string, base: Call): Promise<AnnouncedCall> {
    const about = await describe(base);
    const question = newQuestion(about, base.tool);
    if (question.basis === known.basis) return ask({ ...question, id: known.id, expiresAt }, base, about);
    // With an id of its own, so that an answer to the earlier question doesn't count.
    const answered = await journal.askAnew(known.id, question);
    return answered === null ? ask(question, base, about) : resume(answered, base);
  }

  async function describe({ tool, input }: Call): Promise<Description | null> {
    let about: Description | null;
    try {
      about = (await hosted(tool)?.describe?.(input as Record<string, unknown>)) ?? null;
    } catch (error) {
      if (error instanceof ToolError) throw error;
      deps.onFault(tool.name, error);
      about = NOT_DESCRIBED;
    }
    // If the turn has ended, its question must not be stored.
    signal.throwIfAborted();
    return about;
  }

  /** A call that this turn announced before it restarted. */
  async function resume(known: StoredToolCall, base: Call): Promise<AnnouncedCall> {
    const { id, state, expiresAt, basis } = known;
    const call = { ...base, expiresAt, basis, isKept: true };
    if (state === 'waiting' && expiresAt !== null) {
      // Never longer than a new approval: the clock may have been set back since.
      const latest = expiry();
      if (expiresAt > deps.clock().toISOString())
        return askAgain(known, expiresAt < latest ? expiresAt : latest, base);
      await journal.update(id, { state: 'expired' });
      throw new ToolError(EXPIRED_WORDS);
    } else if (state === 'denied' || state === 'expired' || state === 'withdrawn') {
      throw new ToolError(REFUSED_WORDS[state]);
    } else if (state === 'failed') throw new ToolError(known.error ?? UNKNOWN);
    else if (state === 'in_doubt') throw new DoubtError(known.error ?? UNKNOWN);
    else if (state === 'done') {
      const output: unknown = JSON.parse(known.output ?? 'null');
      calls.set(id, { ...call, made: { output, ...keptFiles(deps, id) } });
    } else if (state === 'begun' && base.tool.changes) {
      await journal.update(id, { state: 'in_doubt' });
      throw new DoubtError(UNKNOWN);
    } else calls.set(id, call);
    return { id, approval: null };
  }

  async function awaitApproval(id: string): Promise<void> {
    const { expiresAt } = announced(id);
    if (expiresAt === null) return;
    const answer = await approvals.wait({ id, chatId: deps.chatId, expiresAt }, signal);
    if (answer !== 'approved') throw new ToolError(REFUSED_WORDS[answer]);
  }

  async function runCall(id: string): Promise<CallResult> {
    const call = announced(id);
    if (call.made !== null) return call.made;
    const tool = hosted(call.tool);
    if (tool === null) throw new Error(`“${call.tool.name}” is not run here.`);
    // Don't trust the turn's thread alone.
    if (call.expiresAt !== null) await awaitApproval(id);
    if (!tool.changes) return make(id, call, tool);
    const change = makeOnce(id, call, tool);
    changes.add(change);
    return change.finally(() => changes.delete(change));
  }

  async function makeOnce(id: string, call: Call, tool: Tool): Promise<CallResult> {
    const { input, basis, isKept } = call;
    const settles = call.isRepeat && call.expiresAt !== null;
    const hasBegun = await journal.begin({ id, tool: tool.name, input, basis, isKept, settles });
    signal.throwIfAborted();
    if (!hasBegun) throw new ToolError(OVER);
    try {
      const result = await make(id, call, tool);
      await journal.update(id, { state: 'done', output: JSON.stringify(result.output) });
      return result;
    } catch (error) {
      // If the turn was cut off, the outcome is unknown, and the record stays as it is.
      const state = error instanceof DoubtError ? 'in_doubt' : 'failed';
      if (!signal.aborted) await journal.update(id, { state, error: wordsOf(error) });
      throw error;
    }
  }

  async function make(id: string, { input, basis, place }: Call, tool: Tool): Promise<CallResult> {
    const { output, files } = await makeCall(tool, { input, basis, place }, deps);
    return { output, ...(await keepFiles(deps, id, files)) };
  }

  function announced(id: string): Call {
    const call = calls.get(id);
    if (call === undefined) throw new Error(`No call ${id} was announced.`);
    return call;
  }

  return { announceCall, awaitApproval, runCall, settled: () => Promise.allSettled(changes) };
}

/** The tool as run by the service; null: the agent thread runs it. */
const hosted = (tool: Call['tool']): Tool | null => ('run' in tool ? tool : null);

const NEW_CALL = { expiresAt: null, isKept: false, basis: null, place: null, made: null };

const REFUSED_WORDS: Record<Exclude<Answer, 'approved'>, string> = {
  denied: DENIED_WORDS,
  expired: EXPIRED_WORDS,
  withdrawn: WITHDRAWN_WORDS,
};

const REPEAT_WARNING =
  'An earlier try was cut off: something like this may have been done before, and would be done again.';

const REDESCRIBED_WARNING =
  'This was always allowed, but its server describes the tool differently now, so it is asked about again.';

/** Where a remembered answer would apply. */
function placeOf(about: Description | null): Pick<Question, 'place' | 'placeName'> {
  if (about?.place === 'unknown') return { place: null, placeName: null };
  return { place: about?.place?.id ?? '', placeName: about?.place?.name ?? '' };
}

const wordsOf = (error: unknown): string => (error instanceof ToolError ? error.message : 'The tool failed.');
