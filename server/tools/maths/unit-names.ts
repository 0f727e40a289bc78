import { DIMENSIONS, type Dimension, type Unit } from './unit-table.ts';

/** A unit together with what it measures. */
interface KnownUnit {
  unit: Unit;
  dimension: Dimension;
}

interface Named extends KnownUnit {
  /** Whether it was its own full name that matched: then no British measure takes its place. */
  byName: boolean;
}

const asWritten = new Map<string, Named[]>();
const inAnyCase = new Map<string, Named[]>();
const byName = new Map<string, Unit>();

for (const dimension of DIMENSIONS) {
  for (const unit of dimension.units) {
    byName.set(unit.singular, unit);
    for (const name of [unit.singular, unit.plural])
      register(inAnyCase, name.toLowerCase(), { unit, dimension, byName: true });
    for (const alias of unit.aliases) {
      const named = { unit, dimension, byName: false };
      if (alias === alias.toLowerCase()) register(inAnyCase, alias, named);
      else register(asWritten, alias, named);
    }
  }
}

function register(map: Map<string, Named[]>, name: string, named: Named): void {
  const known = map.get(name);
  if (known) known.push(named);
  else map.set(name, [named]);
}

/** All units a word may stand for ("m": metres or minutes), best first; empty when it is none. */
export function findUnits(text: string, british = false): KnownUnit[] {
  const name = text
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/(?<=per |\/) ?100 ?km$/i, '100 km')
    .replace(/(?<=[a-z])\.$/i, '');
  // A megametre is no millimetre.
  const anyCase = /^M[glms]$/.test(name) ? [] : (inAnyCase.get(name.toLowerCase()) ?? []);
  const found = [...(asWritten.get(name) ?? []), ...anyCase];
  return found.map(({ unit, dimension, byName: own }) => {
    const other = british && !own && unit.british ? byName.get(unit.british) : undefined;
    return { unit: other ?? unit, dimension };
  });
}

const CURRENCY =
  /^(?:[$€£¥₹₩₽]|us\s?\$|a\$|usd|eur|gbp|jpy|cny|inr|chf|aud|cad|nzd|sek|nok|dkk|pln|czk|huf|brl|mxn|zar|krw|rub|try|sgd|hkd|thb|btc|eth|(?:us |australian |canadian )?dollars?|bucks?|euros?|(?:british )?pounds? sterling|sterling|british pounds?|quid|yen|yuan|renminbi|rupees?|(?:swiss )?francs?|kron(?:a|or|e|er)|zloty|pesos?|rand|won|roubles?|rubles?|lira|bitcoins?|cents?)$/i;

/** Whether the word is money of some kind; "pounds" alone is a weight. */
export function isCurrency(text: string): boolean {
  return CURRENCY.test(text.trim());
}
