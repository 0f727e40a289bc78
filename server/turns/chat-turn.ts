/** A chat's turn: one object from taking its message until its reply is on disk. */
import type { MessageError, Step } from '../../shared/api/message.ts';
import { NO_GROWTH } from '../../shared/growth.ts';
import type { ModelAccess } from '../connections/model-access.ts';
import type { FinalReply } from '../store/message-repository.ts';
import { listBegunCalls } from '../store/tool-call-repository.ts';
import { cutOffError, finalReply } from './final-reply.ts';
import { followUp, freeContext, planFollowUp } from './follow-up.ts';
import { prepareTurn, type PrepareDeps } from './prepare.ts';
import { finishFollowUp, hasWork, isRunning, storeEnd, type TakenTurn, type WrittenReply } from './rows.ts';
import { failed, Turn, type Prepared, type TurnDeps } from './turn.ts';

/** Dependencies of a chat's turn. */
export type ChatTurnDeps = PrepareDeps & TurnDeps;

/** What the processor does for a turn. */
export interface TurnHost {
  /** Makes an attempt with a thread of its own, when one is free. Rejects with the signal's reason when that fires. */
  alone: <T>(attempt: () => Promise<T>, signal: AbortSignal) => Promise<T>;
  onGrown: () => void;
  /** As in {@link Turn}. */
  onPendingApprovals: (waiting: readonly Step[], change: -1 | 0 | 1) => void;
  /** The reply is on disk. */
  onReply: (final: FinalReply) => void;
}

const FAULT = 'The assistant could not finish this reply because of a fault in Parley; please try again.';
const UNUSABLE = 'Parley could not work with this chat; please try again.';

/** A turn of a chat. */
export class ChatTurn extends Turn {
  readonly taken: TakenTurn;
  readonly #deps: ChatTurnDeps;
  readonly #host: TurnHost;
  #isGivenUp = false;

  constructor(deps: ChatTurnDeps, taken: TakenTurn, host: TurnHost) {
    const { chat, replyId } = taken;
    const faultError = { code: 'model_failed', message: FAULT } as const;
    super(deps, { model: chat.model, chatId: chat.id, replyId, faultError });
    this.taken = taken;
    this.#deps = deps;
    this.#host = host;
  }

  /** The reply so far; null: nothing that the row doesn't have. */
  get written(): WrittenReply | null {
    const growth = this.live?.growth ?? (this.outcome === 'ended' ? null : this.outcome);
    return growth && { replyId: this.taken.replyId, ...growth };
  }

  /**
   * Stores how it ended, and does the work after the reply; true when the chat has more to do. Rejects when the store refuses: call
   * it again later then.
   */
  async store(): Promise<boolean> {
    const { outcome, taken, signal } = this;
    const { store, clock } = this.#deps;
    const { id } = taken.chat;
    const now = (): string => clock().toISOString();
    if (outcome !== null && outcome !== 'ended') {
      const final = finalReply(outcome);
      const stored = await store.write((writer) => {
        if (!storeEnd(writer, taken, final, now())) return null;
        const work = signal.aborted ? null : planFollowUp(this.#deps, writer, taken, final);
        return { work, hasMore: work === null && finishFollowUp(writer, id, now()) };
      });
      if (stored !== null) {
        this.#host.onReply(final);
        if (stored.work === null) return stored.hasMore;
        await followUp(this.#deps, taken, final, stored.work, signal);
        return store.write((writer) => finishFollowUp(writer, id, now()));
      }
    }
    // Somebody else has ended the turn. If the disk lost that end, the turn is taken once more.
    return store.read((reader) => hasWork(reader, id));
  }

  /** Fails a turn that can't be made or stored because of a fault of ours. False: that has been tried. */
  giveUp(): boolean {
    if (this.#isGivenUp) return false;
    this.outcome = failed(NO_GROWTH, { code: 'model_failed', message: UNUSABLE });
    return (this.#isGivenUp = true);
  }

  protected override prepare(
    access: ModelAccess | null,
    signal: AbortSignal,
    onProgress: () => void,
  ): Promise<Prepared> {
    return prepareTurn(this.#deps, this.taken, access, signal, onProgress);
  }

  protected override alone<T>(attempt: () => Promise<T>): Promise<T> {
    return this.#host.alone(attempt, this.signal);
  }

  protected override onGrown(): void {
    this.#host.onGrown();
  }

  protected override onPendingApprovals(waiting: readonly Step[], change: -1 | 0 | 1): void {
    this.#host.onPendingApprovals(waiting, change);
  }

  protected override isOver(): boolean {
    return !this.#deps.store.read((reader) => isRunning(reader, this.taken));
  }

  protected override freeContext(reason: 'no_room' | 'refused', access: ModelAccess): Promise<boolean> {
    return freeContext(this.#deps, this.taken, reason, access, this.signal);
  }

  protected override whyNotAgain(): MessageError | null {
    const begun = this.#deps.store.read((reader) => listBegunCalls(reader, this.taken.replyId));
    return begun.length === 0 ? null : cutOffError(begun);
  }
}
