import { words } from '../../lib/words/settings.ts';
import type { Toasts } from '../../ui/toasts.svelte.ts';

/** How an item of a list is removed and restored, and the sentences about it. */
interface Removal {
  remove: () => Promise<unknown>;
  /** It may run after the page was left. */
  restore: () => Promise<unknown>;
  done: string;
  failed: (reason: string) => string;
}

/** Removes an item, and offers an Undo. Never rejects. */
export function removeWithUndo(toasts: Toasts, { remove, restore, done, failed }: Removal): Promise<void> {
  const undo = async (): Promise<void> => {
    await restore().catch((problem: unknown) => toasts.complain(problem));
  };
  return remove().then(
    () => toasts.show({ text: done, action: { label: words.ui.undo, run: undo } }),
    (problem: unknown) => toasts.complain(problem, failed),
  );
}
