/**
 * Makes sure that the page talks to its own service. Another program may get the port once Parley has stopped, and a page can't
 * tell: the next request simply goes there. So the service proves itself before each request with a key or a person's text;
 * checking only after a lost connection would miss a program that was quicker than the next poll. Requests made
 * at the same time share a proof. Between it and its request are milliseconds, in which a port can still change hands;
 * but the session key sent then ended with the process that knew it.
 */
import type { Health } from '../../shared/api/health.ts';
import { serverProofText } from '../../shared/proof.ts';
import { timeLimit } from '../lib/time-limit.ts';
import { fromBase64Url, toBase64Url } from './base64url.ts';
import { parseBody, fetchAnswer } from './http.ts';
import { ConnectionProblem, StrangerProblem } from './problem.ts';

const NONCE_BYTES = 32;
const PROOF_TIMEOUT_MS = 10_000;

/** The key and signature algorithms, here and in the service. */
export const CURVE = { name: 'ECDSA', namedCurve: 'P-256' } as const;
/** How is signed. */
export const SIGNING = { name: 'ECDSA', hash: 'SHA-256' } as const;

/**
 * Has the service prove that it has that key (SPKI in base64url); resolves with a challenge, which a browser signs to sign in
 * again. Rejects with {@link StrangerProblem} when another server answers, and with ConnectionProblem when none does.
 */
export async function proveServer(serverKey: string): Promise<string> {
  const nonce = toBase64Url(crypto.getRandomValues(new Uint8Array(NONCE_BYTES)));
  const signal = timeLimit(PROOF_TIMEOUT_MS);
  const response = await fetchAnswer(`/health?nonce=${nonce}`, { cache: 'no-store', signal });
  const text = await response.text().catch(() => '');
  // The service says so while it stops; if a stranger does, it is waited for as well.
  if (response.status === 503) throw new ConnectionProblem('The service is going away.');
  const { signature, challenge } = (parseBody(text) ?? {}) as Partial<Record<keyof Health, unknown>>;
  if (typeof signature !== 'string' || typeof challenge !== 'string') throw new StrangerProblem();
  if (!(await isSignedBy(serverKey, serverProofText(nonce, location.origin), signature))) {
    throw new StrangerProblem();
  }
  return challenge;
}

async function isSignedBy(serverKey: string, text: string, signature: string): Promise<boolean> {
  try {
    const key = await crypto.subtle.importKey('spki', fromBase64Url(serverKey), CURVE, false, ['verify']);
    return await crypto.subtle.verify(SIGNING, key, fromBase64Url(signature), new TextEncoder().encode(text));
  } catch {
    // Not base64url, or not a key.
    return false;
  }
}

/** Proves the service with that key, for one client: requests made at the same time share a proof. Rejects as {@link proveServer} does. */
export function createServerProver(serverKey: string): () => Promise<unknown> {
  let proving: Promise<unknown> | null = null;
  return () => {
    proving ??= proveServer(serverKey).finally(() => {
      proving = null;
    });
    return proving;
  };
}
