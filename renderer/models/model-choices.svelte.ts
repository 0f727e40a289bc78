import { isRehearsal } from '../../shared/models.ts';
import {
  cutGroups,
  goneGroup,
  groupModels,
  modelName,
  slugOf,
  typedGroups,
  type ModelGroup,
} from './model-name.ts';
import { words } from '../lib/words/index.ts';
import type { Catalog } from './catalog.svelte.ts';
import type { ModelServers } from './model-servers.svelte.ts';

/** More models than these are filtered by what is typed. */
const FEW = 8;
/** So many are shown at most. */
const MOST = 200;

/** The models there are, and whether the session may connect others. */
export interface ModelSource {
  catalog: Catalog;
  modelServers: ModelServers;
  isAdmin: boolean;
}

/** What choices work with. */
export interface ModelChoicesDeps extends Omit<ModelSource, 'isAdmin'> {
  /** The model that is chosen now. */
  chosen: () => string;
  /** Rehearsals have a place of their own elsewhere. */
  withoutRehearsals?: boolean;
}

/** The models to choose from, as a list in which one can search and move. */
export class ModelChoices {
  /** What was typed to find one. */
  query = $state('');
  #current = $state<string | null>(null);
  readonly #deps: ModelChoicesDeps;

  constructor(deps: ModelChoicesDeps) {
    this.#deps = deps;
    this.#current = deps.chosen();
  }

  /** Connections whose servers list no models: the names of theirs are typed. */
  readonly #unlisted = $derived.by(() =>
    this.#deps.modelServers.items.filter(({ models }) => models.length === 0),
  );
  readonly #models = $derived.by(() =>
    this.#deps.catalog.models.filter(
      ({ name }) => this.#deps.withoutRehearsals !== true || !isRehearsal(name),
    ),
  );
  readonly #found = $derived.by(() => groupModels(this.#models, this.query));
  /** How many fit. */
  readonly total = $derived.by(() => this.#found.reduce((sum, { models }) => sum + models.length, 0));
  /** By connection, as they are shown. */
  readonly groups: readonly ModelGroup[] = $derived.by(() => [
    ...(this.isGone && this.query.trim() === ''
      ? [goneGroup(words.composer.goneGroup, this.#deps.chosen())]
      : []),
    ...cutGroups(this.#found, MOST, this.#deps.chosen()),
    ...(this.query.trim() === ''
      ? typedGroups(
          this.#unlisted.filter(({ slug }) => slug === slugOf(this.#deps.chosen())),
          modelName(this.#deps.chosen()),
        )
      : typedGroups(this.#unlisted, this.query)),
  ]);
  readonly #names = $derived.by(() => this.groups.flatMap(({ models }) => models.map(({ name }) => name)));

  /** The chosen model can't be had any more. */
  get isGone(): boolean {
    const { catalog, modelServers, chosen } = this.#deps;
    return modelServers.isGone(catalog, chosen());
  }

  /** There are so many, or such, that typing helps. */
  get isFilterable(): boolean {
    return this.#models.length > FEW || this.#unlisted.length > 0;
  }

  /** The model that the arrow keys are at; null: there is none. */
  get current(): string | null {
    const isThere = this.#current !== null && this.#names.includes(this.#current);
    return isThere ? this.#current : (this.#names[0] ?? null);
  }

  /** What there is to say about what is shown; empty: nothing. */
  get note(): string {
    const query = this.query.trim();
    const [first] = this.#unlisted;
    if (query === '' && first !== undefined) return words.composer.typeModel(first.name);
    if (this.#names.length === 0) return words.composer.noModel(query);
    if (this.total <= MOST) return '';
    return words.settings.models.shownOf(String(MOST), this.total.toLocaleString());
  }

  /** Its place in the list. */
  indexOf(model: string): number {
    return this.#names.indexOf(model);
  }

  /** Other words were typed: the first that fits is the current one. */
  reset(): void {
    this.#current = null;
  }

  pointAt(model: string): void {
    this.#current = model;
  }

  /** So many down, around the ends; the new current one. */
  step(by: 1 | -1): string | null {
    const index = this.current === null ? -1 : this.indexOf(this.current);
    return this.#go(this.#names.at((index + by) % this.#names.length));
  }

  toEnd(end: 'first' | 'last'): string | null {
    return this.#go(this.#names.at(end === 'first' ? 0 : -1));
  }

  /** To the next model that begins with the letter. */
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
