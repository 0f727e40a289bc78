import type { CreatedKey, CreateKeyBody, Key } from '../../../shared/api/key.ts';
import type { ApiClient } from '../../api/client.ts';
import { Listed } from '../../api/listed.svelte.ts';

type KeyApi = Pick<ApiClient, 'listKeys' | 'createKey' | 'revokeKey' | 'findLocalKey' | 'rotateLocalKey'>;

/** A key's status at a glance. */
export type KeyState = 'in_force' | 'expired' | 'revoked';

export function stateOf(key: Key, now: Date): KeyState {
  if (key.revokedAt !== null) return 'revoked';
  return key.expiresAt !== null && Date.parse(key.expiresAt) <= now.getTime() ? 'expired' : 'in_force';
}

/** The API keys, and the text of the local one while it is shown. All methods reject as the API does. */
export class Keys extends Listed<Key> {
  /** Null while it is hidden: then the page doesn't hold it at all. */
  localKey = $state<string | null>(null);
  readonly #api: KeyApi;

  constructor(api: KeyApi) {
    super(() => api.listKeys());
    this.#api = api;
  }

  /** Creates a key; only the result contains its text. */
  async create(body: CreateKeyBody): Promise<CreatedKey> {
    const created = await this.#api.createKey(body);
    this.put(created.key);
    return created;
  }

  async revoke(keyId: string): Promise<void> {
    this.put(await this.#api.revokeKey(keyId));
  }

  async showLocalKey(): Promise<string> {
    this.localKey = await this.#api.findLocalKey();
    return this.localKey;
  }

  hideLocalKey(): void {
    this.localKey = null;
  }

  /** The local key, to be copied without being shown. */
  readLocalKey(): Promise<string> {
    return this.#api.findLocalKey();
  }

  /** Replaces the local key; the new one stays hidden if the old one was. */
  async rotateLocalKey(): Promise<void> {
    const text = await this.#api.rotateLocalKey();
    if (this.localKey !== null) this.localKey = text;
    await this.refresh();
  }
}
