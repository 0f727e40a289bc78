/**
 * Secrets of others, such as keys of model providers: kept out of the store, so that no snapshot, export or backup
 * holds them. Each is sealed by the host's box where there is one (the desktop app uses the system's key store);
 * without one it is stored unsealed in a file that only its owner may read, and is sealed as soon as a host with a box
 * reads it.
 */
import type { StorageNotice } from '../../shared/api/storage.ts';
import { AppError } from '../errors.ts';
import { nameFault } from '../lib/fault-report.ts';
import { createSequence } from '../lib/sequence.ts';
import { openSecretFile, type KeptSecret } from './secret-file.ts';

/** Seals and opens secrets for a host such as the desktop app. Both reject when the system refuses. */
export interface SecretBox {
  /** The text as base64 that only this person's system can open; null: it has no key of its own and can only open. */
  seal: ((text: string) => Promise<string>) | null;
  /** The sealed text. `isStale`: it should be sealed again, since the system now uses another key. */
  open(sealed: string): Promise<{ text: string; isStale: boolean }>;
}

/** The result of reading a secret. `locked`: it exists but can't be opened at the moment; nothing is lost. */
export type SecretReading =
  | { state: 'present'; text: string }
  | { state: 'absent' }
  | { state: 'locked'; reason: string };

/** Where secrets are kept. */
export interface SecretsOptions {
  dataDir: string;
  /** Called when the first secret is needed; null: this host has no box. Called again after a rejection. */
  openBox: () => Promise<SecretBox | null>;
  /** Gets lines for the user, which never contain a secret. */
  log: (line: string) => void;
}

const SEALED_ELSEWHERE = 'The desktop app encrypted it, and only the desktop app can open it.';
const NOT_OPENED = 'The system’s key store could not open it; unlock the key store and try again.';
const NOT_SEALED = 'The system’s key store could not save it; unlock the key store and try again.';

/** The secrets as the service that owns the folder has them. */
type OwnedSecrets = ReturnType<typeof createSecrets>;

/** The secrets of a data folder, by name. */
export type Secrets = Omit<OwnedSecrets, 'notices' | 'restore' | 'close'>;

/** The secrets of a data folder that this process owns. Nothing is read before the first is asked for. */
export function createSecrets({ dataDir, openBox, log }: SecretsOptions) {
  const file = openSecretFile(dataDir, log);
  let opening: Promise<SecretBox | null> | null = null;
  /** Each reads the file, and may write it. */
  const sequence = createSequence();
  let hasWarned = false;

  function box(): Promise<SecretBox | null> {
    opening ??= openBox().catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return opening;
  }

  async function sealed(text: string): Promise<KeptSecret> {
    const seal = (await box())?.seal;
    return seal ? { how: 'sealed', text: await seal(text) } : { how: 'file', text };
  }

  const keep = (name: string, text: string): Promise<KeptSecret> =>
    sealed(text).catch((error: unknown) => {
      log(`The secret ${name} could not be sealed: ${nameFault(error)}`);
      throw new AppError('conflict', NOT_SEALED, { cause: error });
    });

  async function open(name: string, { how, text }: KeptSecret): Promise<SecretReading> {
    if (how === 'file') {
      await keepAnew(name, how, text);
      return { state: 'present', text };
    }
    try {
      const opener = await box();
      if (opener === null) return { state: 'locked', reason: SEALED_ELSEWHERE };
      const opened = await opener.open(text);
      if (opened.isStale || opener.seal === null) await keepAnew(name, how, opened.text);
      return { state: 'present', text: opened.text };
    } catch (error) {
      log(`The secret ${name} could not be opened: ${nameFault(error)}`);
      return { state: 'locked', reason: NOT_OPENED };
    }
  }

  /** Stores a secret the way it would be stored now; if that fails, it stays as it is until it is read again. */
  async function keepAnew(name: string, how: KeptSecret['how'], text: string): Promise<void> {
    try {
      const kept = await sealed(text);
      if (how === 'sealed' || kept.how === 'sealed') await file.set(name, kept);
    } catch (error) {
      log(`The secret ${name} is not sealed yet: ${nameFault(error)}`);
    }
  }

  return {
    read: (name: string): Promise<SecretReading> =>
      sequence.run(async () => {
        const found = await file.all();
        if (found.state === 'unreadable') return { state: 'locked', reason: found.reason };
        const kept = found.secrets.get(name);
        return kept === undefined ? { state: 'absent' } : open(name, kept);
      }),
    /**
     * Resolves when it is on disk. Rejects with AppError `conflict` when the box refuses, `storage_unavailable` or
     * `storage_full` when the disk does; the former value then stays.
     */
    write: (name: string, text: string): Promise<void> =>
      sequence.run(async () => {
        const kept = await keep(name, text);
        await file.set(name, kept);
        if (kept.how === 'sealed' || hasWarned) return;
        hasWarned = true;
        log(`Secrets are kept in ${file.path}, which only its owner may read; the desktop app seals them.`);
      }),
    /** Resolves when it is off the disk; false: there was none. Rejects as `write` does. */
    remove: (name: string): Promise<boolean> => sequence.run(() => file.remove(name)),
    /** In alphabetical order, locked ones too. */
    names: (): Promise<string[]> =>
      sequence.run(async () => {
        const found = await file.all();
        return found.state === 'unreadable' ? [] : [...found.secrets.keys()].sort();
      }),
    /** What a person should know about the file, as of the last reading. */
    notices: (): StorageNotice[] =>
      file.fault === null ? [] : [{ code: 'secrets_unreadable', message: file.fault }],
    /** Writes the file again if it is missing. */
    restore: (): Promise<void> => sequence.run(() => file.restore()),
    close: (): Promise<void> => sequence.settled(),
  };
}
