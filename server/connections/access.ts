/** How to reach the model of a chat: looked up when a turn begins, and never stored. */
import type { TurnErrorCode } from '../../shared/errors.ts';
import type { ModelAccess } from './model-access.ts';
import { isModelName } from './model-names.ts';
import { openRow } from '../secrets/row-secrets.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { findConnectionAccess } from '../store/connection-repository.ts';
import type { Store } from '../store/types.ts';
import { CREDENTIALS, credentialsOf } from './credentials.ts';
import { contextTokensOf, takesPictures } from './known-models.ts';
import { splitModelName } from '../lib/slug.ts';
import type { FindRoute } from '../net/route.ts';
import { baseAddressOf } from './server-address.ts';

/** The result of a look-up. `refused`: no turn is possible with that model; the message says what to do. */
export type ResolvedAccess =
  | { kind: 'built_in' }
  | { kind: 'connected'; access: ModelAccess }
  | { kind: 'refused'; code: TurnErrorCode; message: string };

/** Looks up how to reach the model of that name. A missing model or key is a result, not a rejection. */
export type ResolveAccess = (model: string) => Promise<ResolvedAccess>;

/** Looks models up in a store's connections, not in their lists, which may be old: the server decides what it offers. */
export function createResolveAccess(
  store: Store,
  secrets: Pick<Secrets, 'read'>,
  findRoute: FindRoute,
): ResolveAccess {
  return async (model) => {
    if (isModelName(model)) return { kind: 'built_in' };
    const parts = splitModelName(model);
    if (parts === null) return unknownModel(model);
    const opened = await openRow(CREDENTIALS, secrets, () =>
      store.read((reader) => findConnectionAccess(reader, parts.slug)),
    );
    if (opened === null) return unknownModel(model);
    const { kept } = opened;
    const { name, provider, baseUrl, hasKey, firstWordSeconds } = opened.row;
    if (kept.state === 'locked') {
      const what = hasKey ? 'key' : 'headers';
      return refusedKey(`The ${what} of ${name} can’t be used. ${kept.reason}`);
    }
    const credentials = credentialsOf(kept.values);
    if (credentials.apiKey === null && hasKey) {
      return refusedKey(`The key of ${name} is no longer there; enter it again in the settings.`);
    }
    const [contextTokens, pictures] = store.read((reader) => [
      contextTokensOf(reader, model),
      takesPictures(reader, model),
    ]);
    return {
      kind: 'connected',
      access: {
        provider,
        baseUrl,
        ...credentials,
        modelId: parts.modelId,
        ...(contextTokens !== null && { contextTokens }),
        ...(pictures !== null && { pictures }),
        ...(firstWordSeconds !== null && { firstWordSeconds }),
        route: await findRoute(baseAddressOf({ provider, baseUrl })),
      },
    };
  };
}

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
