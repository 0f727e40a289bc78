import { withThousands } from '../../../../shared/numbers.ts';
import { attempt } from '../../../../shared/attempt.ts';
import { convertUnits } from '../../../tools/maths/convert-units.ts';
import { readQuantity } from '../../../tools/maths/quantity.ts';
import { findUnits, isCurrency } from '../../../tools/maths/unit-names.ts';
import { fieldsOf, listOf, textOf } from '../../../lib/fields.ts';
import type { ToolContext } from '../../../tools/tool.ts';
import type { ToolRequest, Request, OfflineSkill } from '../skill.ts';
import { formatting, formatEach } from '../wording/formatting.ts';
import { figures } from './maths/number-words.ts';
import { previousCall, type PreviousCall } from '../reading/history.ts';
import { plainQuotes, stripAsking } from '../reading/phrases.ts';

const MAX_CHARACTERS = 200;

/** Units of measure. */
export const unitsSkill: OfflineSkill = {
  needs: 'the unit converter',
  summary: 'convert units: length, weight, volume, temperature, speed, data and more',
  examples: `10 km in miles | how many feet in 3 metres | 5'11" in cm | 100 °F in °C | 2 cups in ml`,
  tools: ['convert_units', 'calculate'],
  parse(request) {
    if (request.text.length > MAX_CHARACTERS) return null;
    const text = plainQuotes(request.text).trim();
    return followUp(text, request) ?? fresh(text);
  },
  format: formatEach(
    formatting(convertUnits, ({ from, to, exact, apart, note }) => {
      const sign = exact ? '=' : '≈';
      const parts = apart === true ? to.map((each) => [each]) : [to];
      const sum = parts.map((part) => `**${measures(part)}**`).join(` ${sign} `);
      const answer = `${measures(from)} ${sign} ${sum}`;
      return note ? `${answer}\n\n${note}` : answer;
    }),
  ),
};

/** Number words before a unit as figures: "in one inch", "half a mile", "two and a half miles". */
const inFigures = (text: string): string =>
  figures(text)
    .replace(/\bhalf an? (?=[a-z])/gi, '0.5 ')
    .replace(/\b(\d+) and a half (?=[a-z])/gi, '$1.5 ')
    .replace(/(?<=^|\b(?:in|is|are|make) )an? (?=[a-z])/gi, '1 ');

/** What may stand between a quantity and the unit wanted. */
const TO = / (?:is how (?:many|much)|in(?:to)?|to|as|equals?)(?= )|(?<!\s)\s*(?:=|->|→)\s*/gi;
/** "How many feet are there in 3 metres". */
const UNIT_FIRST =
  /^(?:how (?:many|much)|(?:the )?number of) (.+?)(?: (?:are|is))?(?: there)? (?:in|is|are|make) (.+)$/i;

