import type { Model } from '../../shared/api/catalog.ts';
import { readyRehearsalOf } from '../../shared/models.ts';
import { words } from '../lib/words/index.ts';

const BUILT_IN: Readonly<Record<string, string>> = words.composer.modelNames;

/** A model's display name: a built-in one's own, a connected one's as its provider has it. */
export function modelName(model: string): string {
  if (Object.hasOwn(BUILT_IN, model)) return BUILT_IN[model] ?? model;
  const ready = readyRehearsalOf(model);
  if (ready !== null) return words.composer.rehearsalOf(ready.replaceAll('-', ' '));
  // The first part is the connection's slug; ids of models may contain slashes.
  const slash = model.indexOf('/');
  return slash === -1 || slash === model.length - 1 ? model : model.slice(slash + 1);
}

/** The first part of a connected model's name, which is its connection's slug; null: it is built in. */
export function slugOf(model: string): string | null {
  const slash = model.indexOf('/');
  return slash === -1 ? null : model.slice(0, slash);
}

/** Models of one connection. */
export interface ModelGroup {
  /** Its slug; empty: the built-in models. Unique: two connections may have one name. */
  key: string;
  /** Its display name; null: they are built in. */
  connection: string | null;
  models: Model[];
}

/** The models that match a query: the built-in ones, then those of each connection in their order. */
export function groupModels(models: readonly Model[], query = ''): ModelGroup[] {
  const sought = query.trim().toLowerCase().split(/\s+/);
  const groups = new Map<string, ModelGroup>();
  for (const model of models) {
    const held = `${modelName(model.name)} ${model.name} ${model.connection ?? ''}`.toLowerCase();
    if (!sought.every((word) => held.includes(word))) continue;
    const key = slugOf(model.name) ?? '';
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { key, connection: model.connection, models: [model] });
    else group.models.push(model);
  }
  return [...groups.values()].sort((one, other) => Number(one.key !== '') - Number(other.key !== ''));
}

const SUGGESTED = 3;

/**
 * Connected models to suggest: the `preferred` one, if it is connected, then the first of
 * each connection, then the others.
 */
export function suggestedModels(models: readonly Model[], preferred: string): string[] {
  const groups = groupModels(models).filter(({ connection }) => connection !== null);
  const firsts = groups.flatMap((group) => group.models.slice(0, 1));
  const names = [...firsts, ...groups.flatMap((group) => group.models)].map(({ name }) => name);
  const isPreferred = names.includes(preferred);
  return [...new Set([...(isPreferred ? [preferred] : []), ...names])].slice(0, SUGGESTED);
}

/** The key of {@link goneGroup}; can't be a slug. */
export const GONE_KEY = 'gone/';

/** The keys of the groups at the top; can't be slugs. */
export const FAVOURITES_KEY = 'favourites/';
export const RECENT_KEY = 'recent/';

/** A group with one model that isn't available any more. */
export const goneGroup = (heading: string, model: string): ModelGroup => ({
  key: GONE_KEY,
  connection: heading,
  models: [{ name: model, offline: false, connection: null, contextTokens: null, parameters: [] }],
});

/** A query may be a model's name at servers that list no models: one such model for each of them. */
export function typedGroups(servers: readonly { slug: string; name: string }[], query: string): ModelGroup[] {
  const typed = query.trim();
  // A model's name has no blanks, and isn't that long.
  if (typed === '' || /\s/.test(typed) || typed.length > MAX_TYPED_CHARACTERS) return [];
  return servers.map(({ slug, name }) => ({
    key: slug,
    connection: name,
    models: [
      { name: `${slug}/${typed}`, offline: false, connection: name, contextTokens: null, parameters: [] },
    ],
  }));
}

const MAX_TYPED_CHARACTERS = 200;
