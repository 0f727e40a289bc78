/** Counting, summarising and pulling things out. */
import { findAll, type ExtractKind } from '../../../../tools/text-extract.ts';
import { MAX_SUMMARY_SENTENCES } from '../../../../tools/text-summary.ts';
import type { Wish } from '../../skill.ts';
import {
  COUNT,
  countIn,
  matchFirst,
  nameFor,
  QUOTED,
  soundsLikeProse,
  subjectOf,
  template,
  unquoted,
  type Ask,
  templates,
  workOn,
} from '../../reading/ask.ts';
import { previousCall, sourceOf } from '../../reading/history.ts';

const UNITS =
  '(?<unit>(?:words?|characters?|chars|letters?|sentences?|lines?|paragraphs?|symbols?)(?:(?:,| and| or|,? and)(?: the| how many)? (?:words?|characters?|chars|letters?|sentences?|lines?|paragraphs?|symbols?)){0,5})';
const WHAT = "(?:(?:what(?:['’]?s| is) )?the )?";
const FIND = '(?:(?:the|a) )?(?:(?:word|letter|phrase|character|name|string|term)s? )?(?<find>\\S.{0,60}?)';

const OCCURRENCES = templates(`
  how (?:many times|often) (?:does|do|is|did|are|has) ${FIND} (?:appear(?:ed)?|occur(?:red)?|come up|show up|turn up|there|mentioned|used|found|written|said)(?: (?:in|within|inside))? {}
  (?:count|find|how many)(?: (?:all|the|how many|number of)){0,3} (?:occurrences?|instances?|appearances?|times) of ${FIND}(?: (?:are|is|there|appear|occur)){0,2} (?:in|from|within) {}
  (?:count|how many)(?: (?:the|all)){0,2}(?: letters?)? (?<find>[a-z]|${QUOTED})(?:['’]?s)?(?: letters?)?(?: (?:are|is|there|does|do)){0,3} (?:in|within|of) {}
  (?:count|how many)(?: (?:the|all)){0,2}(?: letters?)? (?<find>[a-z])(?:['’]?s)? (?:does|do) {} (?:have|contain)
`);
const COUNTS = templates(`
  how many ${UNITS}(?: (?:long|are|is|does|do|there|has|have|in|of|within|were|was)){0,5} {}(?: (?:have|has|contain|contains|long|in total|there|altogether|got))?
  (?:count|tell me|give me|show me|get)(?: up)?(?: (?:all|the|how many|number of)){0,3} ${UNITS}(?: (?:in|of|for|there|are|from|within)){0,3} {}
  ${WHAT}(?<unit>word|character|letter|sentence|line|paragraph) ?-?count(?: (?:of|for|in))? {}
  ${WHAT}(?:total )?number of ${UNITS}(?: (?:of|in|for))? {}
`);
const EXTREME = '(?:longest|shortest|most (?:common|frequent|used|repeated)) words?';
/** Which words are asked for, of those that stand out in a text. */
export const EXTREME_ASKED = new RegExp(`\\b${EXTREME}\\b`, 'i');
const WORD = templates(`
  (?:(?:what(?:['’]?s| is| are)|which is|find|show|tell me|get|give me) )?(?:me )?(?:the )?${EXTREME}(?: (?:in|of|from|here))? {}
`);
const LENGTHS = templates(`
  count {}
  how long (?:is|are) {}
  ${WHAT}length(?: (?:of|for))? {}
`);

/** Recognises "how many words are in this: …" and "how often does x occur in …". */
export function recogniseCount(ask: Ask): Wish | null {
  const found = matchFirst(ask.words, OCCURRENCES);
  if (found !== null) return occurrencesIntent(found, ask);
  const counts = matchFirst(ask.words, COUNTS);
  if (counts !== null) {
    // "How many words does Shakespeare use" is no question about those two words.
    const isAboutUse = /^how many \S+ (?:does|do) /i.test(ask.words);
    const isWhole = /^(?:char|letter|symbol)/i.test(counts['unit'] ?? '');
    const subject = subjectOf(counts['rest'], ask, {
      accepts: (rest) =>
        !isAboutUse &&
        !soundsLikeProse(rest) &&
        (isWhole || (/^word/i.test(counts['unit'] ?? '') && /\s/.test(rest))),
      isGuess: true,
    });
    return workOn(subject, 'count_text');
  }
  const word = matchFirst(ask.words, WORD);
  if (word !== null) {
    const accepts = (rest: string): boolean => /\s/.test(rest) && !soundsLikeProse(rest);
    return workOn(subjectOf(word['rest'], ask, { accepts, isGuess: true }), 'count_text');
  }
  const again = recounted(ask);
  if (again !== null) return again;
  const length = matchFirst(ask.words, LENGTHS);
  const subject = length && subjectOf(length['rest'], ask);
  if (!subject || (length['rest'] ?? '').trim() === '') return null;
  return { tool: 'count_text', input: { text: subject.text }, isGuess: true };
}

