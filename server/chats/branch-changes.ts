/** Changes of a chat's branches, one after the other; long ones take many slices (branch-change-repository.ts). */
import { listUnsettledVersions, prepareHiding, settleVersions } from '../store/branch-change-repository.ts';
import type { Reader, Store } from '../store/types.ts';
import type { MarkedTo, MessagePosition } from '../store/version-repository.ts';

/** For the chats of a store. */
export function createBranchChanges(store: Store) {
  /** The end of the last change of each chat; it never rejects. */
  const ends = new Map<string, Promise<void>>();

  async function prepare(chatId: string, versions: readonly MessagePosition[]): Promise<MarkedTo> {
    const markedTo = new Map<string, number>();
    for (const version of versions) markedTo.set(version.id, await prepareHiding(store, chatId, version));
    return markedTo;
  }

  /**
   * Runs `work` once no other change of the chat's branches is under way, and the branches of the versions that `toHide` finds are ready to
   * be hidden. Settles afterwards what is left unsettled.
   */
  function change<T>(
    chatId: string,
    toHide: (reader: Reader) => readonly MessagePosition[],
    work: (markedTo: MarkedTo) => Promise<T>,
  ): Promise<T> {
    const settle = (): Promise<void> => settleVersions(store, chatId);
    const done = (ends.get(chatId) ?? Promise.resolve())
      .then(settle)
      .then(() => prepare(chatId, store.read(toHide)))
      .then(work);
    // If this fails, the next change or start does it.
    const end = done.then(settle, settle).catch(() => undefined);
    ends.set(chatId, end);
    void end.then(() => {
      if (ends.get(chatId) === end) ends.delete(chatId);
    });
    return done;
  }

  return {
    change,
    /** Settles what an earlier process left. */
    recover(): void {
      for (const { chatId } of store.read((reader) => listUnsettledVersions(reader, null)))
        void change(
          chatId,
          () => [],
          () => Promise.resolve(),
        ).catch(() => undefined);
    },
  };
}
