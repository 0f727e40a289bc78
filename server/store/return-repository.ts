import type { Reader, Writer } from './types.ts';

/** A return token as it is stored: never the token itself. */
export interface StoredReturn {
  /** SHA-256 of the token, in hex. */
  digest: string;
  /** Digest of the key it was bought with, and without which it is worthless; null: it came from a link. */
  keyDigest: string | null;
  expiresAt: string;
}

/** Every return token there is, the one that ends first before all others. */
export function listReturns(reader: Reader): StoredReturn[] {
  return reader.all<StoredReturn>(
    'SELECT digest, key_digest AS keyDigest, expires_at AS expiresAt FROM page_returns ORDER BY expires_at, digest',
  );
}

/** Stores a return token, or when it ends from now on. */
export function updateReturn(writer: Writer, { digest, keyDigest, expiresAt }: StoredReturn): void {
  writer.run('INSERT OR REPLACE INTO page_returns (digest, key_digest, expires_at) VALUES (?, ?, ?)', [
    digest,
    keyDigest,
    expiresAt,
  ]);
}

/** Removes what ended before that time. */
export function deleteReturnsBefore(writer: Writer, time: string): void {
  writer.run('DELETE FROM page_returns WHERE expires_at <= ?', [time]);
}

/** Removes one. */
export function deleteReturn(writer: Writer, digest: string): void {
  writer.run('DELETE FROM page_returns WHERE digest = ?', [digest]);
}