const UNITS_TOO = template(`(?:(?:and|what about|how about|how many) ){1,2}(?:the )?${UNITS}(?: too)?`);

/** "And the characters?": the last text once more. */
function recounted(ask: Ask): Wish | null {
  const previous = ask.words.length > 60 ? null : previousCall(ask.request.history, ['count_text']);
  const text = previous === null ? null : sourceOf(previous);
  if (text === null || ask.material !== null || matchFirst(ask.words, [UNITS_TOO]) === null) return null;
  return { tool: 'count_text', input: { text } };
}

function occurrencesIntent(groups: Record<string, string | undefined>, ask: Ask): Wish | null {
  const find = unquoted(groups['find'] ?? '', ask).trim();
  const subject = subjectOf(groups['rest'], ask, {
    accepts: (rest) => !soundsLikeProse(rest),
    isGuess: true,
  });
  const wholeWords = find.length > 1 && /\bword\b/i.test(ask.words) ? { wholeWords: true } : {};
  return find === '' ? null : workOn(subject, 'count_text', { find, ...wholeWords });
}

const SENTENCES = new RegExp(
  `(?:,|\\b(?:in|into|to|with|using|as))?\\s*(?:about |only |just |at most |no more than |max(?:imum)? |under )?\\b(?<count>${COUNT})[-\\s](?:short |brief |key |main |bullet )?(?<unit>sentences?|lines?|points?|bullets?|words)\\b`,
  'i',
);
const WORDS_PER_SENTENCE = 20;
const SUMMARISE = templates(`
  summari[sz]e {}
  sum up {}
  (?:(?:give me|write|make|create|provide|do|get|show me|i need|produce)(?: me)? )?(?:(?:a|an|the) )?(?:(?:short|brief|quick|concise|small|good|nice) ){0,2}(?:summary|tl;?dr|gist|synopsis|digest)(?: (?:of|for|from))? {}
  tl;?dr:?(?: (?:of|for))? {}
  (?:shorten|condense|abridge|boil down) {}
  make {} shorter
  (?:(?:what are|what['’]?s|what is|give me|list|extract|pull out|show me|get) )?(?:the )?(?:key|main|most important|important|central) (?:points?|ideas?|sentences?|takeaways?|messages?|parts?)(?: (?:of|in|from))? {}
`);

/** Recognises "summarise this in two sentences". */
export function recogniseSummary(ask: Ask): Wish | null {
  const start = ask.words.slice(0, 200);
  const size = SENTENCES.exec(start);
  const words = (size === null ? ask.words : ask.words.replace(size[0], ' '))
    .replace(/\s{1,5}as$/, '')
    .trim();
  const count = size === null ? null : sentencesOf(size.groups?.['count'], size.groups?.['unit']);
  const groups = matchFirst(words, SUMMARISE);
  if (groups === null) return resized(ask, count);
  const subject = subjectOf(groups['rest'], ask, {
    accepts: (rest) => /[.!?]\s+\S/.test(rest),
    isGuess: true,
  });
  if (subject === null || !/\p{L}{2}.*\s\S*\p{L}{2}/su.test(subject.text.slice(0, 2000))) return null;
  const previous = subject.from === 'history' ? previousCall(ask.request.history, ['summarise_text']) : null;
  const text = previous === null ? subject.text : (sourceOf(previous) ?? subject.text);
  const wanted = count ?? (/^tl;?dr/i.test(ask.words) ? 2 : null);
  return workOn({ ...subject, text }, 'summarise_text', sized(wanted));
}

function sized(count: number | null): { sentences?: number } {
  return count === null ? {} : { sentences: Math.min(Math.max(count, 1), MAX_SUMMARY_SENTENCES) };
}

