/** Edits of messages that were begun and not sent, in the page's own storage. */
import { RESTORE_WINDOW_DAYS } from '../../shared/limits.ts';
import { lasting } from '../lib/storage.ts';
import type { Writing } from './writing.ts';

/** An edit as it is kept. */
export interface KeptEdit extends Writing {
  /** The idempotency key it is sent with. */
  key: string;
}

const PREFIX = 'edit.';
const KEPT_MS = RESTORE_WINDOW_DAYS * 24 * 60 * 60 * 1000;

/** Keeps the edit of a message; null forgets it. `false` when the storage refused. */
export function writeEdit(messageId: string, edit: KeptEdit | null): boolean {
  const stored = edit === null ? null : JSON.stringify({ ...edit, keptAt: Date.now() });
  return lasting.write(PREFIX + messageId, stored);
}

/** All edits that are kept. Those that nobody has touched for so long that their messages may be gone are forgotten. */
export function takeUpEdits(now: number = Date.now()): (KeptEdit & { messageId: string })[] {
  return lasting
    .names()
    .filter((name) => name.startsWith(PREFIX))
    .flatMap((name) => {
      const edit = parse(lasting.read(name));
      if (edit !== null && now - edit.keptAt <= KEPT_MS)
        return [{ ...edit, messageId: name.slice(PREFIX.length) }];
      lasting.write(name, null);
      return [];
    });
}

function parse(stored: string | null): (KeptEdit & { keptAt: number }) | null {
  try {
    const edit = JSON.parse(stored ?? 'null') as Partial<KeptEdit & { keptAt: number }> | null;
    if (typeof edit?.text !== 'string' || typeof edit.key !== 'string') return null;
    return { text: edit.text, files: edit.files ?? [], key: edit.key, keptAt: edit.keptAt ?? 0 };
  } catch {
    return null;
  }
}
