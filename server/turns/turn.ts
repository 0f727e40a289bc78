/**
 * One turn: from its message, through the agent that answers it, to its outcome. Only here is it decided whether to try again.
 * It keeps no rows: a turn of a chat (chat-turn.ts) adds them, a stateless turn (stateless-turns.ts) is without.
 */
import type { MessageError, Step } from '../../shared/api/message.ts';
import { NO_GROWTH, type Growth } from '../../shared/growth.ts';
import {
  ThreadLostError,
  type AgentRuntime,
  type TurnPorts,
  type TurnRequest,
  type TurnResult,
} from '../agents/turn.ts';
import type { ResolveAccess, ResolvedAccess } from '../connections/access.ts';
import type { ModelAccess } from '../connections/model-access.ts';
import { splitModelName } from '../lib/slug.ts';
import { unlessAborted } from '../lib/unless-aborted.ts';
import { withTimeout } from '../lib/with-timeout.ts';
import { ModelError } from '../models/model-error.ts';
import type { createFairPQueue } from './fair-queue.ts';
import { createLiveReply, type LiveReplyDeps } from './live-reply.ts';

/** How a turn ended: with a reply, perhaps a failed one; `ended`: by somebody else, who also stores its rows. */
export type TurnOutcome = TurnResult | 'ended';

/** What an attempt needs. */
export interface Prepared extends Pick<TurnPorts, 'callTool'>, Pick<LiveReplyDeps, 'save'> {
  request: TurnRequest;
}

/** Dependencies of a turn. */
export interface TurnDeps {
  runtime: AgentRuntime;
  resolveAccess: ResolveAccess;
  /** The current timeout in milliseconds: a turn without progress for this long fails with `timed_out`. */
  turnTimeoutMs: () => number;
  /** Called with internal errors; an empty id: of a stateless turn. */
  onError: (error: unknown, chatId: string) => void;
}

/** What a turn is for, and who is notified. */
export interface TurnParts {
  /** The model that answers. */
  model: string;
  /** Empty, as `replyId`: it is stateless. */
  chatId: string;
  replyId: string;
  /** The error that clients get when Parley is at fault. */
  faultError: MessageError;
  /** Runs it. */
  slots: { concurrency: number };
  /** Runs its attempts that have a thread of their own; owners take turns. */
  aloneSlots: ReturnType<typeof createFairPQueue>;
  owner: string;
  /** The reply has grown. */
  onGrown: (written: Growth) => void;
  /**
   * Called with the steps that wait for a person whenever those change, once they are saved and can be read; with none when the
   * attempt ends. Absent: nobody is asked.
   */
  onPendingApprovals?: (waiting: readonly Step[]) => void;
}

/** Ends an attempt whose connection was changed. */
const MOVED = new DOMException('The connection was changed.', 'AbortError');
/** A turn gets a thread of its own after losing this many, whoever was to blame. */
const MOST_LOSSES = 3;

/** A failed result. It keeps what was written. */
export const failed = (written: Growth, { code, message }: MessageError): TurnResult => ({
  outcome: 'failed',
  ...written,
  error: { code, message },
});

/** A turn. Each kind says what it needs, and stores its rows if it has any. */
export abstract class Turn {
  /** The reply that an agent is writing, or has written; null: none. */
  live: ReturnType<typeof createLiveReply> | null = null;
  /** How it ended, until that is on disk; null: it hasn't. */
  outcome: TurnOutcome | null = null;
  readonly #deps: TurnDeps;
  readonly #parts: TurnParts;
  /** Ends the attempt under way, and after it what follows the reply. */
  #controller = new AbortController();
  /** How often it lost its thread to others, and whether it needs one of its own. */
  #losses = 0;
  #isAlone = false;
  #hasFreedContext = false;
  /** Ids of the approvals that a person can answer. */
  #pendingApprovals = '';

  constructor(deps: TurnDeps, parts: TurnParts) {
    this.#deps = deps;
    this.#parts = parts;
  }

  /**
   * Gathers what an attempt needs, and ends the turn if its rows say that it is over. Read `signal` here: each attempt has its own. If this
   * rejects, so does the turn.
   */
  protected abstract prepare(access: ModelAccess | null): Promise<Prepared>;

  /** Why the turn must not start again although its thread was perhaps lost by another turn's fault; null: it may. */
  protected abstract whyNotAgain(written: Growth, error: ThreadLostError): MessageError | null;

  /** Makes room in the model's context; true if something was summarised. */
  protected freeContext(_reason: 'no_room' | 'refused', _access: ModelAccess): Promise<boolean> {
    return Promise.resolve(false);
  }

  /** Fires when the turn has to stop what it is doing. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether a person has to approve a call. */
  get isAwaitingApproval(): boolean {
    return this.#pendingApprovals !== '';
  }

  /** Ends the turn at once, even if the agent ignores it. */
  end(reason: Error): void {
    this.outcome ??= 'ended';
    this.#controller.abort(reason);
  }

  /**
   * If a model of that connection answers: the reply ends with what was written if the connection was removed. If it was changed and
   * nothing is written yet, the turn starts again.
   */
  noteConnection(slug: string, isRemoved: boolean): void {
    const { model } = this.#parts;
    if (this.outcome !== null || splitModelName(model)?.slug !== slug) return;
    const message = `The connection of “${model}” was removed, so its reply ended here. Choose another model.`;
    if (isRemoved) this.#controller.abort(new ModelError('model_not_found', message));
    else if (this.live !== null && isSilent(this.live.growth)) this.#controller.abort(MOVED);
  }

  /** Shows what a reply that has ended is waiting for. */
  setWaiting(waiting: string): void {
    if (this.outcome !== null) this.live?.setWaiting(waiting);
  }

