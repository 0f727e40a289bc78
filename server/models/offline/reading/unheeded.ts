/**
 * Finds words that limit what was asked and that a skill passed over: "where city is Rome", "top 2", "by last name". A skill's patterns
 * can't know them all, so each such phrase is taken out and the skill is asked again: when it wants the very same call
 * without it, the phrase made no difference, and the answer would be to another request than the one that was made.
 */
import { findQuotations, maskText } from './marks.ts';
import { withText, type Wish, type Request, type Skill } from '../skill.ts';

const NUMBER = '(?:\\d+|one|two|three|four|five|six|seven|eight|nine|ten)';
const ORDINAL =
  '(?:\\d+(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|penultimate|middle)';

/** How limiting phrases begin; they go on to the end of their clause. */
const PHRASES = [
  // Which of them.
  '(?:but |and )?(?:where|whose|having|except(?: for)?|excluding|ignoring|skipping|omitting|unless|without|not|nor|only)|but|(?<!tell me |check |see |know |wonder )if',
  '(?:that|which|who) (?:is|are|was|were|has|have|had|does|do|don.t|can|could|i can|you can|start|begin|end|contain|include|mention|match|come|occur|appear|look|sound)s?',
  'contain(?:s|ing)?|includ(?:es?|ing)|mention(?:s|ing)?|match(?:es|ing)?|(?:start|begin|beginn|end)(?:s|ing)? (?:with|in|at|by)',
  '(?:and |with )?no(?= \\p{L})',
  'instead of|other than|apart from|rather than|and (?:keep|take|skip|ignore|leave|drop)',
  // How many, how large, when.
  `(?:top|bottom|first|last|next|every|all but) (?:${NUMBER}|other|second|third)`,
  '(?:more|less|fewer|greater|larger|bigger|smaller|higher|lower|longer|shorter|older|newer|earlier|later|cheaper) than|at (?:least|most)|exactly|up to',
  'over|under|above|below|beyond|within|between|after|before|since|until|from (?:last|yesterday|today|this (?:week|month|year)|the (?:last|past))|[<>=≥≤]+',
  // How.
  'per|for (?:each|every|all)|for|by|group(?:ed|ing)? by|then|according to|based on|depending on|using|with',
  '(?:in|as|to|into) (?:base ?64|hex|binary|octal|roman|words)',
  'in (?:french|german|spanish|italian|portuguese|dutch|latin|russian|chinese|japanese|arabic|hindi|polish|turkish|english)',
];
/** Limiting words that stand by themselves. */
const WORDS = [
  `${ORDINAL}(?= (?!then\\b)[\\p{L}-]+)`,
  '(?:even|odd|negative|positive|missing|empty|blank|capital|upper-?case|lower-?case|unique|distinct|different|repeated|duplicated?|consecutive|remaining)(?= \\p{L})',
  '(?:each|every) (?:other|line|item|sentence|paragraph|row|second|third)',
  `in (?:reverse|descending|ascending)(?: order)?|backwards?|(?:as|de)scending|(?:${NUMBER}|several|many) times|twice|thrice|case[- ](?:in)?sensitive(?:ly)?|ignoring case`,
];
const about = (sources: readonly string[]): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}_'’-])(?:${sources.join('|')})(?![\\p{L}\\p{N}'’])`, 'giu');
const PHRASE = about(PHRASES);
const WORD = about(WORDS);

/** Where a phrase may end: at the next small word, at the end of its clause. */
const CLAUSE_END = /[,:;?!\n]|\.(?=\s|$)|$/;
const ENDS = [
  /\s(?:from|in|of|to|into|as|and|then|by|for|with|on|out of)(?=\s|$)|[,:;?!\n]|\.(?=\s|$)|$/,
  CLAUSE_END,
  // Before a quotation, or JSON.
  /\s_{2}|$/,
];
/** Further on there is hardly anything but material. */
const MAX_CHARACTERS = 300;
const MAX_TRIES = 16;

/** What they say is done anyway, or is courtesy. */
const IS_USUAL =
  /^(?:by (?:name|alphabet|number)s?|for (?:me|us|free|now|it|that|this|these|them|the (?:following|above)|(?:this|that|the|my) (?:text|list|table|csv|json|data|file|lines?|paragraph|sentence|article|word))\b.*|for (?:my|our|an?)\b.*|without changing .*|above|below|with (?:you|(?:this|these|that|the following)\b.*)|then|but|with|for|by|not|only|(?:in )?ascending(?: order)?)$/iu;

/** The first phrase of a request that the skill passed over when it came to this intent; null: it heeded them all. */
export function unheededPhrase(skill: Skill, request: Request, intent: Wish): string | null {
  const words = wordsThatAsk(request);
  const masked = maskText(words);
  const wanted = wantedBy(intent);
  const said = saidBy(intent);
  const stray = strayItem(intent);
  if (stray !== null) return stray;
  for (const { from, until } of limits(masked)) {
    const phrase = words.slice(from, until).trim();
    if (IS_USUAL.test(phrase) || isAboutMaterial(phrase, request)) continue;
    if (isTakenAsMaterial(phrase, masked, request, intent)) return phrase;
    if (isSaid(phrase, said)) continue;
    const rest = `${words.slice(0, from)} ${words.slice(until)}`
      .replace(/\s+/g, ' ')
      .replace(/ (?=[:,.?!]|$)/g, '');
    const again = skill.reads(withText(request, rest.trim() + request.text.slice(words.length)));
    if (again !== null && wantedBy(again) === wanted) return `${phrase}${goesOn(words, masked, until)}`;
  }
  return null;
}

/** " and weight over 3" after "where city is Rome": what is not done is named whole. */
function goesOn(words: string, masked: string, from: number): string {
  const rest = masked.slice(from);
  return /^\s(?:and|or)\s/i.test(rest) ? words.slice(from, from + rest.search(CLAUSE_END)) : '';
}

/** Whether what a phrase names is what the whole request is about: 'for "zebra"'. */
const isAboutMaterial = (phrase: string, { material }: Request): boolean =>
  material !== null && findQuotations(phrase).some(({ content }) => content === material);

/** The words that ask, from the start of a request. */
function wordsThatAsk({ text }: Request): string {
  const start = text.slice(0, MAX_CHARACTERS);
  const end = maskText(start).search(/:\s|:$|\n/);
  return end < 0 ? start : start.slice(0, end);
}

/** Where limiting phrases are, each in the ways it may end. */
function limits(masked: string): { from: number; until: number }[] {
  const phrases = [...masked.matchAll(PHRASE)].flatMap(({ index, 0: opening }) => {
    const after = index + opening.length;
    return ENDS.map((end) => ({ from: index, until: after + masked.slice(after).search(end) }));
  });
  const single = [...masked.matchAll(WORD)].map(({ index, 0: word }) => ({
    from: index,
    until: index + word.length,
  }));
  return [...phrases, ...single].slice(0, MAX_TRIES);
}

/** Tools that work on a list or look for words: "a, b but not c" isn't an item of theirs. */
const TAKES_ITEMS = new Set([
  'sort_list',
  'remove_duplicates',
  'random_choice',
  'format_list',
  'search_messages',
]);
const STRAY =
  /(?:[.!?;]\s+|\s)(?<more>(?:(?:but|and|then|only|except|please) )+(?:leave|take|keep|skip|drop|ignore|show|give|get|only|don['’]t|not|put|the (?:first|last)).*)$/is;
/** What is said of a result: it is no part of a text that stands without quotation marks. */
const QUALIFIES =
  /^(?:without|excluding|except|ignoring|skipping|omitting|(?:in|as|to|into) (?:base|hex|bin|oct)|where|instead)/i;
const LEAVES_OUT =
  /^(?:(?:but |and )?(?:not|only|except|excluding|without|ignoring|skipping|omitting)|but)\s+(?<what>.+)$|^with (?:a |the )?(?<salt>salt|secret|pepper)\b/isu;

/** A sentence that was taken for an item of a list: "b, a, c. But leave out a." */
function strayItem({ tool, input }: Wish): string | null {
  const items = TAKES_ITEMS.has(tool) ? Object.values(input).flat() : [];
  return items.flatMap((item) => STRAY.exec(String(item))?.groups?.['more'] ?? [])[0] ?? null;
}

/** Whether a phrase of the words that ask went into what a tool is to work on: "b from: a", "pears apples" for "pears but not apples". */
function isTakenAsMaterial(
  phrase: string,
  masked: string,
  { text, material }: Request,
  { tool, input }: Wish,
): boolean {
  if (material?.includes(phrase) === true) return false;
  const strings = Object.values(input)
    .flat()
    .filter((value) => typeof value === 'string');
  const { salt, what } = LEAVES_OUT.exec(phrase)?.groups ?? {};
  if (salt !== undefined) return true;
  if (what !== undefined && TAKES_ITEMS.has(tool)) return strings.some((value) => value.includes(what));
  // "b, a backwards": the end of the last item says how.
  if (TAKES_ITEMS.has(tool) && strings.some((value) => value.endsWith(` ${phrase}`))) return true;
  if (QUALIFIES.test(phrase) && strings.some((value) => value.includes(phrase))) return true;
  const isApart = material !== null || text.length > masked.length || masked.includes('__');
  const start = /\s/.test(phrase) ? phrase : `${phrase} `;
  return isApart && strings.some((value) => value.includes(start));
}

/** Whether the tool's input says the same: "by the length" where it sorts by length, "between 1 and 100" where these are its bounds. */
function isSaid(phrase: string, said: ReadonlySet<string>): boolean {
  const [, ...rest] = wordsOf(phrase).filter(
    (word) => !/^(?:the|a|an|of|and|to|in|is|are|than|order|first)$/.test(word),
  );
  return rest.length > 0 && rest.every((word) => said.has(word));
}

const MAX_SETTING_CHARACTERS = 40;

const IS_MATERIAL = new Set(['text', 'items', 'options', 'find', 'replacement', 'query', 'token']);

/** The words and figures of an input's settings. */
function saidBy({ input }: Wish): Set<string> {
  const settings = Object.entries(input).filter(
    ([name, value]) => !IS_MATERIAL.has(name) && String(value).length <= MAX_SETTING_CHARACTERS,
  );
  return new Set(settings.flatMap((setting) => wordsOf(setting.join(' '))));
}

/** In the singular, roughly. */
const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.replace(/(?<=\p{L}{2})s$/u, ''));

const wantedBy = ({ tool, input }: Wish): string => `${tool} ${JSON.stringify(input)}`;
