import { findUnits } from '../../../../tools/maths/unit-names.ts';
import { plainQuotes, stripAsking } from '../../reading/phrases.ts';
import { currenciesIn, figures, withoutCurrency } from './number-words.ts';
import { isCalculation, isSomethingElse } from './shape.ts';
import { pretty } from './format.ts';
import { translate } from './translate.ts';

const MAX_CHARACTERS = 160;
/** Words that change a sum, or may. */
const CHANGES =
  /\b(?:percent\w*|plus|minus|times|twice|half|double|each|apiece|per|every|more|less|fewer|than|over|under|most|least|with(?:out)?|except|only|not|no|another|tip|tax|vat|gst|discount|interest|sum|difference|numbers|negative)\b/;
/** Words around a sum. */
const AROUND = /(?<![\p{L}\p{N}_.])\p{L}[\p{L}']*(?![\p{L}\p{N}_(])/gu;

/** The sum that words nearly say; null: none. The person confirms it, since a free reading is wrong too often. */
export function nearSum(message: string): string | null {
  if (message.length > MAX_CHARACTERS || currenciesIn(message).size > 1) return null;
  const words = withoutCurrency(stripAsking(figures(plainQuotes(message))).toLowerCase());
  const units = Array.from(words.matchAll(/\d ?([a-z]+)/g), ([, unit = '']) => findUnits(unit)[0]?.unit);
  // A time of day is no sum, nor are 10 m and 5 min, nor 5 km and 300 m.
  if (/\d:\d/.test(words) || new Set(units).size > 1) return null;
  const sum = translate(words);
  if (CHANGES.test(sum)) return null;
  const bare = sum
    .replace(AROUND, ' ')
    .replace(/[?!,;:]/g, ' ')
    .trim();
  const isSum = isCalculation(bare) && !isSomethingElse(bare) && !/^\d+\/\d+$|%\s+\d|[<>=]/.test(bare);
  return isSum ? pretty(bare) : null;
}
