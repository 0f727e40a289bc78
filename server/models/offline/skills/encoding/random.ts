/** UUIDs, passwords, dice, coins and lots. */
import { MAX_DRAWS } from '../../../../tools/encoding-random.ts';
import { MAX_UUIDS } from '../../../../tools/encoding-uuid.ts';
import type { Wish, Request } from '../../skill.ts';
import { COUNT, countIn, matchFirst, subjectOf, type Ask, templates } from '../../reading/ask.ts';
import { previousCall } from '../../reading/history.ts';
import { itemsOf } from '../text/lists.ts';

const MAKE =
  '(?:generate|make|create|give me|get(?: me)?|i need|i want|need|show me|produce|suggest|new|random|come up with)';
const QUALITY =
  '(?:(?:new|random|fresh|strong|secure|safe|good|unique|long|complex|nice|really|very|more|v4|version 4|another|different) ){0,4}';
const LONG =
  '(?:(?<length>\\d{1,3})[-\\s](?:characters?|chars?|letters?|digits?|symbols?)(?:[-\\s]long)?,? )?';

const UUID = templates(`
  (?:${MAKE} )?(?:me )?(?:(?<count>${COUNT}) )?${QUALITY}(?:uuid|guid)(?:s|['’]s)?(?: v4| version 4)?(?: now)?
`);
const PASSWORD = templates(`
  ${MAKE}(?: me)? (?:(?<count>${COUNT}) )?${QUALITY}${LONG}${QUALITY}passwords?(?<options>(?:,| (?:of|with|without|that|which|having|using|no|excluding|including|for|and|containing|at|it|long)).{0,120})?
  (?:(?<count>${COUNT}) )?${QUALITY}(?<length>\\d{1,3})[-\\s](?:characters?|chars?|letters?)(?:[-\\s]long)?,? ${QUALITY}passwords?(?<options>(?:,| (?:of|with|without|that|which|having|using|no|excluding|including|for|and|containing)).{0,120})?
  (?:an? )?(?:(?:new|random|strong|secure) ){1,3}passwords?(?<options>(?:,| (?:of|with|without|no)).{0,120})?
  passwords? generator
  password(?<options> (?:of|with|without) .{0,120})
`);
const COIN = templates(`
  (?:please )?(?:flip|toss|throw) (?:(?<count>${COUNT}) )?(?:fair )?coins?(?: (?<times>\\d{1,3}|twice|two|three|four|five|ten|once)(?: times)?)?(?: for me)?
  heads or tails
`);
const DICE = templates(`
  (?:roll|throw|cast|toss) (?:(?:the|some|my) )?(?:(?<count>${COUNT}) )?(?:(?<sides>\\d{1,4})[-\\s]sided )?(?:fair )?(?:dice|die|d6s?)(?: (?<times>\\d{1,3}|twice|once|two|three|four|five|ten)(?: times)?)?(?: for me)?
  (?:roll|throw)(?: (?:me|an?|the))? ?(?<count>\\d{1,3})? ?d(?<sides>\\d{1,4})
  (?<count>\\d{1,2})?d(?<sides>4|6|8|10|12|20|100)
`);
const NUMBER = '-?\\d{1,12}';
const NUMBERS = templates(`
  (?:(?:${MAKE}|pick|choose|draw|tell me|think of|what is|give)(?: me)? )?(?:(?<count>${COUNT}) )?(?:random )?(?:whole |integer )?(?:numbers?|integers?)(?: at random)?,? (?:between|from|in the range(?: of| from)?|in) (?<low>${NUMBER}) ?(?:and|to|through|-|–|\\.\\.) ?(?<high>${NUMBER})(?: at random)?
  (?:(?:${MAKE}|pick|choose|draw|tell me|give)(?: me)? )?(?:(?<count>${COUNT}) )?random (?:whole )?(?:numbers?|integers?)(?: (?:up to|below|under) (?<high>\\d{1,12}))?
`);
const CHOICE = templates(`
  (?:randomly )?(?:pick|choose|select|draw) (?:(?<count>${COUNT}) )?(?:random |of )?(?:one|winners?|items?|names?|options?|lines?|things?)?(?: (?:at random|randomly))?(?: (?:from|of|among|between|out of))? {}
  (?:randomly (?:pick|choose|select)|(?:pick|choose|select) randomly)(?: (?:from|between|among|one of))? {}
`);
const SHUFFLE = templates(`
  (?:shuffle|randomi[sz]e|scramble|mix up)(?: the order of)? {}
  (?:put|list|bring) {} (?:in|into) (?:a )?random order
`);
const AGAIN =
  /^(?:again|another(?: one)?|one more(?: time)?|once more|(?:give me |and )?(?<count>\d{1,3}|two|three|four|five|ten|a few) more|(?:roll|flip|toss|throw|generate|draw|pick|do (?:it|that))(?: (?:it|that|one))? (?:again|once more)|and again|a new one|a different one|new one|re-?roll)[\s?.!]*$/i;

