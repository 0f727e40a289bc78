/**
 * Seals secrets with the system's key store: the Keychain, Windows' data protection, or the desktop's secret service. It is
 * opened only for the first secret, since the system may ask the person for permission.
 */
import type { SafeStorage } from 'electron';
import type { SecretBox } from '../server/secrets/secrets.ts';

/** The part of Electron's safe storage that is used. */
export type Sealer = Pick<
  SafeStorage,
  'isAsyncEncryptionAvailable' | 'encryptStringAsync' | 'decryptStringAsync'
>;

/** How secrets are stored; `unasked`: the key store has not been opened yet, and on Linux nothing is known before that. */
export type SecretsKept = 'sealed' | 'file' | 'unasked';

/**
 * The prefix of what Chromium seals on Linux when no key store answers: with a key that everybody knows
 * (os_crypt's PosixKeyProvider). That would only look sealed, so a file that only its owner may read is more honest.
 */
const FIXED_KEY = 'v10';

/** Creates the keeper of the system's box; the app has to be ready before it is opened. */
export function createSystemBox(safeStorage: Sealer, platform: NodeJS.Platform) {
  let kept: SecretsKept = platform === 'linux' ? 'unasked' : 'sealed';

  /** The reported backend is only a guess from the desktop's name; the sealed text isn't. */
  async function isSealing(): Promise<boolean> {
    if (platform !== 'linux') return true;
    const probe = await safeStorage.encryptStringAsync('Parley');
    return probe.subarray(0, FIXED_KEY.length).toString('latin1') !== FIXED_KEY;
  }

  return {
    /** The box; null if nothing can be sealed or opened. Opens the key store. */
    async open(): Promise<SecretBox | null> {
      if (!(await safeStorage.isAsyncEncryptionAvailable())) {
        kept = 'file';
        return null;
      }
      const seals = await isSealing();
      kept = seals ? 'sealed' : 'file';
      return {
        seal: seals ? async (text) => (await safeStorage.encryptStringAsync(text)).toString('base64') : null,
        open: async (sealed) => {
          const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(
            Buffer.from(sealed, 'base64'),
          );
          return { text: result, isStale: shouldReEncrypt };
        },
      };
    },
    /** What is known without opening it. */
    kept: (): SecretsKept => kept,
  };
}
