/** The rules for versions of messages, written naively as a tree in memory, against which the store is tested. */

/** A user message with its reply. */
export interface ModelQuestion {
  id: string;
  replyId: string;
  /** The message it is a retry of; null: it isn't a retry. */
  retryOf: string | null;
  deletedAt: string | null;
  replyDeletedAt: string | null;
  /** The place in the conversation that this is a version for. */
  place: Place;
  /** What came after it; null: nothing yet. */
  next: Place | null;
}

/** A place in a branch of the conversation: the versions there, and which of them is chosen. */
export interface Place {
  versions: ModelQuestion[];
  chosen: ModelQuestion;
  /** The version that this place comes after; null: the branch begins with it. */
  after: ModelQuestion | null;
}

export class BranchModel {
  root: Place | null = null;
  readonly questions = new Map<string, ModelQuestion>();

  /** The chosen branch, with what is deleted in it. */
  shown(): ModelQuestion[] {
    const branch: ModelQuestion[] = [];
    for (let place = this.root; place !== null; place = place.chosen.next) branch.push(place.chosen);
    return branch;
  }

  /** Ids of the messages that are listed: each user message with its reply. */
  listed(): string[] {
    return this.shown().flatMap(({ id, replyId, deletedAt, replyDeletedAt }) => [
      ...(deletedAt === null ? [id] : []),
      ...(replyDeletedAt === null ? [replyId] : []),
    ]);
  }

  questionOf(messageId: string): ModelQuestion {
    const question = [...this.questions.values()].find(({ id, replyId }) =>
      [id, replyId].includes(messageId),
    );
    if (question === undefined) throw new Error(`no message ${messageId}`);
    return question;
  }

  isDeleted(messageId: string): boolean {
    const { id, deletedAt, replyDeletedAt } = this.questionOf(messageId);
    return (messageId === id ? deletedAt : replyDeletedAt) !== null;
  }

  send(id: string, replyId: string): void {
    const last = this.shown().at(-1) ?? null;
    const place: Place = { versions: [], chosen: undefined as never, after: last };
    if (last === null) this.root = place;
    else last.next = place;
    this.#add(place, id, replyId);
  }

  /** A new version of the user message that is, or is answered by, this one. */
  branch(messageId: string, id: string, replyId: string, isRetry: boolean): void {
    this.show(messageId);
    const before = this.questionOf(messageId);
    this.#add(before.place, id, replyId, isRetry ? (before.retryOf ?? before.id) : null);
  }

  show(messageId: string): void {
    for (let at: ModelQuestion | null = this.questionOf(messageId); at !== null; at = at.place.after) {
      at.place.chosen = at;
    }
  }

  delete(messageId: string, now: string): void {
    const question = this.questionOf(messageId);
    if (messageId === question.id) question.deletedAt = now;
    question.replyDeletedAt ??= now;
  }

  restore(messageId: string): void {
    const question = this.questionOf(messageId);
    const isWithReply = messageId === question.replyId || question.replyDeletedAt === question.deletedAt;
    if (isWithReply) question.replyDeletedAt = null;
    question.deletedAt = null;
  }

  /** Ids of the versions of a user message, oldest first, deleted ones left out; absent when there is only one. */
  versions(id: string): string[] | undefined {
    const { versions } = this.questionOf(id).place;
    if (versions.length === 1) return undefined;
    return versions.filter(({ deletedAt }) => deletedAt === null).map((version) => version.id);
  }

  /** Those of {@link versions} that are retries; absent: none. */
  retries(id: string): { id: string; retryOf: string }[] | undefined {
    const retries = this.questionOf(id).place.versions.flatMap(({ id, retryOf, deletedAt }) =>
      retryOf === null || deletedAt !== null ? [] : [{ id, retryOf }],
    );
    return retries.length === 0 ? undefined : retries;
  }

  #add(place: Place, id: string, replyId: string, retryOf: string | null = null): void {
    const question: ModelQuestion = {
      id,
      replyId,
      retryOf,
      deletedAt: null,
      replyDeletedAt: null,
      place,
      next: null,
    };
    place.versions.push(question);
    place.chosen = question;
    this.questions.set(id, question);
  }
}
