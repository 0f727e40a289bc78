/** Recipes for another number of people: every amount of the ingredients by the same factor. */
import { readQuantity } from '../../../tools/maths/quantity.ts';
import { stripCourtesy } from '../reading/courtesy.ts';
import type { SkillReply } from '../skill.ts';

const FROM = String.raw`(?<from>\d{1,3})(?: (?<eaters>[a-z]+))?`;
/** Another word than the recipe's own may say something else: "for 6 weeks". */
const TO = String.raw`(?<to>\d{1,3})(?: (?:people|persons|guests|friends|servings|portions|adults|kids|children|\k<eaters>))?`;
const SCALES = [
  String.raw`^(?:(?:if|an?|my|the|this) )*recipe (?:is )?(?:for|serves|serving|makes) ${FROM},? (?:and )?(?:needs|takes|uses|calls for|has|asks for) (?<list>.+?)[.,;]? (?:and |but )?(?:(?:how much|how many|what)(?: [a-z]+){0,5}|(?:i|we) (?:need|want) it) for ${TO}$`,
  String.raw`^(?:scale|adjust|change|convert|resize) (?:(?:this|the|my|it|recipe) )*(?:from|for) ${FROM} (?:to|for) ${TO}:\s+(?<list>.+)$`,
  String.raw`^(?<times>double|triple|halve) (?:(?:this|the|my) )*recipe:\s+(?<list>.+)$`,
].map((source) => new RegExp(source, 'is'));
const TIMES: Readonly<Record<string, number>> = { double: 2, triple: 3, halve: 0.5 };

/** What an amount is of: a few words, none of which says more than that. */
const STUFF = /^(?!.*\b(?:only|except|without|but|not|per|for|in)\b) ?[\p{L}'’-]+(?: [\p{L}'’-]+){0,4}$/iu;
const MAX_INGREDIENTS = 60;

/** Recipes for more people, or fewer. */
export const recipes: SkillReply = ({ text, material }) => {
  const words = stripCourtesy(text).replace(/(?<![\s?.!:])[\s?.!:]+$/, '');
  const whole = material === null ? words : `${words}: ${material.trim()}`;
  const groups =
    whole.length > 2_000 ? undefined : SCALES.map((each) => each.exec(whole)?.groups).find(Boolean);
  if (groups === undefined) return null;
  const { from, to, times = '', list = '' } = groups;
  const factor = TIMES[times.toLowerCase()] ?? Number(to) / Number(from);
  const items = list.split(/(?<!\s)\s*\n\s*(?:[-*•] )?|,\s+(?:and\s+)?|(?<!\s)\s+and\s+/);
  const lines = items.map((item) => scaled(item.replace(/^[-*•] /, ''), factor));
  const isWhole = lines.length <= MAX_INGREDIENTS && Number.isFinite(factor);
  return isWhole && !lines.includes(null) ? lines.map((line) => `- ${line ?? ''}`).join('\n') : null;
};

/** "450 g pasta" for "300 g pasta" and 1.5; null where no amount stands before it. */
function scaled(item: string, factor: number): string | null {
  const [amount, ...others] = readQuantity(item) ?? [];
  if (amount === undefined || others.length > 0 || amount.value.s <= 0n || !STUFF.test(amount.unit))
    return null;
  const shown = (amount.value.valueOf() * factor).toLocaleString('en', { maximumFractionDigits: 2 });
  return `**${shown}** ${amount.unit}`;
}
