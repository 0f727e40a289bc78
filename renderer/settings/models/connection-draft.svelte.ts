import type {
  Connection,
  ConnectionTest,
  CreateConnectionBody,
  FoundServer,
  Provider,
  TestConnectionBody,
  UpdateConnectionBody,
} from '../../../shared/api/connection.ts';
import { isLoopback } from '../../../shared/model-addresses.ts';
import { factsOf } from '../../../shared/providers.ts';
import { completeAddress } from '../../lib/complete-address.ts';
import { addressOf, hostOf } from '../../models/model-addresses.ts';
import { HEADER_NAME, SecretRows, type SecretRowFault } from '../servers/secret-rows.svelte.ts';
import { PRESETS, type PresetName } from './presets.ts';
import { TestedDraft } from '../servers/tested-draft.svelte.ts';

/** Why it can't be tested or saved yet. */
export type DraftFault =
  | 'no_provider'
  | 'no_address'
  | 'address'
  | 'key'
  | 'key_elsewhere'
  | 'first_word'
  | SecretRowFault
  | 'secrets_elsewhere';

const ADDRESS = /^https?:\/\/[^\s?#@]+$/i;
const KEY = /^[\x21-\x7e]+$/;

/** A connection being edited: a new one, or changes to an existing one. */
export class ConnectionDraft extends TestedDraft<ConnectionTest> {
  /** Null: it is a new one. */
  readonly existing: Connection | null;
  provider = $state<Provider | null>(null);
  /** The service that was chosen for an OpenAI-compatible one; null: another. */
  preset = $state<PresetName | null>(null);
  name = $state('');
  address = $state('');
  /** A new key. The service never returns the stored one, so this starts empty. */
  key = $state('');
  /** The stored key is to be removed. */
  dropsKey = $state(false);
  readonly headers: SecretRows;
  /** For how many minutes to wait for the first word of a reply; empty: as long as usual. */
  firstWordMinutes = $state('');
  /** A model to test with a short question, too, by the provider's name for it. */
  model = $state('');
  /** For a new one: new chats start with one of its models. */
  isForNewChats = $state(true);
  /** Which, by the provider's name for it; empty: the first that it lists. */
  newChatModel = $state('');
  /** What it began with. */
  #offered: string;

  /** `at`: a server that was found, which fills in a new connection. */
  constructor(existing: Connection | null, at: FoundServer | null = null) {
    super();
    this.existing = existing;
    this.headers = new SecretRows(existing?.headerNames);
    if (at !== null) {
      this.choose(at.provider);
      this.name = at.name;
      this.address = at.baseUrl;
    }
    this.#offered = this.signature;
    if (existing === null) return;
    this.provider = existing.provider;
    this.name = existing.name;
    const { firstWordSeconds } = existing;
    this.firstWordMinutes = firstWordSeconds === undefined ? '' : String(firstWordSeconds / 60);
    this.address = addressOf(existing.provider, existing.baseUrl);
  }

  /** Starts over with a provider: its usual address, and no key or headers that were meant for another. */
  choose(provider: Provider, preset: PresetName | null = null): void {
    if (provider === this.provider && preset === this.preset) return;
    this.provider = provider;
    this.preset = preset;
    this.address = preset === null ? (factsOf(provider).address ?? '') : PRESETS[preset].address;
    this.key = '';
    this.headers.fill([]);
    this.model = '';
    this.newChatModel = '';
    this.#offered = this.signature;
  }

  get #address(): string {
    return completeAddress(this.address).replace(/(?<!\/)\/+$/, '');
  }

  /** In the API's form: null stands for the provider's usual address. */
  get #baseUrl(): string | null {
    const usual = this.provider === null ? null : factsOf(this.provider).address;
    return this.#address === '' || this.#address === usual ? null : this.#address;
  }

  /** Null: it can be tested and saved. */
  get fault(): DraftFault | null {
    if (this.provider === null) return 'no_provider';
    if (this.#address === '' && factsOf(this.provider).address === null) return 'no_address';
    if (this.#address !== '' && (!ADDRESS.test(this.#address) || this.host === null)) return 'address';
    if (this.key.trim() !== '' && !KEY.test(this.key.trim())) return 'key';
    if (this.#movesKey) return 'key_elsewhere';
    const fault = this.headers.fault(HEADER_NAME, true);
    const seconds = this.#firstWordSeconds;
    if (seconds !== null && !(seconds >= 10 && seconds <= 3_600)) return 'first_word';
    return fault ?? (this.#hasMoved && this.headers.keepsAny ? 'secrets_elsewhere' : null);
  }

  /** The stored key would go to a server it wasn't entered for. */
  get #movesKey(): boolean {
    return this.#hasMoved && this.hasKey && !this.dropsKey && this.key.trim() === '';
  }

  /** It points to another server than before. */
  get #hasMoved(): boolean {
    const { existing } = this;
    if (existing === null) return false;
    const originOf = (baseUrl: string | null): string | undefined =>
      URL.parse(addressOf(existing.provider, baseUrl))?.origin;
    return originOf(existing.baseUrl) !== originOf(this.#baseUrl);
  }

  /** The host that messages would go to; null: not known yet. */
  get host(): string | null {
    return this.provider === null ? null : hostOf(addressOf(this.provider, this.#baseUrl));
  }

  /** The name if none is entered; a compatible server is named after its host. */
  get usualName(): string {
    if (this.existing !== null) return this.existing.name;
    if (this.provider === null) return '';
    if (this.#service !== null) return this.#service.title;
    const { isFormat, title } = factsOf(this.provider);
    return isFormat === true ? (this.host ?? '') : title;
  }

  /** The chosen service, as long as its address stands. */
  get #service(): (typeof PRESETS)[PresetName] | null {
    const service = this.preset === null ? null : PRESETS[this.preset];
    return service?.address === this.#address ? service : null;
  }

  /** The address is on this computer. */
  get isHere(): boolean {
    return this.provider !== null && isLoopback(addressOf(this.provider, this.#baseUrl));
  }

  /** Requests could be read on the way. */
  get isPlain(): boolean {
    return this.host !== null && !this.isHere && /^http:/i.test(this.#address);
  }

  /** A key is stored, and stays unless it is replaced or removed. */
  get hasKey(): boolean {
    return this.existing !== null && this.existing.key !== 'none';
  }

  /** The provider always requires a key. */
  get needsKey(): boolean {
    return this.#service !== null || (this.provider !== null && factsOf(this.provider).isService);
  }

  /** It needs a key, and there is none. */
  get lacksKey(): boolean {
    return this.needsKey && this.key.trim() === '' && !(this.hasKey && !this.dropsKey);
  }

  /** Closing would lose changes. */
  get isTouched(): boolean {
    if (this.existing !== null) return Object.keys(this.changes).length > 0;
    return this.name.trim() !== '' || this.signature !== this.#offered;
  }

  /** Body of the request that creates it. */
  get creation(): CreateConnectionBody {
    const name = this.name.trim() || (this.#service?.title ?? '');
    return {
      provider: this.provider ?? 'openai_compatible',
      ...(name !== '' && { name }),
      baseUrl: this.#baseUrl,
      apiKey: this.key.trim() === '' ? null : this.key.trim(),
      ...this.#newHeaders,
      ...this.#patience(null),
    };
  }

  /** Body of the request that changes it: only what differs. */
  get changes(): UpdateConnectionBody {
    const { existing } = this;
    const name = this.name.trim();
    return {
      ...(name !== '' && name !== existing?.name && { name }),
      ...this.#access(existing),
      ...this.#patience(existing),
    };
  }

  #patience(existing: Connection | null): Pick<UpdateConnectionBody, 'firstWordSeconds'> {
    const firstWordSeconds = this.#firstWordSeconds;
    return firstWordSeconds === (existing?.firstWordSeconds ?? null) ? {} : { firstWordSeconds };
  }

  get #firstWordSeconds(): number | null {
    const minutes = this.firstWordMinutes.trim().replace(',', '.');
    return minutes === '' ? null : Math.round(Number(minutes) * 60);
  }

  /** Body of the request that tests it. */
  get trial(): TestConnectionBody {
    const { existing } = this;
    const model = this.model.trim();
    return {
      ...(existing === null
        ? {
            provider: this.creation.provider,
            baseUrl: this.#baseUrl,
            apiKey: this.creation.apiKey ?? null,
            ...this.#newHeaders,
          }
        : { connectionId: existing.id, ...this.#access(existing) }),
      ...(model !== '' && { model }),
    };
  }

  get #newHeaders(): Pick<CreateConnectionBody, 'headers'> {
    return this.headers.isEmpty ? {} : { headers: this.headers.values };
  }

  #access(existing: Connection | null): Pick<UpdateConnectionBody, 'baseUrl' | 'apiKey' | 'headers'> {
    const key = this.key.trim();
    const headers = this.headers.changes(true);
    return {
      ...(this.#baseUrl !== (existing?.baseUrl ?? null) && { baseUrl: this.#baseUrl }),
      ...(key !== '' ? { apiKey: key } : this.dropsKey && { apiKey: null }),
      ...(headers !== null && { headers }),
    };
  }

  protected override get signature(): string {
    const { provider, key, dropsKey, model, headers } = this;
    return JSON.stringify([provider, this.#address, key, dropsKey, headers.signature, model.trim()]);
  }
}
