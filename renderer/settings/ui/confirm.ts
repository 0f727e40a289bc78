import { createContext } from 'svelte';

/** What is asked before something is done that can't be undone. */
export interface Question {
  title: string;
  /** What it means, in paragraphs. */
  text: readonly string[];
  /** What the button says that does it. */
  yes: string;
  /** Does it; what it resolves with is said once the dialog is gone. */
  work: () => Promise<string>;
  /** Why it wasn't done; given the reason. */
  failed: (reason: string) => string;
  /** The reason in words, where the usual ones don't do. */
  describe?: (problem: unknown) => string;
  /** What is done destroys nothing. */
  harmless?: boolean;
}

/** Asks in a dialog, which stays until it is done. */
export const [useConfirm, provideConfirm] = createContext<(question: Question) => void>();
