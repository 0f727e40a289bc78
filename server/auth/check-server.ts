import { randomBytes } from 'node:crypto';
import { serverProofText } from '../../shared/proof.ts';
import { isSignedBy } from './identity.ts';

/**
 * Whether the server at an address such as `http://127.0.0.1:4141` has the private key to that public one, which stands in
 * connection.json: after a kill that file stays, and another program may have the port. Rejects when nobody answers.
 */
export async function isSameServer(
  baseUrl: string,
  publicKey: string,
  signal: AbortSignal,
): Promise<boolean> {
  const nonce = randomBytes(32).toString('base64url');
  const answer = await fetch(`${baseUrl}/health?nonce=${nonce}`, { redirect: 'error', signal });
  const { signature } = ((await answer.json()) ?? {}) as { signature?: unknown };
  return typeof signature === 'string' && isSignedBy(publicKey, serverProofText(nonce, baseUrl), signature);
}
