import { EventEmitter } from 'node:events';
import { app } from './app.ts';
import { createEvent } from './events.ts';
import { guardClass, guarded } from './guard.ts';
import type { RequestFilter } from './navigation.ts';

type RequestListener = (
  details: object,
  callback: (answer: { cancel?: boolean; redirectURL?: string }) => void,
) => void;
type PermissionRequest = (
  contents: unknown,
  permission: string,
  callback: (granted: boolean) => void,
  details: object,
) => void;
type PermissionCheck = (contents: unknown, permission: string, origin: string, details: object) => boolean;
type Filter = { urls: string[] };

export class Session extends EventEmitter {
  readonly availableSpellCheckerLanguages = ['de', 'en-GB', 'en-US', 'es', 'fr', 'it', 'nl', 'pt-BR'];
  spellCheckerEnabled = true;
  proxy: object = { mode: 'system' };
  #languages = ['en-GB'];
  #beforeRequest: RequestListener | null = null;
  #beforeRequestFilter: Filter = { urls: [] };
  /** For the stand-in only: what was set, for tests to call. */
  standIn: {
    permissionRequest: PermissionRequest | null;
    permissionCheck: PermissionCheck | null;
    devicePermission: unknown;
    displayMedia: unknown;
  } = {
    permissionRequest: null,
    permissionCheck: null,
    devicePermission: null,
    displayMedia: null,
  };

  readonly webRequest = guarded('session.webRequest', {
    onBeforeRequest: (first: Filter | RequestListener | null, second?: RequestListener | null) => {
      this.#beforeRequest = typeof first === 'function' ? first : (second ?? null);
      this.#beforeRequestFilter = typeof first === 'object' && first !== null ? first : { urls: [] };
    },
  });

  /** For the stand-in alone. */
  get standInFilter(): RequestFilter {
    const active = (): boolean => this.#beforeRequest !== null;
    return {
      get active() {
        return active();
      },
      decide: (details) =>
        new Promise((resolve) => {
          const { url } = details as { url: string };
          const { urls } = this.#beforeRequestFilter;
          const concerned = urls.length === 0 || urls.some((pattern) => matches(pattern, url));
          if (this.#beforeRequest === null || !concerned) resolve({});
          else this.#beforeRequest(details, resolve);
        }),
    };
  }

  setPermissionRequestHandler(handler: PermissionRequest | null): void {
    this.standIn.permissionRequest = handler;
  }
  setPermissionCheckHandler(handler: PermissionCheck | null): void {
    this.standIn.permissionCheck = handler;
  }
  setDevicePermissionHandler(handler: unknown): void {
    this.standIn.devicePermission = handler;
  }
  setDisplayMediaRequestHandler(handler: unknown): void {
    this.standIn.displayMedia = handler;
  }
  async setProxy(config: object): Promise<void> {
    this.proxy = config;
  }
  setSpellCheckerLanguages(languages: string[]): void {
    const unknown = languages.find((language) => !this.availableSpellCheckerLanguages.includes(language));
    if (unknown !== undefined)
      throw new Error(`Invalid language code provided: "${unknown}" is not a valid language code`);
    this.#languages = languages;
  }
  getSpellCheckerLanguages(): string[] {
    return this.#languages;
  }
  setSpellCheckerEnabled(enabled: boolean): void {
    this.spellCheckerEnabled = enabled;
  }
  isSpellCheckerEnabled(): boolean {
    return this.spellCheckerEnabled;
  }
  setSpellCheckerDictionaryDownloadURL(_url: string): void {
    // Nothing shows.
  }
  addWordToSpellCheckerDictionary(_word: string): boolean {
    return true;
  }
  getUserAgent(): string {
    return app.userAgentFallback;
  }
  setUserAgent(_userAgent: string): void {
    // Nothing shows.
  }
  isPersistent(): boolean {
    return true;
  }
}
guardClass('session', Session);

/** `*` stands for anything, as in Electron's URL patterns. */
function matches(pattern: string, url: string): boolean {
  if (pattern === '<all_urls>') return true;
  const escaped = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${escaped.join('.*')}$`).test(url);
}

const partitions = new Map<string, Session>();

function fromPartition(partition: string): Session {
  const known = partitions.get(partition);
  if (known !== undefined) return known;
  const made = new Session();
  partitions.set(partition, made);
  app.emit('session-created', createEvent(), made);
  return made;
}

/** All sessions share the browser's one profile. */
export const session = guarded('session', {
  get defaultSession(): Session {
    return fromPartition('');
  },
  fromPartition,
});
