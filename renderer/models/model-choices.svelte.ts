import type { Model } from '../../shared/api/catalog.ts';
import { isRehearsal } from '../../shared/models.ts';
import { KeptModels } from './kept-models.svelte.ts';
import {
  FAVOURITES_KEY,
  goneGroup,
  groupModels,
  modelName,
  RECENT_KEY,
  slugOf,
  typedGroups,
  type ModelGroup,
} from './model-name.ts';
import { words } from '../lib/words/index.ts';
import type { Catalog } from './catalog.svelte.ts';
import type { ModelServers } from './model-servers.svelte.ts';

/** Longer lists can be filtered by typing. */
const FEW = 8;

/** The available models, and whether the session may connect others. */
export interface ModelSource {
  catalog: Catalog;
  modelServers: ModelServers;
  isAdmin: boolean;
}

/** The models to choose from, as a list to search and move in. */
export class ModelChoices {
  /** The text of the filter. */
  query = $state('');
  readonly kept = new KeptModels();
  #current = $state<string | null>(null);
  readonly #source: ModelSource;
  readonly #chosen: () => string;

  constructor(source: ModelSource, chosen: () => string) {
    this.#source = source;
    this.#chosen = chosen;
    this.#current = chosen();
  }

  /** Connections whose servers list no models: their models' names are typed. */
  readonly #unlisted = $derived.by(() =>
    this.#source.modelServers.items.filter(({ models }) => models.length === 0),
  );
  /** All but rehearsals, which are offered to developers elsewhere. */
  readonly #models = $derived.by(() => this.#source.catalog.models.filter(({ name }) => !isRehearsal(name)));
  /** The favourites, then those used last if there are many, then by connection. Each model is listed once. */
  readonly groups: readonly ModelGroup[] = $derived.by(() => [
    ...(this.isGone && this.query.trim() === '' ? [goneGroup(words.composer.goneGroup, this.#chosen())] : []),
    ...this.#listed(),
    ...(this.query.trim() === ''
      ? typedGroups(
          this.#unlisted.filter(({ slug }) => slug === slugOf(this.#chosen())),
          modelName(this.#chosen()),
        )
      : typedGroups(this.#unlisted, this.query)),
  ]);
  readonly #names = $derived.by(() => this.groups.flatMap(({ models }) => models.map(({ name }) => name)));

  #listed(): ModelGroup[] {
    if (this.query.trim() !== '') return groupModels(this.#models, this.query);
    const { favourites, recent } = this.kept;
    const withNames = (names: readonly string[]): Model[] =>
      names.flatMap((name) => this.#models.find((model) => model.name === name) ?? []);
    const { favourites: marked, recent: used } = words.composer;
    const top = [
      { key: FAVOURITES_KEY, connection: marked, models: withNames(favourites) },
      {
        key: RECENT_KEY,
        connection: used,
        models: this.isFilterable ? withNames(recent.filter((name) => !favourites.includes(name))) : [],
      },
    ].filter(({ models }) => models.length > 0);
    const taken = top.flatMap(({ models }) => models);
    return [...top, ...groupModels(this.#models.filter((model) => !taken.includes(model)))];
  }

  /** The chosen model isn't available any more. */
  get isGone(): boolean {
    const { catalog, modelServers } = this.#source;
    return modelServers.isGone(catalog, this.#chosen());
  }

  /** There are many, or some whose names must be typed. */
  get isFilterable(): boolean {
    return this.#models.length > FEW || this.#unlisted.length > 0;
  }

  /** The model the arrow keys are at; null: none. */
  get current(): string | null {
    const isThere = this.#current !== null && this.#names.includes(this.#current);
    return isThere ? this.#current : (this.#names[0] ?? null);
  }

  /** A sentence about the list; empty: none. */
  get note(): string {
    const query = this.query.trim();
    const [first] = this.#unlisted;
    if (query === '' && first !== undefined) return words.composer.typeModel(first.name);
    return this.#names.length === 0 ? words.composer.noModel(query) : '';
  }

  indexOf(model: string): number {
    return this.#names.indexOf(model);
  }

  /** The filter changed: the first match is the current one. */
  reset(): void {
    this.#current = null;
  }

  pointAt(model: string): void {
    this.#current = model;
  }

  /** Moves down by that many, wrapping around; returns the new current one. */
  step(by: 1 | -1): string | null {
    const index = this.current === null ? -1 : this.indexOf(this.current);
    return this.#go(this.#names.at((index + by) % this.#names.length));
  }

  toEnd(end: 'first' | 'last'): string | null {
    return this.#go(this.#names.at(end === 'first' ? 0 : -1));
  }

  /** Moves to the next model that starts with the letter. */
  jump(letter: string): string | null {
    const from = this.current === null ? 0 : this.indexOf(this.current) + 1;
    const inOrder = [...this.#names.slice(from), ...this.#names.slice(0, from)];
    return this.#go(inOrder.find((name) => modelName(name).toLowerCase().startsWith(letter.toLowerCase())));
  }

  #go(to: string | undefined): string | null {
    if (to === undefined) return null;
    this.#current = to;
    return to;
  }
}