/** "My flat is 1500 sq ft, what is that in m2": an amount, and the unit it is wanted in. */
const FORMATS =
  /^([^\d,.]{1,40}) (\d[^,;]*?)[,;.] (?:and )?(?:what(?:'s|s| is)|how (?:many|much) is) (?:that|it|this) in (?:to )?(\S.{0,30})$/i;

function fresh(text: string): ToolRequest | null {
  const plain = inFigures(stripAsking(text))
    .replace(/^how (?:far|long|heavy|tall|hot|cold|big|fast|wide|deep|high) is /i, '')
    .replace(/^(\d+ (?:stone|st) [\d.]+)(?= (?:in|to)\b)/i, '$1 lb')
    // The last “in” is the word, the one before it inches: "6 ft 2 in cm".
    .replace(/^(\d+ ?(?:ft|feet|foot|') ?[\d.]+) in (?=(?:cm|centimet\w+|m|met\w+|mm)$)/i, '$1 inches in ');
  const [, sum = '', amount = '', wanted = ''] = FORMATS.exec(plain) ?? [];
  if (amount !== '' && !/\b(?:half|double|twice|per|each|every|plus|minus|times|more|less)\b/i.test(sum))
    return conversion(amount, wanted);
  const order = plain.replace(/^(?:convert|change|turn|express) /i, '');
  if (CENTS.test(order)) return null;
  const [, unit, quantity] = UNIT_FIRST.exec(plain) ?? [];
  if (unit !== undefined && quantity !== undefined) return conversion(quantity, unit, true);
  const targets = [...order.matchAll(TO)].reverse();
  return targets.reduce<ToolRequest | null>(
    (found, { index, 0: between }) =>
      found ?? conversion(order.slice(0, index), order.slice(index + between.length), order !== plain),
    null,
  );
}

/** A hundred to one: no matter of exchange rates, which is all that the tool would say. */
const CENTS = /^(?:[$€£].*|.*(?:dollars?|euros?|pounds?)) (?:in|to|into) (?:cents|pence|pennies)$/i;

/** Whether it can be converted doesn't depend on where the person is. */
const ANYWHERE = {} as ToolContext;

/** The conversion, where the tool can do it; and where it can only say why not, if it `isOrder` or about money. */
function conversion(amount: string, unit: string, isOrder = false): ToolRequest | null {
  const to = unit.replace(/^(?:the|an?) /i, '').trim();
  const quantity = amount.replace(/^(?:about|around|roughly|approximately) /i, '').trim();
  const given = readQuantity(quantity)?.map((each) => each.unit) ?? [];
  // "5 km and 10 km to miles" and "miles and in feet" are two of them, and "miles in km" is another one.
  if (to === '' || new Set(given).size < Math.max(given.length, 1) || /\bin(?:to)? /i.test(to)) return null;
  const toolRequest = { tool: convertUnits.name, input: { quantity, to } };
  const units = [...given, to];
  const isMoney =
    units.some(isCurrency) && units.every((each) => isCurrency(each) || /^pounds?$/i.test(each));
  const areUnits = isOrder && units.every((each) => findUnits(each).length > 0);
  const canBe = (): boolean => attempt(() => convertUnits.run(toolRequest.input, ANYWHERE)) !== null;
  return isMoney || areUnits || canBe() ? toolRequest : null;
}

const LEAD =
  /^(?:(?:and|what about|how about|ok|okay|now|then|so|or|also|(?:(?:what(?:'s| is)|how (?:many|much) is|convert) )?(?:that|it|this)|in(?:to)?|to|as)\b,?\s*)+/i;

/** "and in feet?", "to inches", "what about 20 km?", "how many inches is that?" after a conversion. */
function followUp(text: string, request: Request): ToolRequest | null {
  const last = previousCall(request.history, [convertUnits.name], 3);
  const [quantity, to] = [quantityOf(last), textOf(last?.input['to'])];
  const asked = text.replace(/(?<![?.!])[?.!]+$/, '');
  const [only, ...more] = quantity === null ? [] : (readQuantity(quantity) ?? []);
  if (/^(?:and |now )*(?:the )?(?:other way (?:a)?round|reverse|vice versa)$/i.test(asked) && to !== null)
    return only && more.length === 0 ? conversion(`${only.value.toString()} ${to}`, only.unit) : null;
  const phrase = asked
    .replace(/^(?:and )?how many (.+?) (?:is|are|would) (?:that|it|this)(?: be)?$/i, 'in $1')
    .replace(LEAD, '');
  if (quantity === null || to === null || phrase === asked) return null;
  // "And in a km?" asks how many of the unit before go into one.
  const amount = inFigures(phrase);
  if (!/\d/.test(amount)) return conversion(quantity, phrase);
  const unit = readQuantity(quantity)?.at(-1)?.unit ?? '';
  return conversion(readQuantity(amount)?.[0]?.unit === '' ? `${amount} ${unit}` : amount, to);
}

/** What was converted, in the unit that it was read in: a C beside another C would be a cup. */
function quantityOf(last: PreviousCall | null): string | null {
  const given = textOf(last?.input['quantity']);
  const [from, ...more] = listOf(last?.output['from']) ?? [];
  const [amount] = given === null ? [] : (readQuantity(given) ?? []);
  const unit = textOf(fieldsOf(from)['unit']);
  return amount === undefined || unit === null || more.length > 0
    ? given
    : `${amount.value.toString()} ${unit}`;
}

/** "5 feet 11 inches", "37.8 °C". */
const measures = (list: { value: string; unit: string }[]): string =>
  list.map(({ value, unit }) => `${withThousands(value).replace(/^-/, '−')} ${unit}`).join(' ');
