import { FUNCTIONS } from '../../../../tools/maths/functions.ts';

const CONSTANTS = ['pi', 'tau', 'e', 'phi', 'deg', 'rad', 'mod', 'x'];
const WORD = /[a-z_][a-z0-9_]*/gi;
const SIGNS = /^[\d\s.,;:+\-−–*/×÷·^%!()[\]<>=≤≥≠°√π½¼¾⅓⅔²³]*$/;

/** Whether a text is a calculation and nothing else: only numbers, operators and known names, with something to work out. */
export function isCalculation(text: string): boolean {
  if (text.includes(':') || !/[\dπ½¼¾]|\bpi\b|\be\b/i.test(text)) return false;
  const variables = new Set([...text.matchAll(/(?:^|;)\s*([a-z])\s*=(?!=)/g)].map((match) => match[1]));
  const known = (word: string): boolean =>
    FUNCTIONS.has(word.toLowerCase()) || CONSTANTS.includes(word.toLowerCase()) || variables.has(word);
  const rest = text
    .replace(/\d+(?:\.\d+)?e[+-]?\d+/gi, '1')
    .replace(WORD, (word) => (known(word) ? ' ' : word));
  if (!SIGNS.test(rest) || !hasOperation(text)) return false;
  return !/(?:^|[^a-z\d])[*/^%]\s*$|[+\-*/^(]\s*$|^\s*[*/^)=]|\d\s+\d/.test(text.trim());
}

function hasOperation(text: string): boolean {
  if (/\b[a-z]\w*\s*\(/i.test(text) || /[√½¼¾²³]|\d\s*!|\d\s*%\s*\*/.test(text)) return true;
  return /[\d)%!a-zπ°]\s*(?:\*\*|[+\-−–*/×÷·^<>≤≥≠%]|==|\bmod\b|\bx\b)\s*[-+−(√]*\s*[\d.(a-zπ]/i.test(text);
}

/** Whether figures and signs are likelier a date, a telephone number, a version or an address than a sum. */
export function isSomethingElse(text: string): boolean {
  const plain = text.trim();
  if (/^\d{1,4}([-/.])\d{1,2}\1\d{1,4}$/.test(plain)) return true;
  if (/^v?\d+(?:\.\d+){2,}/i.test(plain)) return true;
  if (/^\(?\+?\d[\d\s().-]*$/.test(plain) && !/\s[-+]\s/.test(plain))
    return plain.replace(/\D/g, '').length >= 7;
  return /^\d{3,}(?:-\d{2,})+$/.test(plain) || /^\d{4}-\d{2}$/.test(plain);
}
