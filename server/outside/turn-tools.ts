/**
 * The outside tools of one turn, as it calls them. What changes something is written down before it begins and after it
 * has ended: when the turn begins anew, what was done is not done again, and what may have been done is told as such.
 */
import { DENIED_WORDS, EXPIRED_WORDS } from '../../shared/api/approval.ts';
import type { StepApproval } from '../../shared/api/message.ts';
import { boundOutput } from '../agents/bound-output.ts';
import { hasToolPermission } from '../store/tool-permission-repository.ts';
import type { StoredQuestion, StoredToolCall } from '../store/tool-call-repository.ts';
import type { Store } from '../store/types.ts';
import { mayAskFirst } from '../tools/catalog.ts';
import { ToolError } from '../tools/tool.ts';
import { unlessAborted } from '../unless-aborted.ts';
import { canRemember, WITHDRAWN_WORDS, type Answer, type Approvals } from './approvals.ts';
import type { CallJournal } from './call-journal.ts';
import { CALL_TIMEOUT_MS, type Description, type OutsideTool } from './outside-tool.ts';
import type { AnnouncedCall, OutsidePort } from './outside-port.ts';

/** What a turn's outside tools work with. */
export interface TurnToolsDeps {
  store: Store;
  clock: () => Date;
  newId: () => string;
  chatId: string;
  journal: CallJournal;
  approvals: Pick<Approvals, 'wait'>;
  /** Those that the turn was offered. */
  tools: readonly OutsideTool[];
  /** How long a person has to answer, in milliseconds. */
  approvalMs: number;
  /** Fires when the turn is stopped, times out, or the service stops. */
  signal: AbortSignal;
  /** Told of faults of ours. */
  onFault: (tool: string, error: unknown) => void;
}

/** Outside tools of a turn that may begin anew. */
export interface TurnTools extends OutsidePort {
  /** The turn begins anew: it will announce its calls again. */
  restart(): void;
}

/** What is known of a call that was announced. */
interface Call {
  /** Null: the turn's thread runs it itself. */
  tool: OutsideTool | null;
  name: string;
  input: unknown;
  /** When the person's time is over; null: nobody is asked. */
  expiresAt: string | null;
  /** It stands in the journal. */
  isKept: boolean;
  /** Something like it may have been done before the turn began anew. */
  isRepeat: boolean;
  /** What the person is asked on; null: nothing that could change. */
  basis: string | null;
  /** Its output, when it was made before. */
  made: Promise<unknown> | null;
}

/** What a person is asked. */
interface Question extends StoredQuestion {
  expiresAt: string;
}

/** Of a call that could not be described: a tool that goes by what was asked on does nothing then. */
const NOT_DESCRIBED: Description = { summary: '', basis: 'unknown' };

const UNKNOWN =
  'Parley stopped while this was being done. Whether it took effect is not known, so it was not done again.';

