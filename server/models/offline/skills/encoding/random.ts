/** UUIDs, passwords, dice, coins and lots: all of a request's words must be understood. */
import { MAX_DRAWS } from '../../../../tools/encoding-random.ts';
import { COUNT, countIn } from '../../reading/counts.ts';
import { previousCall } from '../../reading/history.ts';
import { isList, readOrders } from '../../reading/orders.ts';
import { Words } from '../../reading/words.ts';
import type { Request, Wish } from '../../skill.ts';
import { itemsOf } from '../text/orders.ts';

const NUMBER = '-?\\d{1,12}';
const MANNER =
  '(?:generate|new|random(?:ly)?|fresh|strong|secure|safe|good|v4|another|pick|choose|think|at random|for me|roll|throw|flip|toss)';
const AGAIN =
  /^(?:again|another(?: one)?|one more|(?:(?:give me|and) )*(?<count>\d{1,3}|two|three|four|five) more|(?:roll|flip|toss|generate|pick)(?: (?:it|that|one))? again|a new one|a different one)[\s?.!]*$/i;
const RANDOM_TOOLS = ['generate_uuid', 'generate_password', 'random_numbers', 'random_choice'];

type Reader = (asked: Words) => { tool: string; input: Record<string, unknown> } | null;

/** How many, where it isn't one. */
const several = (count: number): { count?: number } => (count > 1 ? { count } : {});

const READERS: readonly Reader[] = [
  (asked) => {
    const named = asked.take(`(?:(?<count>${COUNT}) )?(?:(?:new|random|v4) )*(?:uu|gu)id(?<many>s)?`);
    return (
      named && {
        tool: 'generate_uuid',
        input: { count: countIn(named['count'], named['many'] ? 3 : 1) },
      }
    );
  },
  (asked) => {
    const long = asked.take(
      '(?:of |with |at )?(?<length>\\d{1,3})[- ](?:characters?|chars?|(?<letters>letters?)|long)(?: long)?|of length (?<of>\\d{1,3})|of (?<bare>\\d{1,3})',
    );
    const named = asked.take(`(?:(?<count>${COUNT}) )?(?:(?:new|random|strong|secure) )*password(?<many>s)?`);
    if (named === null) return null;
    const isLettersOnly =
      asked.take('(?:with )?(?:only letters|letters only)') !== null || long?.['letters'] !== undefined;
    const none = '(?:without|with no|no|nor|or|and) (?:any )?';
    const digits = asked.take(`,? ?${none}(?:digits|numbers)`) !== null;
    const symbols = asked.take(`,? ?${none}(?:symbols|special characters|punctuation)`) !== null;
    const alsoDigits = asked.take(`,? ?${none}(?:digits|numbers)`) !== null;
    const length = long?.['length'] ?? long?.['of'] ?? long?.['bare'];
    return {
      tool: 'generate_password',
      input: {
        ...(length !== undefined && { length: Number(length) }),
        ...((symbols || isLettersOnly) && { symbols: false }),
        ...((digits || alsoDigits || isLettersOnly) && { digits: false }),
        ...several(countIn(named['count'], named['many'] ? 3 : 1)),
      },
    };
  },
  (asked) => {
    const named = asked.take(
      `(?:flip|toss) (?:(?<count>${COUNT}) )?coins?(?: (?<times>\\d{1,3}|twice|two|three|four|five|ten)(?: times)?)?|heads or tails`,
    );
    if (named === null) return null;
    const count = countIn(named['times'] ?? named['count'], 1);
    return {
      tool: 'random_choice',
      input: { options: ['heads', 'tails'], ...(count > 1 && { count, repeat: true }) },
    };
  },
  (asked) => {
    const named = asked.take(
      `(?:roll|throw) (?:the )?(?:(?<count>${COUNT}) )?(?:(?<sides>\\d{1,4})[- ]sided )?(?<what>dice|die)(?: (?<times>\\d{1,3}|twice|two|three)(?: times)?)?|(?:roll|throw) (?:an? )?(?<number>\\d{1,3})?d(?<faces>\\d{1,4})`,
    );
    if (named === null) return null;
    const isTwo = named['what']?.toLowerCase() === 'dice' && named['times'] === undefined;
    const count = countIn(named['times'] ?? named['count'] ?? named['number'], isTwo ? 2 : 1);
    const maximum = Math.max(2, Number(named['sides'] ?? named['faces'] ?? 6));
    return { tool: 'random_numbers', input: { minimum: 1, maximum, ...several(count) } };
  },
  (asked) => {
    // Without "random", "pick" or the like, "numbers from 1 to 10" are a list.
    if (!/\b(?:random(?:ly)?|pick|choose)\b/i.test(asked.left)) return null;
    const named = asked.take(
      `(?:(?<count>${COUNT}) )?(?:random )?(?:whole )?(?:number|integer)(?<many>s)?(?: at random)?(?:,? (?:between|from|in) (?<low>${NUMBER}) ?(?:and|to|-|–) ?(?<high>${NUMBER})| up to (?<most>\\d{1,12}))?`,
    );
    if (named === null) return null;
    const [low, high] = [Number(named['low'] ?? 1), Number(named['high'] ?? named['most'] ?? 100)];
    const count = countIn(named['count'], named['many'] ? 5 : 1);
    return {
      tool: 'random_numbers',
      input: { minimum: Math.min(low, high), maximum: Math.max(low, high), ...several(count) },
    };
  },
];

