import type { Reader, Writer } from './types.ts';

/** A browser that may come back, as it is stored: nothing of it is a secret. */
export interface StoredBrowser {
  /** SHA-256 of its public key, in base64url. */
  id: string;
  /** SPKI in base64url. */
  publicKey: string;
  /** Where it signed in, such as `http://127.0.0.1:4141`; it can come back nowhere else. */
  address: string;
  /** In words; may be empty. */
  name: string;
  /** Digest of the key that it signed in with, and without which it is signed out. */
  keyDigest: string;
  createdAt: string;
  lastUsedAt: string;
}

/** Every browser, the one that was used last at the end. */
export function listBrowsers(reader: Reader): StoredBrowser[] {
  return reader.all<StoredBrowser>(
    `SELECT id, public_key AS publicKey, address, name, key_digest AS keyDigest, created_at AS createdAt,
      last_used_at AS lastUsedAt FROM browsers ORDER BY last_used_at, id`,
  );
}

/** Stores a browser, or what has changed of it. */
export function updateBrowser(writer: Writer, browser: StoredBrowser): void {
  const { id, publicKey, address, name, keyDigest, createdAt, lastUsedAt } = browser;
  writer.run(
    `INSERT OR REPLACE INTO browsers (id, public_key, address, name, key_digest, created_at, last_used_at)
      VALUES (?, ?, ?, ?, ?, ?, ?)`,
    [id, publicKey, address, name, keyDigest, createdAt, lastUsedAt],
  );
}

/** Removes those that were last used before that time. */
export function deleteBrowsersBefore(writer: Writer, time: string): void {
  writer.run('DELETE FROM browsers WHERE last_used_at <= ?', [time]);
}

/** Removes one. */
export function deleteBrowser(writer: Writer, id: string): void {
  writer.run('DELETE FROM browsers WHERE id = ?', [id]);
}
