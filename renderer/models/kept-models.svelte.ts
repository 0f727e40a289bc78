import { lasting } from '../lib/storage.ts';
import { toggled } from '../lib/toggled.ts';

const FAVOURITES_AS = 'models.favourites';
const RECENT_AS = 'models.recent';
const MAX_RECENT = 3;

/** The models that a person marked, and those chosen last, newest first; kept by the browser. */
export class KeptModels {
  favourites = $state.raw(readNames(FAVOURITES_AS));
  recent = $state.raw(readNames(RECENT_AS));

  /** Marks a model, or takes the mark away. */
  toggle(name: string): void {
    this.favourites = toggled(this.favourites, name, !this.favourites.includes(name));
    lasting.write(FAVOURITES_AS, JSON.stringify(this.favourites));
  }

  noteChosen(name: string): void {
    const others = this.recent.filter((other) => other !== name);
    this.recent = [name, ...others].slice(0, MAX_RECENT);
    lasting.write(RECENT_AS, JSON.stringify(this.recent));
  }
}

function readNames(storedAs: string): readonly string[] {
  const stored = lasting.readJson(storedAs);
  return Array.isArray(stored) ? stored.filter((name) => typeof name === 'string') : [];
}
