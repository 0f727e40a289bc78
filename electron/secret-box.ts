/**
 * Seals secrets with the system's key store: the Keychain, Windows' data protection, or the desktop's secret service. It is
 * asked when the first secret is, since a system may put the question to the person.
 */
import type { SafeStorage } from 'electron';
import type { SecretBox } from '../server/secrets/secrets.ts';

/** What of Electron's safe storage is used. */
export type Sealer = Pick<
  SafeStorage,
  'isAsyncEncryptionAvailable' | 'encryptStringAsync' | 'decryptStringAsync' | 'getSelectedStorageBackend'
>;

/**
 * Whether this system seals, as far as can be told without asking it; the app has to be ready. On Linux Chromium falls back
 * to a key that everybody knows: that would only look sealed, so a file that its owner alone may read is more honest.
 */
export const canSeal = (safeStorage: Sealer, platform: NodeJS.Platform): boolean =>
  platform !== 'linux' || !['basic_text', 'unknown'].includes(safeStorage.getSelectedStorageBackend());

/** The system's box; null where there is none. */
export async function openSecretBox(
  safeStorage: Sealer,
  platform: NodeJS.Platform,
): Promise<SecretBox | null> {
  if (!canSeal(safeStorage, platform) || !(await safeStorage.isAsyncEncryptionAvailable())) return null;
  return {
    kind: 'sealed',
    seal: async (text) => (await safeStorage.encryptStringAsync(text)).toString('base64'),
    open: async (sealed) => {
      const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(Buffer.from(sealed, 'base64'));
      return { text: result, isStale: shouldReEncrypt };
    },
  };
}
