/** Key management, apart from HTTP. */
import { randomBytes } from 'node:crypto';
import type {
  CreatedKey,
  CreateKeyBody,
  Key,
  UpdatedKey,
  UpdateKeyBody,
  Webhook,
} from '../../shared/api/key.ts';
import { readName } from '../lib/clean-name.ts';
import { createSequence } from '../lib/sequence.ts';
import { AppError, invalidField } from '../errors.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { readWebhook, webhookSecretName } from '../net/webhook-address.ts';
import type { StoredKey } from '../store/key-repository.ts';
import { WINDOW_CALLER } from './caller.ts';
import type { KeyRing } from './key-ring.ts';
import { LOCAL_KEY_NAME } from './local-key.ts';

/** Dependencies of a key service. */
export interface KeyServiceDeps {
  keys: KeyRing;
  hasWorkspace: (id: string) => boolean;
  /** Where the secrets of webhooks are kept. */
  secrets: Pick<Secrets, 'write' | 'remove'>;
  clock: () => Date;
}

export type KeyService = ReturnType<typeof createKeyService>;

/** As Standard Webhooks recommends: 24 to 64. */
const WEBHOOK_SECRET_BYTES = 32;
/** Names of callers that aren't keys people made. */
const RESERVED_NAMES = [WINDOW_CALLER, LOCAL_KEY_NAME].map((name) => name.toLowerCase());
const ISO_TIME = /^\d{4}-(\d\d)-(\d\d)T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/i;

/** Manages the keys of a key ring. Writes reject with AppError when the store refuses. */
export function createKeyService({ keys, hasWorkspace, secrets, clock }: KeyServiceDeps) {
  /** A webhook is a row and a secret, so webhooks are set one after the other. Revoking a key waits for none of them. */
  const sequence = createSequence();

  async function setWebhook(id: string, webhook: Webhook | null): Promise<UpdatedKey> {
    const wanted = webhook && readWebhook(webhook);
    const webhookSecret = wanted && `whsec_${randomBytes(WEBHOOK_SECRET_BYTES).toString('base64')}`;
    if (webhookSecret !== null) await secrets.write(webhookSecretName(id), webhookSecret);
    const changed = await keys.setWebhook(id, wanted);
    // Null: the key was revoked meanwhile.
    if (webhookSecret === null || changed === null) await secrets.remove(webhookSecretName(id));
    if (changed === null) throw new AppError('key_not_found');
    return { key: toKey(changed), ...(webhookSecret !== null && { webhookSecret }) };
  }

  return {
    /** All keys ever created, oldest first. */
    list: (): Key[] => keys.list().map(toKey),
    /** Creates a key and returns its text, only this once. Throws AppError `invalid_request` and `workspace_not_found`. */
    async create({
      name,
      scope = 'chat',
      reach = false,
      approve = false,
      workspaceId = null,
      expiresAt = null,
      webhook = null,
    }: CreateKeyBody): Promise<CreatedKey> {
      // Refused before there is a key.
      if (webhook !== null) readWebhook(webhook);
      const cleaned = readName(name);
      if (RESERVED_NAMES.includes(cleaned.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ')))
        throw invalidField('name', `"name" must not be "${cleaned}", which is what Parley calls its own.`);
      if (workspaceId !== null && !hasWorkspace(workspaceId)) throw new AppError('workspace_not_found');
      const { text, stored } = await keys.create({
        kind: 'person',
        name: cleaned,
        scope,
        reach,
        approve,
        workspaceId,
        expiresAt: expiresAt === null ? null : readExpiry(expiresAt, clock()),
      });
      if (webhook === null) return { key: toKey(stored), apiKey: text };
      try {
        return { apiKey: text, ...(await setWebhook(stored.id, webhook)) };
      } catch (error) {
        // Nobody ever gets this key.
        await keys.revoke(stored.id);
        throw error;
      }
    },
    /** Changes a key; AppError `key_not_found` when there is none in force, `invalid_request` for an address that isn't allowed. */
    update: (id: string, { webhook }: UpdateKeyBody): Promise<UpdatedKey> =>
      sequence.run(async () => {
        const found = keys.list().find((key) => key.id === id && key.revokedAt === null);
        if (found === undefined) throw new AppError('key_not_found');
        return webhook === undefined ? { key: toKey(found) } : setWebhook(id, webhook);
      }),
    /**
     * Revokes a key; one revoked before is returned as it is. Null: there is none. Throws AppError
     * `conflict` for the local key, which can only be rotated.
     */
    async revoke(id: string): Promise<Key | null> {
      const found = keys.list().find((key) => key.id === id);
      if (found === undefined) return null;
      if (found.revokedAt !== null) return toKey(found);
      if (found.kind === 'local') {
        throw new AppError(
          'conflict',
          'The local key cannot be revoked, because tools on this computer need one; rotate it instead.',
        );
      }
      const revoked = await keys.revoke(id);
      if (found.webhook !== null) await secrets.remove(webhookSecretName(id));
      return revoked && toKey(revoked);
    },
    /** A key by its digest, even if it is no longer valid; null: there never was one. */
    findByDigest(digest: string): Pick<Key, 'id' | 'name' | 'kind'> | null {
      const key = keys.list().find((other) => other.digest === digest);
      return key === undefined ? null : { id: key.id, name: key.name, kind: key.kind };
    },
  };
}

/** A key without its digest. */
function toKey({ digest: _, webhook, ...key }: StoredKey): Key {
  return { ...key, ...(webhook !== null && { webhook }) };
}

/** The time in UTC. `Date.parse` takes 30 February for a day in March, so the day is checked separately. */
function readExpiry(text: string, now: Date): string {
  const [, month, day] = ISO_TIME.exec(text) ?? [];
  const ms = Date.parse(text);
  const lastDay = new Date(Date.UTC(Number(text.slice(0, 4)), Number(month), 0)).getUTCDate();
  if (Number.isNaN(ms) || day === undefined || Number(day) > lastDay) {
    throw invalidField(
      'expiresAt',
      '"expiresAt" must be an ISO 8601 time like "2030-12-31T23:59:59Z", or null.',
    );
  }
  if (ms <= now.getTime()) {
    throw invalidField('expiresAt', '"expiresAt" must be in the future.');
  }
  return new Date(ms).toISOString();
}
