/**
 * How this browser signs in again after a restart of the service: a key pair whose private half no script can read, and
 * the service's own public key. They are in IndexedDB, which alone can store such a key, and shared by all tabs. If the browser
 * refuses, they last as long as the page.
 */
import { toBase64Url } from './base64url.ts';
import { CURVE } from './server-proof.ts';

const DATABASE = 'parley';
const STORE = 'browser';
const ONLY = 'key';

/** The key pair, without the service's side. */
export interface BrowserKey {
  /** SPKI in base64url. */
  publicKey: string;
  privateKey: CryptoKey;
}

/** A key pair registered with the service. */
export interface KeptBrowserKey extends BrowserKey {
  /** The service's id for it. */
  browserId: string;
  /** The key with which the service proves itself. */
  serverKey: string;
}

let refused: KeptBrowserKey | null = null;

/** A new key pair. */
export async function createBrowserKey(): Promise<BrowserKey> {
  const { publicKey, privateKey } = await crypto.subtle.generateKey(CURVE, false, ['sign', 'verify']);
  const spki = await crypto.subtle.exportKey('spki', publicKey);
  return { publicKey: toBase64Url(new Uint8Array(spki)), privateKey };
}

/** What this browser has stored; null: it never signed in here. */
export async function readBrowserKey(): Promise<KeptBrowserKey | null> {
  if (refused !== null) return refused;
  try {
    const kept = await run('readonly', (store) => store.get(ONLY) as IDBRequest<KeptBrowserKey | undefined>);
    return kept ?? null;
  } catch {
    return null;
  }
}

/** Stores it, replacing any other. */
export async function writeBrowserKey(key: KeptBrowserKey): Promise<void> {
  try {
    await run('readwrite', (store) => store.put(key, ONLY));
    refused = null;
  } catch {
    refused = key;
  }
}

async function run<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => void opening.result.createObjectStore(STORE);
  const database = await settled(opening);
  try {
    return await settled(work(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

const settled = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The browser refused.'));
  });
