/**
 * One turn: from its message, through the agent that answers it, to its outcome. Only here is it decided whether to try again.
 * A turn of a chat and a stateless turn differ in their parts: where they read what the agent needs, and which rows they keep.
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
import { unlessAborted } from '../lib/unless-aborted.ts';
import { withTimeout } from '../lib/with-timeout.ts';
import { ModelError } from '../models/model-error.ts';
import { followProgress } from './follow-progress.ts';
import type { TakenTurn, WrittenReply } from './rows.ts';

/** A reply that is being written. Each attempt has its own object. */
export interface LiveReply {
  readonly replyId: string;
  /** What has been written so far. */
  growth: Growth;
}

/** How a turn ended: with a reply, perhaps a failed one; or somebody else `ended` it, who also sees to its rows. */
export type Outcome = TurnResult | 'ended';

/** What an attempt needs. */
export interface Prepared extends Pick<TurnPorts, 'workspace' | 'host'> {
  request: TurnRequest;
  /** Saves the reply so far; false: the turn is over. Repeated when it rejects. */
  save: (growth: Growth) => Promise<boolean>;
}

/** What differs between turns. */
export interface TurnParts<Taken extends TakenTurn | null> {
  taken: Taken;
  /** The model that answers. */
  model: string;
  /**
   * Gathers what the agent needs. The signal fires when the attempt ends; call `onProgress` when a call makes progress. If it
   * rejects, so does the turn.
   */
  prepare: (access: ModelAccess | null, signal: AbortSignal, onProgress: () => void) => Promise<Prepared>;
  /** Runs an attempt that needs a thread of its own, when it is its turn. */
  alone: <T>(run: () => Promise<T>, signal: AbortSignal) => Promise<T>;
  rows: TurnRows;
  /** Gets the reply so far whenever it has grown. */
  onGrown: (written: Growth) => void;
  /**
   * Gets the steps that wait for a person when they have changed and are saved, so that they can be read; none when the attempt
   * ends. `change`: whether the turn begins (1) or stops (-1) waiting for a person.
   */
  onPendingApprovals: (waiting: readonly Step[], change: -1 | 0 | 1) => void;
  /** What the client reads when Parley is at fault. */
  faultError: MessageError;
}

/** What a turn reads and changes in its chat. */
export interface TurnRows {
  /** Whether somebody has ended the turn, according to its rows. */
  isOver: () => boolean;
  /** Makes room in the model's context; true if something was summarised. */
  freeContext: (reason: 'no_room' | 'refused', access: ModelAccess, signal: AbortSignal) => Promise<boolean>;
  /** Why the turn can't start again although another one may have lost its thread; null: it can. */
  whyNotAgain: (written: Growth, error: ThreadLostError) => MessageError | null;
}

/** Dependencies of a turn. */
export interface TurnDeps {
  runtime: AgentRuntime;
  resolveAccess: ResolveAccess;
  /** The current timeout in milliseconds: a turn without progress for this long fails with `timed_out`. */
  turnTimeoutMs: () => number;
  /** Called with internal errors. */
  onError: (error: unknown) => void;
}

/** How often a turn may lose its thread to others before it gets one of its own. */
const MOST_LOSSES = 3;

/** A failed result. It keeps what was written. */
export const failed = (written: Growth, { code, message }: MessageError): TurnResult => ({
  outcome: 'failed',
  ...written,
  error: { code, message },
});

/** A turn. `Taken`: what was taken from its chat's rows; null: it is stateless. */
export class Turn<Taken extends TakenTurn | null> {
  readonly taken: Taken;
  /** The reply that an agent is writing, an object of its own for each attempt; null: none is. */
  live: LiveReply | null = null;
  /** How it ended, until that is on disk; null: it hasn't. */
  outcome: Outcome | null = null;
  readonly #deps: TurnDeps;
  readonly #parts: TurnParts<Taken>;
  /** Ends the attempt under way, and after it what follows the reply. */
  #controller = new AbortController();
  /** Whether somebody else has ended the turn. */
  #isEnded = false;
  #noteProgress = (): void => undefined;
  /** Ids of the approvals that a person can answer. */
  #pendingApprovals = '';

  constructor(deps: TurnDeps, parts: TurnParts<Taken>) {
    this.#deps = deps;
    this.#parts = parts;
    this.taken = parts.taken;
  }

