/**
 * Seals secrets with the system's key store: the Keychain, Windows' data protection, or the desktop's secret service. It is
 * asked when the first secret is, since a system may put the question to the person.
 */
import type { SafeStorage } from 'electron';
import type { SecretBox } from '../server/secrets/secrets.ts';

/** What of Electron's safe storage is used. */
export type Sealer = Pick<
  SafeStorage,
  'isAsyncEncryptionAvailable' | 'encryptStringAsync' | 'decryptStringAsync'
>;

/** How secrets are kept; `unasked`: the system has not been asked yet, and on Linux only its answer tells. */
export type SecretsKept = 'sealed' | 'file' | 'unasked';

/** The system's key store, once. */
export interface SystemBox {
  /** The box; null where nothing can be sealed or opened. Asks the system. */
  open(): Promise<SecretBox | null>;
  /** As far as it is known without asking. */
  kept(): SecretsKept;
}

/**
 * How what Chromium seals on Linux begins when no key store answers: with a key that everybody knows
 * (os_crypt's PosixKeyProvider). That would only look sealed, so a file that its owner alone may read is more honest.
 */
const FIXED_KEY = 'v10';

/** Makes the keeper of the system's box; the app has to be ready before it is opened. */
export function createSystemBox(safeStorage: Sealer, platform: NodeJS.Platform): SystemBox {
  let kept: SecretsKept = platform === 'linux' ? 'unasked' : 'sealed';

  /** What the backend is said to be is a guess from the desktop's name; what comes out isn't. */
  async function isSealing(): Promise<boolean> {
    if (platform !== 'linux') return true;
    const probe = await safeStorage.encryptStringAsync('Parley');
    return probe.subarray(0, FIXED_KEY.length).toString('latin1') !== FIXED_KEY;
  }

  return {
    async open() {
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
    kept: () => kept,
  };
}
