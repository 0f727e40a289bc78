import { convertUnits } from '../../../tools/maths/convert-units.ts';
import { readQuantity } from '../../../tools/maths/quantity.ts';
import { findUnits, isCurrency } from '../../../tools/maths/unit-names.ts';
import type { Wish, Request, Skill } from '../skill.ts';
import { telling, tellsEach } from '../wording/telling.ts';
import { figures } from './maths/number-words.ts';
import { previousCall } from '../reading/history.ts';
import { groupDigits, plainQuotes, stripAsking } from '../reading/phrases.ts';

const MAX_CHARACTERS = 200;
/** What may stand between a quantity and the unit wanted. */
const TO =
  /\s+(?:(?:is|are|equals?)\s+(?:how (?:many|much)|what in)|in(?:to)?|to|as|equals?)(?=\s)|\s*(?:=|->|→)\s*/gi;
/** "feet in 3 metres", after "how many". */
const UNIT_FIRST =
  /^(.+?)\s+(?:(?:are|is)\s+)?(?:there\s+)?(?:in|is|are|to|per|make|makes|equals?|do|does|of)\s+(.*\d.*?|(?:a|an)\s+.+?)(?:\s+(?:make|equal|have|contain))?$/i;

/** Units of measure. */
export const unitsSkill: Skill = {
  needs: 'the unit converter',
  summary: 'convert units: length, weight, volume, temperature, speed, data and more',
  examples: ['10 km in miles', 'how many feet in 3 metres', '5\'11" in cm', '100 °F in °C', '2 cups in ml'],
  tools: ['convert_units', 'calculate'],
  reads(request) {
    if (request.text.length > MAX_CHARACTERS) return null;
    const text = plainQuotes(request.text).trim();
    return followUp(text, request) ?? fresh(text);
  },
  tells: tellsEach(
    telling(convertUnits, ({ from, to, exact, apart, note }) => {
      const sign = exact ? '=' : '≈';
      const parts = apart === true ? to.map((each) => [each]) : [to];
      const told = parts.map((part) => `**${measures(part)}**`).join(` ${sign} `);
      const answer = `${measures(from)} ${sign} ${told}`;
      return note ? `${answer}\n\n${note}` : answer;
    }),
  ),
};

