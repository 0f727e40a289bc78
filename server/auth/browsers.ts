/**
 * Coming back after a restart. Session keys live in memory and end with the process; a browser that was signed in must
 * not need a new link because of that. It keeps a key pair whose private half can't be exported, the store keeps the
 * public half, and to come back the browser signs a challenge of this process. Nothing that it sends is valid twice.
 *
 * Another program may have the port meanwhile. The page asks for the service's proof before it signs or sends anything
 * (renderer/api/server-proof.ts). A program can't relay anything: the service either has the port or doesn't run there,
 * proofs and challenges name the address, and a browser comes back only where it signed in. This can't protect from a
 * page that the other program itself serves, once it is loaded: to a browser it is the same origin.
 */
import { hash } from 'node:crypto';
import { browserProofText } from '../../shared/proof.ts';
import {
  deleteBrowser,
  deleteBrowsersBefore,
  listBrowsers,
  updateBrowser,
  type StoredBrowser,
} from '../store/browser-repository.ts';
import type { Store } from '../store/types.ts';
import type { Challenges } from './challenges.ts';
import { isSignedBy } from './identity.ts';
import type { SessionOwner } from './sessions.ts';

/** The browser, the challenge and its signature. */
const CREDENTIAL = /^back_([\w-]{43})\.([\w-]{75})\.([\w-]{86})$/;
/** A browser that is away for longer needs a fresh link. */
const LIFETIME_MS = 14 * 24 * 60 * 60_000;
/** How precisely the last use is stored, since each update is a write. */
const USE_PRECISION_MS = 60 * 60_000;
/** How many may be signed in with one key; beyond that, its least recently used one is removed. */
const MAX_OF_KEY = 200;

/** What is known about a browser that signs in. */
export type NewBrowser = Pick<StoredBrowser, 'publicKey' | 'address' | 'name' | 'keyDigest'>;

export type Browsers = ReturnType<typeof createBrowsers>;

interface Kept {
  stored: StoredBrowser;
  owner: SessionOwner;
}

/** The browsers of a store. Writes reject when the store refuses. `isKeyInForce` and `isAdminKey` take a key's digest. */
export function createBrowsers(deps: {
  store: Store;
  challenges: Challenges;
  clock: () => Date;
  isKeyInForce: (keyDigest: string) => boolean;
  isAdminKey: (keyDigest: string) => boolean;
}) {
  const { store, challenges, clock, isKeyInForce, isAdminKey } = deps;
  /** Most recently used last. */
  const browsers = new Map<string, Kept>();
  for (const stored of store.read(listBrowsers)) {
    browsers.set(stored.id, { stored, owner: { browserId: stored.id, keyDigest: stored.keyDigest } });
  }

  const cutoff = (): string => new Date(clock().getTime() - LIFETIME_MS).toISOString();
  const isInForce = ({ stored, owner }: Kept): boolean =>
    stored.lastUsedAt > cutoff() && (owner.keyDigest === null || isKeyInForce(owner.keyDigest));
  const isAdmin = (keyDigest: string | null): boolean => keyDigest === null || isAdminKey(keyDigest);

  const keep = (kept: Kept): Promise<void> => {
    const { stored, owner } = kept;
    stored.lastUsedAt = clock().toISOString();
    stored.keyDigest = owner.keyDigest ?? stored.keyDigest;
    browsers.delete(stored.id);
    browsers.set(stored.id, kept);
    const own = [...browsers.values()].filter((other) => other.stored.keyDigest === stored.keyDigest);
    const [oldest] = own;
    const surplus = own.length > MAX_OF_KEY && oldest !== undefined ? oldest.stored.id : null;
    if (surplus !== null) browsers.delete(surplus);
    const row = { ...stored };
    return store.write((writer) => {
      updateBrowser(writer, row);
      if (surplus !== null) deleteBrowser(writer, surplus);
      deleteBrowsersBefore(writer, cutoff());
    });
  };

  const read = (credential: string): { kept: Kept; challenge: string } | null => {
    const [, id = '', challenge = '', signature = ''] = CREDENTIAL.exec(credential) ?? [];
    const kept = browsers.get(id);
    if (kept === undefined || !isInForce(kept)) return null;
    const { address, publicKey } = kept.stored;
    const isGood =
      challenges.isOpen(challenge, address) &&
      isSignedBy(publicKey, browserProofText(challenge, address), signature);
    return isGood ? { kept, challenge } : null;
  };

  const end = async (ids: readonly string[]): Promise<void> => {
    const ended = ids.flatMap((id) => browsers.get(id) ?? []);
    for (const { stored } of ended) browsers.delete(stored.id);
    try {
      await store.write((writer) => {
        for (const { stored } of ended) deleteBrowser(writer, stored.id);
      });
    } catch (error) {
      for (const kept of ended) browsers.set(kept.stored.id, kept);
      throw error;
    }
  };

  return {
    /** Stores a browser, or its new sign-in; resolves with what its sessions depend on. */
    async register({ publicKey, address, name, keyDigest }: NewBrowser): Promise<SessionOwner> {
      // All tabs of a browser count as one: the last sign-in applies to all of them. But anybody may send a public key, so a
      // sign-in with another key shares nothing with it, unless both keys may do everything anyway.
      const known = [...browsers.values()].find(
        ({ stored, owner: { keyDigest: other } }) =>
          stored.publicKey === publicKey && (other === keyDigest || (isAdmin(other) && isAdmin(keyDigest))),
      );
      const id = known?.stored.id ?? hash('sha256', publicKey + keyDigest, 'base64url');
      const now = clock().toISOString();
      const owner = known?.owner ?? { browserId: id, keyDigest };
      owner.keyDigest = keyDigest;
      const createdAt = known?.stored.createdAt ?? now;
      await keep({ stored: { id, publicKey, address, name, keyDigest, createdAt, lastUsedAt: now }, owner });
      return owner;
    },
    /** What a browser's sessions depend on, if the credential is valid and its own; this doesn't use it up. */
    check: (credential: string): SessionOwner | null => read(credential)?.kept.owner ?? null,
    /** The same, and uses it up. */
    use(credential: string): SessionOwner | null {
      const found = read(credential);
      if (found === null) return null;
      challenges.use(found.challenge);
      return found.kept.owner;
    },
    /** The browsers that can come back, most recently used first. */
    list: (): StoredBrowser[] =>
      [...browsers.values()]
        .filter(isInForce)
        .map(({ stored }) => ({ ...stored }))
        .reverse(),
    /** Removes a browser, so that it can't come back; resolves with it, or null when there is none. */
    async end(id: string): Promise<StoredBrowser | null> {
      const kept = browsers.get(id);
      if (kept === undefined || !isInForce(kept)) return null;
      await end([id]);
      return kept.stored;
    },
    /** The same for all but one. */
    endOthers: (id: string | null): Promise<void> =>
      end([...browsers.keys()].filter((other) => other !== id)),
    /** Notes that a browser sent a request. */
    noteUse({ browserId }: SessionOwner): void {
      const kept = browserId === null ? undefined : browsers.get(browserId);
      if (kept === undefined) return;
      if (clock().getTime() - Date.parse(kept.stored.lastUsedAt) < USE_PRECISION_MS) return;
      // Nobody waits for this, and if the disk refuses, other writes report it.
      keep(kept).catch(() => undefined);
    },
    /** Stores what a browser's sessions now depend on. */
    async save({ browserId }: SessionOwner): Promise<void> {
      const kept = browserId === null ? undefined : browsers.get(browserId);
      if (kept !== undefined) await keep(kept);
    },
  };
}