/** The outside tools of a turn. */
export function createTurnTools(deps: TurnToolsDeps): TurnTools {
  const { store, journal, approvals, signal } = deps;
  const tools = new Map(deps.tools.map((tool) => [tool.name, tool]));
  const calls = new Map<string, Call>();
  /** Calls under way, or made, since this process began the turn. */
  const live = new Map<string, Promise<unknown>>();
  let begins = 0;

  async function announceCall(name: string, input: unknown): Promise<AnnouncedCall> {
    const tool = tools.get(name) ?? null;
    if (tool === null && !mayAskFirst(name)) throw new ToolError(`There is no tool called “${name}” here.`);
    const known = journal.claim(name, input);
    const isRepeat =
      (tool?.changes ?? true) && (journal.hasUnclaimedEffects() || journal.isInDoubt(name, input));
    const base = { tool, name, input, expiresAt: null, isKept: false, isRepeat, basis: null, made: null };
    if (known !== null) return resume(known, base);

    const mustAsk =
      (tool?.asks ?? true) && (isRepeat || !store.read((reader) => hasToolPermission(reader, name)));
    if (!mustAsk) {
      const id = deps.newId();
      calls.set(id, base);
      return { id, approval: null };
    }
    const about = await describe(base);
    const question = newQuestion(about);
    await journal.add({ ...question, tool: name, input, state: 'waiting' });
    return ask(question, base, about);
  }

  const newQuestion = (about: Description | null): Question => ({
    id: deps.newId(),
    expiresAt: new Date(deps.clock().getTime() + deps.approvalMs).toISOString(),
    basis: about?.basis ?? null,
  });

  function ask({ id, ...question }: Question, call: Call, about: Description | null): AnnouncedCall {
    calls.set(id, { ...call, ...question, isKept: true });
    const summary = [...(call.isRepeat ? [REPEAT_WARNING] : []), about?.summary ?? ''].join(' ').trim();
    const approval: StepApproval = {
      id,
      expiresAt: question.expiresAt,
      ...(summary !== '' && { summary }),
      canRemember: canRemember(call.name),
    };
    return { id, approval };
  }

  /** Asks again what was asked before the turn began anew; what rests on something else by now is another question. */
  async function askAgain(known: StoredToolCall, expiresAt: string, base: Call): Promise<AnnouncedCall> {
    const about = await describe(base);
    const question = newQuestion(about);
    if (question.basis === known.basis) return ask({ ...question, id: known.id, expiresAt }, base, about);
    // Under an id of its own, so that no answer to what was asked before counts for it.
    const answered = await journal.askAnew(known.id, question);
    return answered === null ? ask(question, base, about) : resume(answered, base);
  }

  /** Rejects also when the turn began anew meanwhile: what a lost thread wanted to ask must not be written down any more. */
  async function describe(call: Call): Promise<Description | null> {
    const begin = begins;
    const about = await lookAt(call);
    if (begin !== begins) throw new Error('The turn began anew.');
    return about;
  }

  async function lookAt({ tool, name, input }: Call): Promise<Description | null> {
    try {
      return (await tool?.describe?.(input as Record<string, unknown>)) ?? null;
    } catch (error) {
      if (error instanceof ToolError) throw error;
      deps.onFault(name, error);
      return NOT_DESCRIBED;
    }
  }

  /** A call that this turn announced before it began anew. */
  async function resume(known: StoredToolCall, base: Call): Promise<AnnouncedCall> {
    const { id, state, expiresAt, basis } = known;
    const call = { ...base, expiresAt, basis, isKept: true };
    const made = live.get(id);
    if (made !== undefined) calls.set(id, { ...call, made });
    else if (state === 'waiting' && expiresAt !== null) {
      if (expiresAt > deps.clock().toISOString()) return askAgain(known, expiresAt, base);
      await journal.update(id, { state: 'expired' });
      throw new ToolError(EXPIRED_WORDS);
    } else if (state === 'denied' || state === 'expired' || state === 'withdrawn') {
      throw new ToolError(REFUSED_WORDS[state]);
    } else if (state === 'failed') throw new ToolError(known.error ?? UNKNOWN);
    else if (state === 'in_doubt') throw new ToolError(UNKNOWN);
    else if (state === 'done') {
      calls.set(id, { ...call, made: Promise.resolve(JSON.parse(known.output ?? 'null')) });
    } else if (state === 'begun' && (base.tool?.changes ?? true)) {
      await journal.update(id, { state: 'in_doubt' });
      throw new ToolError(UNKNOWN);
    } else calls.set(id, call);
    return { id, approval: null };
  }

  async function awaitApproval(id: string): Promise<void> {
    const { expiresAt } = announced(id);
    if (expiresAt === null) return;
    const answer = await approvals.wait({ id, chatId: deps.chatId, expiresAt }, signal);
    if (answer !== 'approved') throw new ToolError(REFUSED_WORDS[answer]);
  }

  async function runCall(id: string): Promise<unknown> {
    const call = announced(id);
    if (call.made !== null) return call.made;
    const { tool } = call;
    if (tool === null) throw new Error(`“${call.name}” is not run here.`);
    const work = makeOnce(id, call, tool);
    // At once: a turn that begins anew meanwhile has to find it.
    live.set(id, work);
    return work;
  }

  async function makeOnce(id: string, call: Call, tool: OutsideTool): Promise<unknown> {
    // Never on the word of the turn's thread alone.
    if (call.expiresAt !== null) await awaitApproval(id);
    if (!tool.changes) return make(call, tool);
    const { name, input, basis } = call;
    if (call.isKept) await journal.update(id, { state: 'begun' });
    else await journal.add({ id, tool: name, input, state: 'begun', expiresAt: null, basis });
    signal.throwIfAborted();
    try {
      const output = await make(call, tool);
      await journal.update(id, { state: 'done', output: JSON.stringify(output) });
      return output;
    } catch (error) {
      // What was cut off with the turn stays as it is written down: nobody knows its end.
      if (!signal.aborted) await journal.update(id, { state: 'failed', error: wordsOf(error) });
      throw error;
    }
  }

  async function make({ name, input, basis }: Call, tool: OutsideTool): Promise<unknown> {
    const timeoutMs = tool.timeoutMs ?? CALL_TIMEOUT_MS;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeoutMs);
    const both = AbortSignal.any([signal, late.signal]);
    try {
      const running = tool.run(input as Record<string, unknown>, {
        signal: both,
        ...(basis !== null && { basis }),
      });
      return boundOutput(await unlessAborted(both, running));
    } catch (error) {
      if (late.signal.aborted && !signal.aborted) throw new ToolError(lateWords(name, timeoutMs, tool));
      if (error instanceof ToolError || signal.aborted) throw error;
      deps.onFault(name, error);
      throw new ToolError(`The tool “${name}” did not work: there is a fault in it.`);
    } finally {
      clearTimeout(timer);
    }
  }

  function announced(id: string): Call {
    const call = calls.get(id);
    if (call === undefined) throw new Error(`No call ${id} was announced.`);
    return call;
  }

  function restart(): void {
    begins += 1;
    journal.restart();
  }

  return { announceCall, awaitApproval, runCall, restart };
}

const REFUSED_WORDS: Record<Exclude<Answer, 'approved'>, string> = {
  denied: DENIED_WORDS,
  expired: EXPIRED_WORDS,
  withdrawn: WITHDRAWN_WORDS,
};

const REPEAT_WARNING =
  'This reply was interrupted and is made anew; something like this may have been done before that.';

const lateWords = (name: string, timeoutMs: number, { changes }: OutsideTool): string => {
  const seconds = Math.max(1, Math.round(timeoutMs / 1000));
  const unknown = changes ? ' Whether it took effect is not known.' : '';
  return `The tool “${name}” gave no answer within ${seconds} seconds, so it was given up.${unknown}`;
};

const wordsOf = (error: unknown): string =>
  error instanceof ToolError ? error.message : 'The tool did not work.';