function sentencesOf(count: string | undefined, unit: string | undefined): number {
  const number = countIn(count, 3);
  return unit === 'words' ? Math.round(number / WORDS_PER_SENTENCE) : number;
}

/** "In two sentences", "shorter": the last summary anew. */
function resized(ask: Ask, count: number | null): Wish | null {
  const previous = previousCall(ask.request.history, ['summarise_text'], 3);
  const text = previous === null ? null : sourceOf(previous);
  if (previous === null || text === null || ask.words.length > 60) return null;
  const { items } = previous.output;
  const now = Array.isArray(items) ? items.length : 3;
  const change = /\bshorter|\bless\b/i.test(ask.words) ? -1 : /\blonger|\bmore\b/i.test(ask.words) ? 1 : 0;
  const wanted = count ?? (change === 0 ? null : change < 0 ? Math.floor(now / 2) : now * 2);
  return wanted === null ? null : { tool: 'summarise_text', input: { text, ...sized(wanted) } };
}

/** Phone numbers before numbers: the longer name must be tried first. */
const KIND_WORDS: Record<ExtractKind, string> = {
  phone_numbers: '(?:tele)?phone ?numbers?|phones|mobile numbers?|telephone numbers?',
  emails: 'e-?mails?(?: addresses| ids)?|mail addresses',
  links: '(?:web ?|hyper)?links?|urls?|web ?sites?|web addresses',
  numbers: 'numbers?|figures|digits|amounts',
  dates: '(?:calendar )?dates?',
  hashtags: 'hash ?tags?',
  mentions: '(?:@ ?)?mentions|(?:@ ?|user ?)handles|user ?names',
};
const KIND = `(?<kind>${Object.values(KIND_WORDS).join('|')})`;
const PULL = '(?:extract|pull(?: out)?|grab|collect|pick out|isolate|parse out|scrape|filter out)';
const LOOK =
  '(?:get|find|list|give|show|fetch|identify|what are|which are|return|what|which|see|keep|look for)';
const EXTRACT = templates(`
  (?:${PULL}|${LOOK})(?: me)?(?: (?:all|any|every|each|only|just|the|out|of|unique)){0,4} ${KIND}(?<where>(?: (?:(?:that )?(?:are|is|appear|occur|do you see|can you find|stand)(?: there| mentioned| contained)?|out of|out|from|in|of|within|there)){0,3}) {}
  ${PULL}(?: from)? {} (?:the |all (?:the )?)?${KIND}
`);
const AND_THE = template(
  `(?:(?:what about|how about|and|now|just|only|also|the|all|any) ){0,5}${KIND}(?: too)?(?: instead)?`,
);

/** Recognises "extract all emails from …". */
export function recogniseExtract(ask: Ask): Wish | null {
  const groups = matchFirst(ask.words, EXTRACT);
  if (groups !== null) {
    // "Emails and links from …" asks for two things, each by itself.
    if (/^(?:,|and|or|&)\s/i.test(groups['rest'] ?? '')) return null;
    const kind = kindOf(groups['kind']);
    // "What number comes after 9999" looks for nothing in a text.
    const isOther = groups['where'] === '' && /^wh/i.test(ask.words);
    const subject = subjectOf(groups['rest'], ask, {
      accepts: (rest) => !isOther && isFound(rest, kind),
    });
    if (
      subject === null ||
      (subject.from === 'history' && findAll(subject.text, kind).length === 0 && subject.isGuess)
    )
      return null;
    const isWeak = subject.from === 'history' && !new RegExp(`^${PULL}`, 'i').test(ask.words);
    return workOn({ ...subject, isGuess: subject.isGuess || isWeak }, 'extract_from_text', { kind });
  }
  const previous = previousCall(ask.request.history, ['extract_from_text']);
  const more = previous === null || ask.words.length > 60 ? null : matchFirst(ask.words, [AND_THE]);
  const text = more === null || previous === null ? null : sourceOf(previous);
  if (text === null) return null;
  return { tool: 'extract_from_text', input: { text, kind: kindOf(more?.['kind']) } };
}

/** "List the numbers from 1 to 10" asks for something else. */
function isFound(rest: string, kind: ExtractKind): boolean {
  return !/^-?\d+ ?(?:to|through|and|up to|-|–) ?-?\d+\W*$/i.test(rest) && findAll(rest, kind).length > 0;
}

const kindOf = (name: string | undefined): ExtractKind => nameFor(KIND_WORDS, name) ?? 'numbers';
