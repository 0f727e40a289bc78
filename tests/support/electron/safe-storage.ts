/** The system's key store: sealed texts can be read again with the same user-data folder. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { app } from './app.ts';
import { guarded } from './guard.ts';

/**
 * Set in the environment: `none` (nothing can be sealed), or as on a Linux without a key store: `basic_text` where the desktop
 * is known to have none, `silent` where one is expected and doesn't answer. There, sealing works with a key that everybody
 * knows, and only the prefix of what comes out tells.
 */
const KEY_STORE = 'STAND_IN_KEY_STORE';
const PREFIX = Buffer.from('v11');
const FIXED_PREFIX = Buffer.from('v10');
const FIXED_KEY = Buffer.alloc(32, 'peanuts');
const IV_BYTES = 12;
const TAG_BYTES = 16;

const hasFixedKey = (): boolean => ['basic_text', 'silent'].includes(process.env[KEY_STORE] ?? '');
/** Once the app is ready there always is some key, unless the environment says otherwise. */
const works = (): boolean => app.isReady() && process.env[KEY_STORE] !== 'none';

function key(): Buffer {
  const file = join(app.getPath('userData'), 'stand-in-key-store');
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, randomBytes(32), { mode: 0o600 });
  }
  return readFileSync(file);
}

function encrypt(text: string): Buffer {
  if (!works()) throw new Error('Error while encrypting the text provided to safeStorage.encryptString.');
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', hasFixedKey() ? FIXED_KEY : key(), iv);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([hasFixedKey() ? FIXED_PREFIX : PREFIX, iv, cipher.getAuthTag(), sealed]);
}

function decrypt(bytes: Buffer): string {
  const failed = 'Error while decrypting the ciphertext provided to safeStorage.decryptString.';
  const prefix = bytes.subarray(0, PREFIX.length);
  const isFixed = prefix.equals(FIXED_PREFIX);
  if (!works() || (!isFixed && (hasFixedKey() || !prefix.equals(PREFIX)))) throw new Error(failed);
  const iv = bytes.subarray(PREFIX.length, PREFIX.length + IV_BYTES);
  const tag = bytes.subarray(PREFIX.length + IV_BYTES, PREFIX.length + IV_BYTES + TAG_BYTES);
  const sealed = bytes.subarray(PREFIX.length + IV_BYTES + TAG_BYTES);
  try {
    const decipher = createDecipheriv('aes-256-gcm', isFixed ? FIXED_KEY : key(), iv);
    decipher.setAuthTag(tag);
    return Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8');
  } catch (cause) {
    throw new Error(failed, { cause });
  }
}

export const safeStorage = guarded('safeStorage', {
  isAsyncEncryptionAvailable: async () => works(),
  encryptStringAsync: async (text: string) => encrypt(text),
  decryptStringAsync: async (bytes: Buffer) => ({
    result: decrypt(bytes),
    shouldReEncrypt: !hasFixedKey() && bytes.subarray(0, PREFIX.length).equals(FIXED_PREFIX),
  }),
  getSelectedStorageBackend: () => {
    if (!app.isReady()) return 'unknown';
    return process.env[KEY_STORE] === 'basic_text' ? 'basic_text' : 'gnome_libsecret';
  },
});
