/**
 * Whom the page talks to. Another program may have the port once Parley has stopped, and nothing tells a page so: the next
 * request simply goes there. So the service proves itself before each request that carries a key or what a person wrote;
 * looking only after a lost connection would miss a program that was quicker than the next poll. Requests that are made
 * at the same time share a proof. Between it and its request lie milliseconds, in which a port can still change hands;
 * the session key that would be sent then ended with the process that knew it.
 */
import type { Health } from '../../shared/api/health.ts';
import { serverProofText } from '../../shared/proof.ts';
import { fromBase64Url, toBase64Url } from './base64url.ts';
import { parseJson, reach } from './http.ts';
import { ConnectionProblem, StrangerProblem } from './problem.ts';

const NONCE_BYTES = 32;
const PROOF_TIMEOUT_MS = 10_000;
/** What a page says as it goes away can't wait for a proof, and goes out if the last one is no older. */
const FRESH_MS = 5_000;

/** How keys are made and signatures checked, here and by the service. */
export const CURVE = { name: 'ECDSA', namedCurve: 'P-256' } as const;
/** How is signed. */
export const SIGNING = { name: 'ECDSA', hash: 'SHA-256' } as const;

/**
 * Has the service prove that it has that key (SPKI in base64url); resolves with a challenge, which a browser signs to come
 * back. Rejects with {@link StrangerProblem} when somebody else answers, and with ConnectionProblem when nobody does.
 */
export async function proveServer(serverKey: string): Promise<string> {
  const nonce = toBase64Url(crypto.getRandomValues(new Uint8Array(NONCE_BYTES)));
  const signal = AbortSignal.timeout(PROOF_TIMEOUT_MS);
  const response = await reach(`/health?nonce=${nonce}`, { cache: 'no-store', signal });
  const text = await response.text().catch(() => '');
  // The service says so too, while it stops; a stranger who does is waited for as well.
  if (response.status === 503) throw new ConnectionProblem('The service is going away.');
  const { signature, challenge } = (parseJson(text) ?? {}) as Partial<Record<keyof Health, unknown>>;
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
    // No base64url, or no key.
    return false;
  }
}

/** Proofs of the service for one client. */
export interface ServerProver {
  /** Rejects as {@link proveServer} does. */
  prove(): Promise<void>;
  /** Whether it proved itself a moment ago. */
  isFresh(): boolean;
}

/** Makes one for the service that has that key. */
export function createServerProver(serverKey: string): ServerProver {
  let proving: Promise<void> | null = null;
  let provenAt = -Infinity;
  return {
    prove() {
      proving ??= proveServer(serverKey)
        .then(() => {
          provenAt = performance.now();
        })
        .catch((problem: unknown) => {
          provenAt = -Infinity;
          throw problem;
        })
        .finally(() => {
          proving = null;
        });
      return proving;
    },
    isFresh: () => performance.now() - provenAt < FRESH_MS,
  };
}
