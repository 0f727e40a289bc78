/** Replacing and removing words. */
import type { Wish } from '../../skill.ts';
import {
  matchFirst,
  pointsOnly,
  QUOTED,
  subjectOf,
  template,
  unquoted,
  type Ask,
  templates,
  workOn,
} from '../../reading/ask.ts';

/** Things that are named rather than written when they are to be replaced. */
const NAMED_TEXT: Record<string, string> = {
  comma: ',', semicolon: ';', colon: ':', space: ' ', tab: '\t', dash: '-', hyphen: '-', underscore: '_', dot: '.', period: '.',
  'full stop': '.', 'line break': '\n', newline: '\n', 'new line': '\n', slash: '/', backslash: '\\', pipe: '|', star: '*', asterisk: '*',
  nothing: '', 'an empty string': '', 'empty string': '', 'exclamation mark': '!', 'question mark': '?', quote: '"', 'double quote': '"',
  apostrophe: "'", hash: '#',
}; // prettier-ignore
const KIND_OF_TEXT =
  '(?:(?:all|every|each|any|the) ){0,2}(?:(?:occurrences?|instances?) of )?(?:(?:all|every|the) )?(?:(?:word|letter|phrase|character|string|name)s? )?';
const REPLACE = templates(`
  (?<verb>replace|substitute) ${KIND_OF_TEXT}(?<find>\\S.{0,200}?) (?:with|by|for) (?<to>\\S.{0,200}?) (?:in|within|throughout) {}
  (?<verb>replace|substitute) ${KIND_OF_TEXT}(?<find>\\S.{0,200}?) (?:with|by) (?<to>\\S.{0,200}?)
  (?<verb>change|swap|turn) ${KIND_OF_TEXT}(?<find>\\S.{0,80}?) (?:to|into|with|for) (?<to>\\S.{0,80}?) (?:in|within|throughout) {}
  (?<verb>change|swap|turn) ${KIND_OF_TEXT}(?<find>\\S.{0,80}?) (?:to|into|with|for) (?<to>\\S.{0,80}?)
`);
const REMOVE_TEXT = template(
  `(?:remove|delete|strip(?: out)?|drop|take out|get rid of|erase) (?:(?:all|every|each|any|the) ){0,2}(?:(?:occurrences?|instances?) of )?(?<kind>(?:(?:the|all) )?(?:word|letter|phrase|character|string|name)s? )?(?<find>\\S.{0,100}?)(?: (?:from|in|out of|within))? {}`,
);

/** A quotation among other words. */
const MIXED = new RegExp(`\\S\\s*${QUOTED}|${QUOTED}\\s*\\S`);

/** Recognises "replace foo with bar in: …" and 'remove "foo" from: …'. */
export function recogniseReplace(ask: Ask): Wish | null {
  const removal = removalOf(ask);
  if (removal !== null) return removal;
  const groups = matchFirst(ask.words, REPLACE);
  if (groups === null) return null;
  const find = textNamed(groups['find'] ?? '', ask);
  const replacement = textNamed(
    (groups['to'] ?? '').replace(/ (?:here|there|instead|everywhere)$/i, ''),
    ask,
  );
  // "The second “a”" is more than a text to look for.
  if (MIXED.test(groups['find'] ?? '') || MIXED.test(groups['to'] ?? '')) return null;
  // In "replace a with o" the letter is meant, not the article.
  if ((pointsOnly(groups['find'] ?? '') && find.length > 1) || find === '') return null;
  const isReplace = /^(?:replace|substitute)$/i.test(groups['verb'] ?? '');
  const subject = subjectOf(groups['rest'], ask, {
    accepts: (rest) => isReplace && rest.includes(find),
  });
  // "Replace the battery with a new one" is no order to us unless the text really holds those words.
  const isWeak = subject?.from === 'history' || !isReplace;
  if (subject === null || (isWeak && !subject.text.includes(find))) return null;
  const ignoreCase = subject.text.includes(find) ? {} : { ignoreCase: true };
  return workOn(subject, 'replace_text', { find, replacement, ...ignoreCase });
}

function removalOf(ask: Ask): Wish | null {
  const groups = matchFirst(ask.words, [REMOVE_TEXT]);
  if (groups === null) return null;
  const named = (groups['find'] ?? '').trim();
  const find = textNamed(named, ask);
  const isExact =
    new RegExp(`^${QUOTED}$`).test(named) || find !== unquoted(named, ask) || groups['kind'] !== undefined;
  if (!isExact || find === '') return null;
  const subject = subjectOf(groups['rest'], ask, { accepts: (rest) => rest.includes(find) });
  return workOn(subject, 'replace_text', { find, replacement: '' });
}

/** What the words for a text stand for: "commas" is ",". */
function textNamed(words: string, ask: Ask): string {
  const bare = words.trim().toLowerCase().replace(/^an? /, '');
  const singular = bare.replace(/s$/, '');
  return (
    NAMED_TEXT[bare] ??
    NAMED_TEXT[singular] ??
    NAMED_TEXT[bare.replace(/es$/, '')] ??
    unquoted(words.trim(), ask)
  );
}
