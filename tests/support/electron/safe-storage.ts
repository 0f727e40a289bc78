/** The system's key store: what is sealed can be read again by whoever has the same user-data folder. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { app } from './app.ts';
import { guarded } from './guard.ts';

/** Set in the environment: `none` (nothing can be sealed) or, on Linux, `basic_text` (no key store there). */
const KEY_STORE = 'STAND_IN_KEY_STORE';
const PREFIX = Buffer.from('v11');
const IV_BYTES = 12;
const TAG_BYTES = 16;

let plainTextAllowed = false;

function available(): boolean {
  const keyStore = process.env[KEY_STORE];
  if (!app.isReady() || keyStore === 'none') return false;
  return keyStore !== 'basic_text' || plainTextAllowed;
}

function key(): Buffer {
  const file = join(app.getPath('userData'), 'stand-in-key-store');
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, randomBytes(32), { mode: 0o600 });
  }
  return readFileSync(file);
}

function encrypt(text: string): Buffer {
  if (!available()) throw new Error('Error while encrypting the text provided to safeStorage.encryptString.');
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key(), iv);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([PREFIX, iv, cipher.getAuthTag(), sealed]);
}

function decrypt(bytes: Buffer): string {
  const failed = 'Error while decrypting the ciphertext provided to safeStorage.decryptString.';
  if (!available() || !bytes.subarray(0, PREFIX.length).equals(PREFIX)) throw new Error(failed);
  const [iv, tag, sealed] = [
    PREFIX.length,
    PREFIX.length + IV_BYTES,
    PREFIX.length + IV_BYTES + TAG_BYTES,
  ].map((start, index) =>
    bytes.subarray(start, index === 2 ? undefined : start + (index === 0 ? IV_BYTES : TAG_BYTES)),
  ) as [Buffer, Buffer, Buffer];
  try {
    const decipher = createDecipheriv('aes-256-gcm', key(), iv);
    decipher.setAuthTag(tag);
    return Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8');
  } catch (cause) {
    throw new Error(failed, { cause });
  }
}

export const safeStorage = guarded('safeStorage', {
  isEncryptionAvailable: available,
  isAsyncEncryptionAvailable: async () => available(),
  encryptString: encrypt,
  decryptString: decrypt,
  encryptStringAsync: async (text: string) => encrypt(text),
  decryptStringAsync: async (bytes: Buffer) => ({ result: decrypt(bytes), shouldReEncrypt: false }),
  getSelectedStorageBackend: () => {
    if (!app.isReady()) return 'unknown';
    return process.env[KEY_STORE] === 'basic_text' ? 'basic_text' : 'gnome_libsecret';
  },
  setUsePlainTextEncryption: (allowed: boolean) => {
    plainTextAllowed = allowed;
  },
});
