/**
 * Who this service is: a key pair in the data folder, with which it proves to browsers and tools that it is the one they
 * know, before they send it anything. Another program that takes the port has no such key.
 */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { serverProofText } from '../../shared/proof.ts';
import { attempt } from '../../shared/attempt.ts';
import { readPrivateFile, writePrivateFile } from '../lib/private-file.ts';

const FILE_NAME = 'identity';
const CURVE = 'prime256v1';

export type Identity = Awaited<ReturnType<typeof openIdentity>>;

/** Reads it, or creates it if the file is missing or damaged; browsers that knew the old one then need a new link. */
export async function openIdentity(dataDir: string) {
  const path = join(dataDir, FILE_NAME);
  const text = await readPrivateFile(path);
  const kept = onCurve(() => createPrivateKey(text ?? ''));
  const key = kept ?? generateKeyPairSync('ec', { namedCurve: CURVE }).privateKey;
  const write = (): Promise<void> =>
    writePrivateFile(path, key.export({ format: 'pem', type: 'pkcs8' }).toString());
  if (kept === null) await write();
  const privateKey = { key, dsaEncoding: 'ieee-p1363' } as const;
  return {
    /** SPKI in base64url. */
    publicKey: createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64url'),
    /** The signature for a nonce that came to this address, such as `http://127.0.0.1:4141`. */
    prove: (nonce: string, address: string): string =>
      sign('sha256', Buffer.from(serverProofText(nonce, address)), privateKey).toString('base64url'),
    /** Writes its file again if it is missing. */
    restore: async (): Promise<void> => (existsSync(path) ? undefined : write()),
  };
}

/** Reads a public key on P-256 (SPKI in base64url); null when it isn't one. */
export function readPublicKey(text: string): KeyObject | null {
  return onCurve(() => createPublicKey({ key: Buffer.from(text, 'base64url'), format: 'der', type: 'spki' }));
}

/** Whether the owner of the public key signed that text. Never throws. */
export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  const key = readPublicKey(publicKey);
  return (
    key !== null &&
    verify(
      'sha256',
      Buffer.from(text),
      { key, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    )
  );
}

/** The key that is read; null when it isn't one, or of another kind. */
function onCurve(read: () => KeyObject): KeyObject | null {
  const key = attempt(read);
  return key?.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === CURVE ? key : null;
}

/**
 * Whether the server at an address such as `http://127.0.0.1:4141` has the private key to that public one, which stands in
 * connection.json: after a kill that file stays, and another program may have the port. Rejects when nobody answers.
 */
export async function isSameService(
  baseUrl: string,
  publicKey: string,
  signal: AbortSignal,
): Promise<boolean> {
  const nonce = randomBytes(32).toString('base64url');
  const answer = await fetch(`${baseUrl}/health?nonce=${nonce}`, { redirect: 'error', signal });
  const { signature } = ((await answer.json()) ?? {}) as { signature?: unknown };
  return typeof signature === 'string' && isSignedBy(publicKey, serverProofText(nonce, baseUrl), signature);
}
