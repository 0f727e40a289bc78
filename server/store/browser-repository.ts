import { defineTable, text, type RowOf } from './table.ts';

/** Nothing here is secret. */
const BROWSERS = defineTable('browsers', {
  /** A SHA-256 in base64url, of its public key and the digest of the key that it signed in with first. */
  id: text(),
  /** SPKI in base64url. */
  publicKey: text(),
  /** Where it signed in, such as `http://127.0.0.1:4141`; it can return only there. */
  address: text(),
  /** The name shown to people; may be empty. */
  name: text(),
  /** Digest of the key that it signed in with; once that key is gone, it is signed out. */
  keyDigest: text(),
  createdAt: text(),
  lastUsedAt: text(),
});

/** A browser that may come back, as it is stored. */
export type StoredBrowser = RowOf<typeof BROWSERS.columns>;

/** Every browser, most recently used last. */
export const listBrowsers = BROWSERS.list('ORDER BY last_used_at, id');

/** Stores a browser, or its changes. */
export const updateBrowser = BROWSERS.replace;

/** Removes those that were last used before that time. */
export const deleteBrowsersBefore = BROWSERS.delete<[time: string]>('WHERE last_used_at <= ?');

/** Removes one. */
export const deleteBrowser = BROWSERS.delete<[id: string]>('WHERE id = ?');
