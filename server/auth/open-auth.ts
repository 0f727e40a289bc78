/** Puts authentication together: keys, the window's sessions, returning browsers, and the service's own identity. */
import { createAuthenticator } from './authenticator.ts';
import { createBrowsers } from './browsers.ts';
import type { Caller } from './caller.ts';
import { createChallenges } from './challenges.ts';
import { openIdentity } from './identity.ts';
import type { KeyRing } from './key-ring.ts';
import { createSessions } from './sessions.ts';
import type { Store } from '../store/types.ts';

/** Reads, or makes, the service's identity; rejects when that can't be read or written. */
export async function openAuth(deps: { store: Store; keys: KeyRing; dataDir: string; clock: () => Date }) {
  const { store, keys, dataDir, clock } = deps;
  const identity = await openIdentity(dataDir);
  const challenges = createChallenges(Date.now);
  const findKey = (digest: string): Caller | null => keys.find(digest, Date.now());
  const browsers = createBrowsers({
    store,
    challenges,
    clock,
    isKeyInForce: (digest) => findKey(digest) !== null,
    isAdminKey: (digest) => findKey(digest)?.scope === 'admin',
  });
  const sessions = createSessions({ findKey, onUse: (owner) => browsers.noteUse(owner) });
  const authenticator = createAuthenticator({ keys, sessions, browsers, clock: Date.now });
  return { authenticator, sessions, browsers, challenges, identity };
}