  /** Empty: it has no row. */
  get #replyId(): string {
    return this.taken?.replyId ?? '';
  }

  /** Fires when the turn has to stop what it is doing. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether a person has to approve a call. */
  get isAwaitingApproval(): boolean {
    return this.#pendingApprovals !== '';
  }

  /** The reply so far; null: nothing that the row doesn't have. */
  get written(): WrittenReply | null {
    const growth = this.live?.growth ?? (this.outcome === 'ended' ? null : this.outcome);
    return growth && { replyId: this.#replyId, ...growth };
  }

  /** Ends the turn at once, even if the agent ignores it. */
  end(reason: Error): void {
    this.#isEnded = true;
    this.#controller.abort(reason);
  }

  /** Ends what follows the reply: a message has arrived. */
  endFollowUp(): void {
    if (this.outcome !== null) this.#controller.abort();
  }

  /** Makes the reply. What the agent does after it is ignored. Rejects only if a part does. */
  async run(): Promise<Outcome> {
    try {
      this.outcome = await this.#makeReply();
    } catch (error) {
      if (!this.#isEnded) throw error;
      this.outcome = 'ended';
    } finally {
      this.live = null;
    }
    return this.outcome;
  }

  async #makeReply(): Promise<TurnResult> {
    const { model, rows, alone } = this.#parts;
    this.signal.throwIfAborted();
    const found = await this.#resolveAccess(model);
    if (found.kind === 'refused') return failed(NO_GROWTH, found);
    const access = found.kind === 'connected' ? found.access : null;
    if (access !== null) await rows.freeContext('no_room', access, this.signal);
    let losses = 0;
    let isAlone = false;
    let hasFreedContext = false;
    for (;;) {
      this.live = null;
      const attempt = (): Promise<TurnResult> => this.#attempt(access, isAlone);
      try {
        const result = await (isAlone ? alone(attempt, this.signal) : attempt());
        if (access === null || hasFreedContext || !isTooLong(result)) return result;
        hasFreedContext = true;
        this.live = null;
        if (!(await rows.freeContext('refused', access, this.signal))) return result;
      } catch (error) {
        const refusal = this.#whyNotAgain(error);
        if (refusal !== null) return refusal;
        losses += 1;
        isAlone = losses === MOST_LOSSES || (error instanceof ThreadLostError && error.isSuspect);
      }
    }
  }

  /** The failed result of an attempt that rejected; null: it can start again, since another turn may have lost its thread. */
  #whyNotAgain(error: unknown): TurnResult | null {
    const { rows, faultError } = this.#parts;
    const written = this.live?.growth;
    if (this.#isEnded || written === undefined) throw error;
    // Calls that are still running end, too.
    this.#controller.abort(error);
    if (error instanceof ThreadLostError && error.wasShared) {
      const reason = rows.whyNotAgain(written, error);
      if (reason !== null) return failed(written, reason);
      this.#controller = new AbortController();
      return null;
    }
    if (error instanceof ThreadLostError || error instanceof ModelError) return failed(written, error);
    this.#deps.onError(error);
    return failed(written, faultError);
  }

  /**
   * How to reach the model. If that takes too long (a key store may wait for a person), it is refused with `timed_out`.
   */
  async #resolveAccess(model: string): Promise<ResolvedAccess> {
    const { resolveAccess, turnTimeoutMs } = this.#deps;
    const message = 'The key of the model’s connection could not be read in time; try again.';
    let found: ResolvedAccess = { kind: 'refused', code: 'timed_out', message };
    const resolving = resolveAccess(model).then((access) => (found = access));
    await withTimeout(turnTimeoutMs(), unlessAborted(this.signal, resolving));
    return found;
  }

  /** Lets the agent make its reply once. */
  async #attempt(access: ModelAccess | null, isAlone: boolean): Promise<TurnResult> {
    const { prepare, rows, onGrown } = this.#parts;
    const { request, save, ...ports } = await prepare(access, this.signal, () => this.#noteProgress());
    // Its rows may say so before the stop has reached the disk.
    if (rows.isOver()) this.end(new DOMException('The turn was stopped.', 'AbortError'));
    this.signal.throwIfAborted();
    this.live = { replyId: this.#replyId, growth: NO_GROWTH };
    const controller = this.#controller;
    const { signal } = controller;
    const progress = followProgress({
      live: this.live,
      save,
      timeoutMs: this.#deps.turnTimeoutMs(),
      onTimeout: (error) => controller.abort(error),
      onGrown,
      onPendingApprovals: (waiting) => this.#setPendingApprovals(waiting),
    });
    this.#noteProgress = progress.note;
    try {
      const turn = { ...request, ...(isAlone && ({ alone: true } as const)) };
      const running = this.#deps.runtime.run(turn, { ...ports, signal, onUpdate: progress.add });
      return await unlessAborted(signal, running);
    } finally {
      progress.close();
    }
  }

  #setPendingApprovals(waiting: readonly Step[]): void {
    const before = this.#pendingApprovals;
    this.#pendingApprovals = waiting.map(({ approval }) => approval?.id).join();
    if (this.#pendingApprovals === before) return;
    const change = Number(this.isAwaitingApproval) - Number(before !== '');
    this.#parts.onPendingApprovals(waiting, change as -1 | 0 | 1);
  }
}

/** Whether the model refused the conversation as too long, with nothing written. */
const isTooLong = (end: TurnResult): boolean =>
  end.outcome === 'failed' &&
  end.error.code === 'context_too_long' &&
  end.content === '' &&
  end.steps.length === 0;
