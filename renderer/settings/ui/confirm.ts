import { createContext } from 'svelte';

/** A question before something that can't be undone. */
export interface Confirmation {
  title: string;
  /** The consequences, in paragraphs. */
  text: readonly string[];
  /** The label of the button that does it. */
  yes: string;
  /** Does it; resolves with what to say once the dialog is closed. */
  work: () => Promise<string>;
  /** A sentence for when it failed, with the reason. */
  failed: (reason: string) => string;
  /** Nothing is destroyed by it. */
  harmless?: boolean;
}

/** Asks in a dialog, which stays open until it is done. */
export const [useConfirm, provideConfirm] = createContext<(confirmation: Confirmation) => void>();