/** A number that is beyond what the tools make, as it was said; null: there is none. */
function tooMuch({ count = 1, length = MIN_LENGTH }: Record<string, unknown>): string | null {
  if (Number(count) < 1 || Number(count) > MAX_DRAWS) return String(count);
  return Number(length) < MIN_LENGTH || Number(length) > MAX_LENGTH ? String(length) : null;
}
const [MIN_LENGTH, MAX_LENGTH] = [6, 256];

/** Talk of them rather than an order. */
const TALKS =
  /^(?:what|which|who|how|why|is|are|do|does|when|where|i (?!want|need|['’]d))\b|\b(?:my|your|our|remember|change|says?) |\bthe (?!dice)/i;

/** Recognises "3 uuids", "a 20 character password without symbols", "roll 2 dice", "pick one: tea, coffee", "another one". */
export function readRandom(request: Request): Wish | null {
  const { text, history } = request;
  if (text.length < 200 && !TALKS.test(text))
    for (const read of READERS) {
      const asked = new Words(text);
      const wish = read(asked);
      if (wish === null) continue;
      asked.takeAll(MANNER);
      const unused = asked.unused() ?? tooMuch(wish.input);
      return unused === null ? wish : { ...wish, unused };
    }
  const drawn = readOrders(DRAWS, request);
  if (drawn !== null) return drawn;
  const again = AGAIN.exec(text);
  const previous = again && previousCall(history, RANDOM_TOOLS);
  if (!previous) return null;
  const more = again.groups?.['count'];
  const count = more !== undefined && { count: countIn(more, 1) };
  const repeat = count && previous.tool === 'random_choice' && { repeat: true };
  return { tool: previous.tool, input: { ...previous.input, ...count, ...repeat } };
}

/** "Tea or coffee", "tea, coffee and water". */
const optionsOf = (text: string): string[] =>
  itemsOf(text.replace(/[?.!]+$/, '').replace(/,? (?:or|and) /gi, ', '));
const isChoice = (text: string): boolean => isList(text) || /\S (?:or|and) \S/.test(text);

const DRAWS = [
  {
    tool: 'random_choice',
    named: `(?:randomly )?(?:pick|choose)(?: (?<count>${COUNT}))?(?: (?:items?|names?|at random|randomly))*(?: (?:of|from|between|among|out of))?`,
    bare: isChoice,
    how: (_asked: Words, { count }: Record<string, string | undefined>) => ({ count: countIn(count, 1) }),
    input(text: string, { count }: Record<string, unknown>) {
      const options = optionsOf(text);
      const isTooFew = options.length < 2 || options.length > 10_000 || Number(count) > options.length;
      return isTooFew ? null : { options, ...several(Number(count)) };
    },
  },
];
