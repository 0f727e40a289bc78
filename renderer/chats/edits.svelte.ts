import { SvelteMap } from 'svelte/reactivity';
import type { Message } from '../../shared/api/message.ts';
import type { Writing } from './writing.ts';
import { RESTORE_WINDOW_DAYS } from '../../shared/limits.ts';
import { StoredRecords } from '../lib/storage.ts';

/** An open edit. */
export interface Edit extends Writing {
  /** The idempotency key; a changed text gets a new one. */
  key: string;
  /** `waiting`: for the connection. `sent`: the service has it, and the conversation is about to show it. */
  state: 'writing' | 'sending' | 'waiting' | 'sent';
  /** Why the service refused it, in words. */
  problem: string | null;
}

/** An edit in the page's storage. */
interface KeptEdit extends Writing {
  key: string;
  keptAt: number;
}

const KEPT_MS = RESTORE_WINDOW_DAYS * 24 * 60 * 60 * 1000;
const kept = new StoredRecords<KeptEdit>('edit.', ({ text, key, files = [], keptAt = 0 }) =>
  typeof text === 'string' && typeof key === 'string' ? { text, files, key, keptAt } : null,
);

/** The open edits of messages, by message id; saved in the page's storage until they are sent. */
export class Edits {
  readonly #open = new SvelteMap<string, Edit>();

  /** Restores edits that earlier pages left unsent, unless they are so old that the message may be gone. */
  constructor() {
    for (const messageId of kept.keys()) {
      const edit = kept.read(messageId);
      if (edit === null || Date.now() - edit.keptAt > KEPT_MS) kept.write(messageId, null);
      else this.#open.set(messageId, { ...edit, state: 'writing', problem: null });
    }
  }

  find(messageId: string): Edit | undefined {
    return this.#open.get(messageId);
  }

  /** Opens the edit of a message, unless it is open. */
  begin({ id, content, attachments = [] }: Message): void {
    if (!this.#open.has(id)) this.write(id, { text: content, files: attachments });
  }

  write(messageId: string, { text, files }: Writing): void {
    const key = crypto.randomUUID();
    this.#open.set(messageId, { text, files, key, state: 'writing', problem: null });
    kept.write(messageId, { text, files, key, keptAt: Date.now() });
  }

  /** Updates the state of an edit, unless it was closed or changed meanwhile. */
  note(messageId: string, edit: Edit, change: Partial<Pick<Edit, 'state' | 'problem'>>): void {
    if (!this.holds(messageId, edit)) return;
    this.#open.set(messageId, { ...edit, ...change });
    if (change.state === 'sent') kept.write(messageId, null);
  }

  holds(messageId: string, { key }: Edit): boolean {
    return this.#open.get(messageId)?.key === key;
  }

  close(messageId: string): void {
    this.#open.delete(messageId);
    kept.write(messageId, null);
  }
}
