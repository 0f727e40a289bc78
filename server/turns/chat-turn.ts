/** A chat's turn: one object from taking its message until its reply is on disk. */
import type { MessageError } from '../../shared/api/message.ts';
import type { ModelAccess } from '../connections/model-access.ts';
import type { FinalReply } from '../store/message-repository.ts';
import { listBegunCalls } from '../store/tool-call-repository.ts';
import { cutOffError, finalReply } from './final-reply.ts';
import { followUp, freeContext, planFollowUp } from './follow-up.ts';
import { prepareTurn, type PrepareDeps } from './prepare.ts';
import { finishFollowUp, hasWork, isRunning, storeEnd, type TakenTurn, type WrittenReply } from './rows.ts';
import { Turn, type Prepared, type TurnDeps, type TurnParts } from './turn.ts';

/** Dependencies of a chat's turn. */
export type ChatTurnDeps = PrepareDeps & TurnDeps;

const FAULT: MessageError = {
  code: 'model_failed',
  message: 'The assistant could not finish this reply because of a fault in Parley; please try again.',
};

/** A turn of a chat. */
export class ChatTurn extends Turn {
  readonly taken: TakenTurn;
  readonly #deps: ChatTurnDeps;

  constructor(
    deps: ChatTurnDeps,
    taken: TakenTurn,
    host: Pick<TurnParts, 'alone' | 'onGrown' | 'onPendingApprovals'>,
  ) {
    const { chat, replyId } = taken;
    super(deps, { ...host, model: chat.model, chatId: chat.id, replyId, faultError: FAULT });
    this.taken = taken;
    this.#deps = deps;
  }

  /** The reply so far; null: nothing that the row doesn't have. */
  get written(): WrittenReply | null {
    const growth = this.live?.growth ?? (this.outcome === 'ended' ? null : this.outcome);
    return growth && { replyId: this.taken.replyId, ...growth };
  }

  /**
   * Stores how it ended, and does the work after the reply; true when the chat has more to do. `onReply` is called once the reply
   * is on disk. Rejects when the store refuses: call it again later then.
   */
  async store(onReply: (final: FinalReply) => void): Promise<boolean> {
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
        onReply(final);
        if (stored.work === null) return stored.hasMore;
        await followUp(this.#deps, taken, final, stored.work, signal);
        return store.write((writer) => finishFollowUp(writer, id, now()));
      }
    }
    // Somebody else has ended the turn. If the disk lost that end, the turn is taken once more.
    return store.read((reader) => hasWork(reader, id));
  }

  protected override async prepare(
    access: ModelAccess | null,
    signal: AbortSignal,
    onProgress: () => void,
  ): Promise<Prepared> {
    const prepared = await prepareTurn(this.#deps, this.taken, access, signal, onProgress);
    // Its rows may say so before the stop has reached the disk.
    if (!this.#deps.store.read((reader) => isRunning(reader, this.taken)))
      this.end(new DOMException('The turn was stopped.', 'AbortError'));
    return prepared;
  }

  protected override freeContext(reason: 'no_room' | 'refused', access: ModelAccess): Promise<boolean> {
    return freeContext(this.#deps, this.taken, reason, access, this.signal);
  }

  protected override whyNotAgain(): MessageError | null {
    const begun = this.#deps.store.read((reader) => listBegunCalls(reader, this.taken.replyId));
    return begun.length === 0 ? null : cutOffError(begun);
  }
}
