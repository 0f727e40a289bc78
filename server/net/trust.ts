/**
 * The certificates that servers are checked against: Node's own, the system's, and those of a file that a person named.
 * An environment variable can't add any in the desktop app, where Electron ignores it. Load this module when it is first needed:
 * most services never use TLS.
 */
import { X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import tls, { type SecureContext } from 'node:tls';
import { invalidField, type AppError } from '../errors.ts';

/** A whole system's collection has a fraction of it. */
const MAX_BYTES = 8 * 1024 * 1024;

let trusted: { key: string; context: SecureContext } | null = null;

/** What TLS connections are made with; `file`: as in the settings, read again when it has changed. A file that can't be read adds nothing. */
export async function trustedBy(file: string | null): Promise<SecureContext> {
  const found = file === null ? null : await stat(file).catch(() => null);
  const key = found === null ? '' : [file, found.mtimeMs, found.size].join('\n');
  if (trusted?.key !== key) {
    const own = found === null || file === null ? [] : await readCertificates(file).catch(() => []);
    const ca = [
      ...new Set([...tls.getCACertificates('default'), ...tls.getCACertificates('system'), ...own]),
    ];
    // The file may hold a server's own certificate instead of its authority's.
    trusted = { key, context: tls.createSecureContext({ ca, allowPartialTrustChain: own.length > 0 }) };
  }
  return trusted.context;
}

/** Throws AppError `invalid_request` for a file that can't be named as one with certificates. */
export async function checkCertificateFile(file: string): Promise<void> {
  const fail = (what: string): AppError =>
    invalidField('certificateFile', `"certificateFile" must be ${what}.`);
  if (!isAbsolute(file)) throw fail('the whole path of a file');
  try {
    await readCertificates(file);
  } catch (error) {
    const isUnread = error instanceof Error && 'syscall' in error;
    throw fail(isUnread ? 'a file that can be read' : 'a file with certificates, in PEM or DER');
  }
}

/** The certificates of a file, in PEM or DER. Rejects when it can't be read, or holds none. */
async function readCertificates(file: string): Promise<string[]> {
  const { size } = await stat(file);
  // Nor has a device or a pipe an end.
  if (size === 0 || size > MAX_BYTES) throw new Error('It is no file with certificates.');
  const bytes = await readFile(file);
  const pieces = bytes.toString('latin1').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  return (pieces ?? [bytes]).map((piece) => new X509Certificate(piece).toString());
}
