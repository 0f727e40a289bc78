import type { Model } from '../../shared/api/catalog.ts';
import { words } from '../lib/words/index.ts';
import type { IconName } from '../ui/icons.ts';

/** What a model's server says it can do. */
export type Ability = 'pictures' | 'tools' | 'reasoning';

const ICONS: Readonly<Record<Ability, IconName>> = { pictures: 'eye', tools: 'wrench', reasoning: 'thought' };
const ABILITIES = Object.keys(ICONS) as Ability[];

/** The abilities that are known of a model, with their icons. */
export const abilitiesOf = (model: Model): { ability: Ability; icon: IconName }[] =>
  ABILITIES.filter((ability) => model[ability] === true).map((ability) => ({
    ability,
    icon: ICONS[ability],
  }));

const compact = new Intl.NumberFormat(undefined, { notation: 'compact' });

/** A context size in a few characters, such as `128K`. */
export const shortCount = (tokens: number): string => compact.format(tokens);

/** The same, and the context size, in words; empty: nothing is known. */
export function describeAbilities(model: Model): string {
  const { abilities, contextOf } = words.composer;
  const known = abilitiesOf(model).map(({ ability }) => abilities[ability]);
  return [
    ...known,
    ...(model.contextTokens === null ? [] : [contextOf(shortCount(model.contextTokens))]),
  ].join(', ');
}
