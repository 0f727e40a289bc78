import { describeConnectionProblem, describeProblem } from '../../api/problem-words.ts';
import { words } from '../../lib/words/index.ts';
import type { Toasts } from '../../ui/toasts.svelte.ts';
import { keepFocus } from './keep-focus.ts';

/** How one thing of a list is removed and brought back, and what is said of that. */
interface Removal {
  remove: () => Promise<unknown>;
  /** It may be asked for when the page is no longer shown. */
  bringBack: () => Promise<unknown>;
  done: string;
  failed: (reason: string) => string;
}

/** Removes something, by its button, and offers an Undo. */
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