  /** Ends what follows the reply: a message has arrived. */
  endFollowUp(): void {
    if (this.outcome !== null) this.#controller.abort();
  }

  /** Makes the reply, unless there is one. What the agent does after it is ignored. Rejects only if `prepare` does. */
  async run(): Promise<void> {
    try {
      for (let tries = 1; this.outcome === null; tries += 1) {
        const result = await this.#tryOnce(tries === 1);
        // A reply that is there counts, even if the turn was ended just now.
        if (result !== null) this.outcome = result;
      }
    } catch (error) {
      if (error instanceof ModelError) this.outcome ??= failed(NO_GROWTH, error);
      else if (this.outcome === null) throw error;
    }
  }

  /** Finds out how to reach the model and makes an attempt; null: the turn starts again. */
  async #tryOnce(isFirst: boolean): Promise<TurnResult | null> {
    this.signal.throwIfAborted();
    const found = await this.#resolveAccess();
    if (found.kind === 'refused') return failed(NO_GROWTH, found);
    const access = found.kind === 'connected' ? found.access : null;
    if (access !== null && isFirst) await this.freeContext('no_room', access);
    try {
      const result = await (this.#isAlone ? this.#attemptAlone(access) : this.#attempt(access));
      return (await this.#hasMadeRoom(result, access)) ? null : result;
    } catch (error) {
      return this.#failUnlessAgain(error);
    }
  }

  /** Whether there is room now for a conversation that the model refused as too long: then the turn starts again, once. */
  async #hasMadeRoom(result: TurnResult, access: ModelAccess | null): Promise<boolean> {
    if (access === null || this.#hasFreedContext || !isTooLong(result)) return false;
    this.#hasFreedContext = true;
    this.live = null;
    return this.freeContext('refused', access);
  }

  /** The failed result of an attempt that rejected; null: the turn starts again. */
  #failUnlessAgain(error: unknown): TurnResult | null {
    const written = this.live?.growth;
    if (this.outcome !== null || written === undefined) throw error;
    // Calls that are still running end, too.
    this.#controller.abort(error);
    const isLost = error instanceof ThreadLostError && error.wasShared;
    if (isLost || error === MOVED) {
      const reason = isLost ? this.whyNotAgain(written, error) : null;
      if (reason !== null) return failed(written, reason);
      if (isLost) {
        this.#losses += 1;
        this.#isAlone = error.isSuspect || this.#losses === MOST_LOSSES;
      }
      this.#controller = new AbortController();
      this.live = null;
      return null;
    }
    if (error instanceof ThreadLostError || error instanceof ModelError) return failed(written, error);
    this.#deps.onError(error, this.#parts.chatId);
    return failed(written, this.#parts.faultError);
  }

  /**
   * How to reach the model. If that takes too long (a key store may wait for a person), it is refused with `timed_out`.
   */
  async #resolveAccess(): Promise<ResolvedAccess> {
    const { resolveAccess, turnTimeoutMs } = this.#deps;
    const message = 'The key of the model’s connection could not be read in time; try again.';
    const resolving = unlessAborted(this.signal, resolveAccess(this.#parts.model));
    return (await withTimeout(turnTimeoutMs(), resolving)) ?? { kind: 'refused', code: 'timed_out', message };
  }

  /** Makes an attempt with a thread of its own, of which there are few. Meanwhile another turn runs in its stead. */
  #attemptAlone(access: ModelAccess | null): Promise<TurnResult> {
    const { slots, aloneSlots, owner } = this.#parts;
    slots.concurrency += 1;
    return aloneSlots
      .add(() => this.#attempt(access), { signal: this.signal, owner })
      .finally(() => (slots.concurrency -= 1));
  }

  /** Lets the agent make its reply once. */
  async #attempt(access: ModelAccess | null): Promise<TurnResult> {
    const { request, save, callTool } = await this.prepare(access);
    this.signal.throwIfAborted();
    const controller = this.#controller;
    const { signal } = controller;
    const live = createLiveReply({
      replyId: this.#parts.replyId,
      save,
      timeoutMs: this.#deps.turnTimeoutMs(),
      onTimeout: (error) => controller.abort(error),
      onGrown: this.#parts.onGrown,
      onPendingApprovals: (waiting) => this.#setPendingApprovals(waiting),
    });
    this.live = live;
    try {
      const turn = { ...request, ...(this.#isAlone && ({ alone: true } as const)) };
      const running = this.#deps.runtime.run(turn, { callTool, signal, onUpdate: live.add });
      return live.setFinal(await unlessAborted(signal, running));
    } finally {
      live.close();
    }
  }

  #setPendingApprovals(waiting: readonly Step[]): void {
    const { slots, aloneSlots, onPendingApprovals } = this.#parts;
    const before = this.#pendingApprovals;
    this.#pendingApprovals = waiting.map(({ approval }) => approval?.id).join();
    if (this.#pendingApprovals === before) return;
    // A turn that waits for a person does no work and must not block others.
    const change = Number(this.isAwaitingApproval) - Number(before !== '');
    (this.#isAlone ? aloneSlots : slots).concurrency += change;
    onPendingApprovals?.(waiting);
  }
}

/** Whether nothing was written. */
export const isSilent = ({ content, reasoning, steps }: Growth): boolean =>
  content === '' && reasoning === '' && steps.length === 0;

/** Whether the model refused the conversation as too long, with nothing written but reasoning at most. */
const isTooLong = (end: TurnResult): boolean =>
  end.outcome === 'failed' &&
  end.error.code === 'context_too_long' &&
  end.content === '' &&
  end.steps.length === 0;
