import { describeConnectionProblem, describeProblem } from '../../api/problem-words.ts';
import { words } from '../../lib/words/index.ts';
import type { Toasts } from '../../ui/toasts.svelte.ts';
import { keepFocus } from './keep-focus.ts';

/** How an item of a list is removed and restored, and the sentences about it. */
interface Removal {
  remove: () => Promise<unknown>;
  /** It may run after the page was left. */
  bringBack: () => Promise<unknown>;
  done: string;
  failed: (reason: string) => string;
}

/** Removes an item, and offers an Undo. */
export function removeWithUndo(toasts: Toasts, { remove, bringBack, done, failed }: Removal): void {
  async function undo(): Promise<void> {
    try {
      await bringBack();
    } catch (problem) {
      toasts.show({ text: describeConnectionProblem(problem), kind: 'problem' });
    }
  }
  const removed = remove().then(
    () => toasts.show({ text: done, action: { label: words.ui.undo, run: undo } }),
    (problem: unknown) => toasts.show({ text: failed(describeProblem(problem)), kind: 'problem' }),
  );
  void keepFocus(removed);
}