function fresh(text: string): Wish | null {
  const isCommand = /^(?:please |can you |could you )*(?:convert|change|turn|express)\b/i.test(text);
  const plain = singles(stripAsking(text))
    .replace(/^(?:convert|change|turn|express)\s+/i, '')
    .replace(/^how (?:far|long|heavy|tall|hot|cold|big|fast|wide|deep|high)\s+is\s+/i, '')
    .replace(/^(?:a |an )(?=[a-z])/i, '1 ')
    // The last “in” is the word, the one before it inches: "6 ft 2 in cm".
    .replace(
      /^(\d+ ?(?:ft|feet|foot|')) ?(\d+(?:\.\d+)?) in (?=(?:cm|centimet\w+|m|met\w+|mm)$)/i,
      '$1 $2 inches in ',
    );
  for (const between of [...plain.matchAll(TO)].reverse()) {
    const direct = conversion(
      plain.slice(0, between.index),
      plain.slice(between.index + between[0].length),
      isCommand,
    );
    if (direct) return direct;
  }
  const many = /^(?:how (?:many|much)|(?:the )?number of)\s+(.+)$/i.exec(plain);
  const second = UNIT_FIRST.exec(many?.[1] ?? plain);
  return second && conversion((second[2] ?? '').replace(/^an?\s+/i, '1 '), second[1] ?? '', many !== null);
}

/** Number words before a unit as figures: "in one inch", "half a mile", "a dozen" not among them. */
function singles(text: string): string {
  return figures(text)
    .replace(/\bhalf (?:a|an) (?=[a-z])/gi, '0.5 ')
    .replace(/\b(\d+) and a half (?=[a-z])/gi, '$1.5 ');
}

function conversion(quantity: string, to: string, asked: boolean): Wish | null {
  const target = to
    .replace(/^(?:the |a )/i, '')
    .replace(/\s*\?$/, '')
    .trim();
  const amounts = readQuantity(quantity.replace(/^(?:about|around|roughly|approximately)\s+/i, ''));
  if (
    !amounts ||
    target === '' ||
    new Set(amounts.map(({ unit }) => unit)).size < amounts.length ||
    /\b(?:and|or)\s+(?:in|to|into)\b/i.test(target) ||
    /\d{2,}/.test(target.replace(/100\s*km/i, ''))
  )
    return null;
  // Money is passed on too: the tool says why it can't be done.
  const units = [...amounts.map(({ unit }) => unit), target];
  if (units.some(isCurrency))
    return units.every((unit) => isCurrency(unit) || /^pounds?$/i.test(unit))
      ? { tool: 'convert_units', input: { quantity: quantity.trim(), to: target } }
      : null;
  const sources = amounts.map(({ unit }) => dimensionsOf(unit));
  const targets = targetsOf(target).map(dimensionsOf);
  if ([...sources, ...targets].some((dimensions) => dimensions.size === 0)) return null;
  const fits = [...(sources[0] ?? [])].some((name) =>
    [...sources, ...targets].every((dimensions) => dimensions.has(name)),
  );
  if (!fits && !asked) return null;
  return {
    tool: 'convert_units',
    input: { quantity: quantity.trim(), to: target },
  };
}

function dimensionsOf(unit: string): Set<string> {
  return new Set(
    findUnits(unit.replace(/\bper 100\s*km\b/i, 'per 100km').replace(/\/\s*100\s*km\b/i, '/100km')).map(
      ({ dimension }) => dimension.name,
    ),
  );
}

function targetsOf(target: string): string[] {
  if (dimensionsOf(target).size > 0) return [target];
  const parts = target.split(/\s*(?:,|\+|&|\band\b)\s*|\s+/i).filter((part) => part !== '');
  return parts.length > 1 && parts.length <= 4 ? parts : [target];
}

const AND =
  /^(?:(?:and|what about|how about|ok|okay|now|then|so|or|also|what is (?:that|it|this)|what's (?:that|it|this)|convert (?:that|it|this)|how (?:many|much) is (?:that|it|this)|(?:that|it|this))\b,?\s*)+/i;

/** "and in feet?", "to inches", "what about 20 km?", "how many inches is that?" after a conversion. */
function followUp(text: string, request: Request): Wish | null {
  const last = previousCall(request.history, ['convert_units'], 3);
  const quantity = last?.input['quantity'];
  const to = last?.input['to'];
  if (typeof quantity !== 'string' || typeof to !== 'string') return null;
  const plain = text.replace(/[?.!]+$/, '').trim();
  const inThat = /^(?:and )?how many (.+?) (?:is|are|would) (?:that|it|this)(?: be)?$/i.exec(plain);
  const rest = plain.replace(AND, '');
  const leads = rest !== plain || /^(?:in|to|into|as)\s/i.test(plain);
  if (!leads && !inThat) return null;
  const target = (inThat?.[1] ?? rest.replace(/^(?:in(?:to)?|to|as)\s+/i, '')).replace(/^(?:the )/i, '');
  // "And in a km?" asks how many of the unit before go into one.
  const one = /^an? (.+)$/i.exec(target)?.[1];
  if (one !== undefined) return conversion(`1 ${one}`, to, false);
  if (!/\d/.test(target)) return conversion(quantity, target, false);
  const amounts = readQuantity(singles(target));
  if (!amounts || /\s(?:in|to)\s/i.test(target)) return null;
  const unit = readQuantity(quantity)?.at(-1)?.unit ?? '';
  const whole = amounts.length === 1 && amounts[0]?.unit === '' ? `${target} ${unit}` : target;
  return conversion(whole, to, false);
}

interface Measure {
  value: string;
  unit: string;
}

/** "5 feet 11 inches", "37.8 °C". */
function measures(list: Measure[]): string {
  return list.map(({ value, unit }) => `${groupDigits(value).replace(/^-/, '−')} ${unit}`).join(' ');
}