/** Recognises requests for random values; nothing here needs material but a choice. */
export function recogniseRandom(ask: Ask): Wish | null {
  const words = ask.words.length > 200 && ask.material === null ? '' : ask.words;
  if (words === '') return null;
  return (
    uuid(words) ??
    password(words) ??
    coin(words) ??
    dice(words) ??
    numbers(words) ??
    choice(ask) ??
    shuffle(ask) ??
    again(words, ask.request)
  );
}

function uuid(words: string): Wish | null {
  const groups = matchFirst(words, UUID);
  const count = countIn(groups?.['count'], /uu?ids|guids|['’]s/i.test(words) ? 3 : 1);
  return groups && { tool: 'generate_uuid', input: { count: bounded(count, MAX_UUIDS) } };
}

function password(words: string): Wish | null {
  const groups = matchFirst(words, PASSWORD);
  if (
    groups === null ||
    /\bmy password\b|\band (?:an? |\d+ )?(?:uu?id|guid|pin|coin|random|dice)/i.test(words) ||
    // More than the tool does.
    /\b(?:words?|syllables?|exactly|at (?:least|most)|vowels?|consonants?|start\w*|begin\w*|end(?:s|ing)|pronounc\w+|remember|memor\w+|must|repeat\w*)\b|\b(?:two|three|four|five|\d) (?:digits|numbers|symbols)\b/i.test(
      words,
    )
  )
    return null;
  const count = bounded(
    countIn(groups['count'], /passwords\b/i.test(words) && !/generator/i.test(words) ? 3 : 1),
    MAX_DRAWS,
  );
  const options = passwordOptions(words, groups['length']);
  return { tool: 'generate_password', input: { ...options, ...(count > 1 && { count }) } };
}

const LENGTH =
  /\b(\d{1,3})[-\s]?(?:characters?|chars?|letters?|symbols? long|long|digits long)\b|\b(?:length (?:of |is |= ?)?|of |to )(\d{1,3})\b/i;
const NO =
  '(?:without|no|excluding|except|not|never)(?: any)?(?: (?:symbols?|digits?|numbers?|special|punctuation|characters?),?(?: or| and)?){0,3}';
const NO_SYMBOLS = new RegExp(
  `\\b(?:${NO} (?:symbols?|special|punctuation)|only letters|letters only|letters and (?:numbers|digits) only|alphanumeric(?:al)?)\\b`,
  'i',
);
const NO_DIGITS = new RegExp(
  `\\b(?:${NO} (?:digits?|numbers?)|(?:letters only|only letters)\\b(?! and))`,
  'i',
);

function passwordOptions(words: string, named?: string): Record<string, unknown> {
  const [, before, after] = LENGTH.exec(words) ?? [];
  const length = named ?? before ?? after;
  return {
    ...(length !== undefined && { length: Math.min(256, Math.max(6, Number(length))) }),
    ...(NO_SYMBOLS.test(words) && { symbols: false }),
    ...(NO_DIGITS.test(words) && { digits: false }),
  };
}

function coin(words: string): Wish | null {
  const groups = matchFirst(words, COIN);
  if (groups === null) return null;
  const count = bounded(countIn(groups['count'], 1) * countIn(groups['times'], 1), MAX_DRAWS);
  return {
    tool: 'random_choice',
    input: { options: ['heads', 'tails'], ...(count > 1 && { count, repeat: true }) },
  };
}

function dice(words: string): Wish | null {
  const groups = matchFirst(words, DICE);
  if (groups === null) return null;
  const usual =
    /\bdice\b/i.test(words) && !/\b(?:a|the) dice\b/i.test(words) && groups['times'] === undefined ? 2 : 1;
  const count = bounded(countIn(groups['count'], usual) * countIn(groups['times'], 1), MAX_DRAWS);
  const sides = Math.max(2, Number(groups['sides'] ?? 6));
  return {
    tool: 'random_numbers',
    input: { minimum: 1, maximum: sides, ...(count > 1 && { count }) },
  };
}

function numbers(words: string): Wish | null {
  const groups = matchFirst(words, NUMBERS);
  // Without "random", "pick" or the like, "numbers from 1 to 10" are a list.
  if (groups === null || !/\b(?:random(?:ly)?|pick|choose|draw|think of|give me an?)\b/i.test(words))
    return null;
  const low = Number(groups['low'] ?? 1);
  const high = Number(groups['high'] ?? 100);
  const count = bounded(countIn(groups['count'], /numbers|integers/i.test(words) ? 5 : 1), MAX_DRAWS);
  return {
    tool: 'random_numbers',
    input: { minimum: Math.min(low, high), maximum: Math.max(low, high), ...(count > 1 && { count }) },
  };
}

function choice(ask: Ask): Wish | null {
  if (!/pick|choose|select|draw/i.test(ask.words.slice(0, 40))) return null;
  const groups = matchFirst(ask.words, CHOICE);
  if (groups === null) return null;
  const isRandom = /\brandom(?:ly)?\b/i.test(ask.words);
  const subject = subjectOf(groups['rest'], ask, {
    accepts: (rest) =>
      /,| or | and /.test(rest) && (isRandom || /\b(?:from|between|among|one|out of)\b/i.test(ask.words)),
    isGuess: !isRandom,
    history: isRandom,
  });
  if (subject === null) return null;
  const options = itemsOf(
    subject.text.replace(/[?.!]+$/, '').replace(/^([^,\n]{1,80}) (?:or|and) ([^,\n]{1,80})$/i, '$1, $2'),
    '',
  );
  if (options.length < 2 || options.length > 10_000) return null;
  const count = Math.min(bounded(countIn(groups['count'], 1), MAX_DRAWS), options.length);
  return {
    tool: 'random_choice',
    input: { options, ...(count > 1 && { count }) },
    isGuess: subject.isGuess,
  };
}

function shuffle(ask: Ask): Wish | null {
  const groups = matchFirst(ask.words, SHUFFLE);
  const subject = groups && subjectOf(groups['rest'], ask, { accepts: (rest) => rest.includes(',') });
  const options = subject === null ? [] : itemsOf(subject.text.replace(/[?.!]+$/, ''), '');
  if (subject === null || options.length < 2 || options.length > MAX_DRAWS) return null;
  return { tool: 'random_choice', input: { options, count: options.length }, isGuess: subject.isGuess };
}

const RANDOM_TOOLS = ['generate_uuid', 'generate_password', 'random_numbers', 'random_choice'];

/** "Another one", "3 more", "roll again". */
function again(words: string, { history }: Request): Wish | null {
  const previous = words.length > 80 ? null : previousCall(history, RANDOM_TOOLS);
  if (previous === null) return null;
  const match = AGAIN.exec(words);
  if (match === null) return null;
  const more = match.groups?.['count'];
  const count = more !== undefined && { count: bounded(countIn(more, 1), MAX_DRAWS) };
  const repeat = count && previous.tool === 'random_choice' && { repeat: true };
  return { tool: previous.tool, input: { ...previous.input, ...count, ...repeat } };
}

function bounded(count: number, most: number): number {
  return Math.min(Math.max(1, count), most);
}
