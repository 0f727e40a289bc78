/** How the model of a chat is reached: looked up when a turn begins, and never kept. */
import type { TurnErrorCode } from '../../shared/errors.ts';
import type { ModelAccess } from '../models/connected.ts';
import { isModelName } from '../models/names.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { findConnectionPlace, type ConnectionPlace } from '../store/connection-repository.ts';
import type { Store } from '../store/types.ts';
import { readKey } from './connection-key.ts';
import { splitModelName } from './slug.ts';

/** What a look-up found. `refused`: no turn can be made with that model; the message says what to do. */
export type ResolvedAccess =
  | { kind: 'built_in' }
  | { kind: 'connected'; access: ModelAccess }
  | { kind: 'refused'; code: TurnErrorCode; message: string };

/** Looks up how the model of that name is reached. Never rejects for want of a model or key. */
export type ResolveAccess = (model: string) => Promise<ResolvedAccess>;

/**
 * Looks models up in the connections of a store. Whether the server offers the model is for it to say: the list of its
 * models may be old.
 */
export function createResolveAccess(store: Store, secrets: Pick<Secrets, 'read'>): ResolveAccess {
  return async (model) => {
    if (isModelName(model)) return { kind: 'built_in' };
    const parts = splitModelName(model);
    if (parts === null) return unknownModel(model);
    for (;;) {
      const place = store.read((reader) => findConnectionPlace(reader, parts.slug));
      if (place === null) return unknownModel(model);
      const key = await readKey(secrets, place);
      // A key must never go to an address that it wasn't given for: the connection may have moved meanwhile.
      const now = store.read((reader) => findConnectionPlace(reader, parts.slug));
      if (!isSamePlace(place, now)) continue;
      if (key.state === 'locked') return refusedKey(`The key of ${place.name} can’t be used. ${key.reason}`);
      if (key.state === 'absent' && place.hasKey) {
        return refusedKey(`The key of ${place.name} is no longer there; enter it again in the settings.`);
      }
      const { provider, baseUrl } = place;
      const apiKey = key.state === 'present' ? key.text : null;
      return { kind: 'connected', access: { provider, baseUrl, apiKey, modelId: parts.modelId } };
    }
  };
}

const isSamePlace = (one: ConnectionPlace, other: ConnectionPlace | null): boolean =>
  other !== null && one.id === other.id && one.baseUrl === other.baseUrl && one.hasKey === other.hasKey;

const refusedKey = (message: string): ResolvedAccess => ({
  kind: 'refused',
  code: 'model_key_refused',
  message,
});

const unknownModel = (model: string): ResolvedAccess => ({
  kind: 'refused',
  code: 'model_not_found',
  message: `The model “${model}” is not connected any more; choose another one for this chat.`,
});
