import { attempt } from '../../../../../shared/attempt.ts';
import { readCalculation } from '../../../../tools/maths/evaluate.ts';
import { FUNCTIONS } from '../../../../tools/maths/functions.ts';
import { tidyExpression } from '../../../../tools/maths/notation.ts';

const CONSTANTS = ['pi', 'tau', 'e', 'phi', 'deg', 'rad', 'mod'];
/** A number, a percentage, an angle or a name by itself, whatever its sign: there is nothing to work out. */
const ALONE = /^[-+()\s]*(?:[a-z]\s*=[-+()\s]*)?(?:[\d.]+(?:%| ?deg)?|[a-z]+|\[.*\])[);\s]*$/is;

/** Whether a text is a calculation and nothing else: only numbers, operators and known names, with something to work out. */
export function isCalculation(text: string): boolean {
  const expression = tidyExpression(text);
  const variables = [...expression.matchAll(/(?:^|;)\s*([a-z])\s*=(?!=)/g)].map((match) => match[1]);
  const names = expression.replace(/(?<![a-z_\d])\d+(?:e[+-]?\d+)?/gi, ' ').match(/[\p{L}_]\w*\(?/gu) ?? [];
  const isKnown = (name: string): boolean =>
    (name.endsWith('(') && FUNCTIONS.has(name.slice(0, -1).toLowerCase())) ||
    [...CONSTANTS, ...variables].includes(name.replace('(', '').toLowerCase());
  if (!names.every(isKnown) || ALONE.test(expression) || /\d\s+\d/.test(expression)) return false;
  return attempt(() => readCalculation(expression, { degrees: false })) !== null;
}

/** "2026-11-29", "25/12/2026". */
const DATE =
  /(?<![\d/.-])(?:(?:19|20)\d\d([-/])(?:0?[1-9]|1[0-2])\1(?:0?[1-9]|[12]\d|3[01])|\d{1,2}([-/])\d{1,2}\2(?:19|20)\d\d)(?![\d/])/;

/** Whether figures and signs are likelier a date, a telephone number, a version, an address or hexadecimal than a sum. */
export function isSomethingElse(text: string): boolean {
  const plain = text.trim();
  if (/^\d{1,4}([-/.])\d{1,2}\1\d{1,4}$/.test(plain)) return true;
  // A date or a row of a table among other things is no sum.
  if (/\t/.test(plain) || DATE.test(plain)) return true;
  if (/^v?\d+(?:\.\d+){2,}|\b0x[\da-f]/i.test(plain)) return true;
  if (/^\(?\+?\d[\d\s().-]*$/.test(plain) && !/\s[-+]\s/.test(plain))
    return plain.replace(/\D/g, '').length >= 7;
  return /^\d{3,}(?:-\d{2,})+$/.test(plain) || /^\d{4}-\d{2}$/.test(plain);
}
