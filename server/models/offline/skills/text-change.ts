/** Letter case, layout and replacing. */
import type { CaseStyle } from '../../../tools/text-case.ts';
import type { TextLayout } from '../../../tools/text-format.ts';
import type { Intent } from '../skill.ts';
import {
  matchFirst,
  pointsOnly,
  QUOTED,
  soundsLikeProse,
  subjectOf,
  template,
  unquoted,
  type Ask,
  type Subject,
} from './text-ask.ts';

const VERB =
  '(?:make|turn|convert|change|put|write|rewrite|transform|format|reformat|set|give me|show me|show|list|present|render|print|return|translate|rewrite)';
const PREPOSITION = '(?:(?:in|to|into|as|all|using|with|a|an|the|be|look like){1} ){0,3}';

/** Phrasings for "give the subject this form": the group `target` holds the form's name. */
export function conversionTemplates(target: string): { clear: RegExp[]; loose: RegExp[] } {
  const form = `(?<target>${target})`;
  return {
    clear: [
      template(`${VERB} {} ${PREPOSITION}${form}`),
      template(
        `(?:(?:in|to|into|as|all|now|use|make it|make them) ){1,3}(?:(?:a|an) )?${form}(?: (?:instead|now|too|then))?`,
      ),
      template(`${form}(?: (?:of|from|for|out of|version of|this|that|it|them)){0,2} {}`),
      template(
        `(?:make|create|generate|give me|write|build|get)(?: me)? (?:(?:a|an|the) )?${form}(?: (?:of|from|for|out of|with)){0,2} {}`,
      ),
    ],
    loose: [template(`{} (?:in|to|into|as)(?: (?:a|an))? ${form}`)],
  };
}

/** True for a few words that are no sentence: what may be meant in "hello world in upper case". */
export function isBarePhrase(rest: string): boolean {
  return (
    rest.split(/\s+/, 7).length <= 6 &&
    !soundsLikeProse(rest) &&
    !/(?:^|\s)(?:is|are|was|were|be|written|write|send|say|use|should|always|never|prefer|like|want|put|keep|see|read|need)(?:\s|$)/i.test(
      rest,
    )
  );
}

const CASES: Record<CaseStyle, string> = {
  constant: '(?:constant|screaming[-_\\s]?snake|upper[-_\\s]?snake|macro)[-_\\s]?case',
  upper:
    '(?:all[-\\s])?(?:upper[-\\s]?case|caps|capitals|capital letters|block letters|block capitals)(?: letters)?',
  lower: '(?:all[-\\s])?(?:lower[-\\s]?case|small letters)(?: letters)?',
  title: '(?:title|headline|proper)[-\\s]?case',
  sentence: 'sentence[-\\s]?case',
  pascal: '(?:pascal|upper[-\\s]?camel)[-_\\s]?case',
  camel: '(?:lower[-\\s])?camel[-_\\s]?case',
  snake: 'snake[-_\\s]?case',
  kebab: '(?:kebab|dash|hyphen)[-_\\s]?case',
  slug: '(?:url[-\\s]?)?slug',
};
const CASE_NAMES = Object.entries(CASES) as [CaseStyle, string][];
const TO_CASE = conversionTemplates(Object.values(CASES).join('|'));
const CAPITALISE: [CaseStyle, RegExp][] = [
  [
    'upper',
    template(
      '(?:capitali[sz]e|upper-?case|put in capitals)(?: (?:all|every|each|the|of)){1,3}(?: (?:letters?|characters?|text))(?: (?:in|of))? {}',
    ),
  ],
  [
    'title',
    template('capitali[sz]e(?: (?:all|every|each|the|first letters?|of|in)){1,7} words?(?: (?:in|of))? {}'),
  ],
  ['sentence', template('capitali[sz]e (?:only )?(?:the )?first (?:letter|word)(?: (?:in|of))? {}')],
  ['title', template('capitali[sz]e {}')],
  ['slug', template('slugify {}')],
];

/** Recognises "make this upper case: …", 'title case "…"', "now in lower case". */
export function recogniseCase(ask: Ask): Intent | null {
  const { words } = ask;
  if (!/case|capital|caps|slug|(?:small|block) letters/i.test(words.slice(0, 120) + words.slice(-60)))
    return null;
  for (const [style, pattern] of CAPITALISE) {
    const groups = matchFirst(words, [pattern]);
    if (groups !== null) {
      const accepts = (rest: string): boolean =>
        !soundsLikeProse(rest) || style === 'slug' || rest.length > 12;
      return caseIntent(style, subjectOf(groups['rest'], ask, { accepts }));
    }
  }
  const clear = matchFirst(words, TO_CASE.clear);
  if (clear !== null) {
    const rest = clear['rest'] ?? '';
    const accepts = (text: string): boolean =>
      !/^(?:is|are|was|vs|versus|or|and|but|in|for|means?|names|style|convention|sensitive|insensitive)(?!\p{L})/iu.test(
        text,
      );
    // "Write a poem in capitals" asks for a poem.
    const isOpen = /^(?:write|give|show|list|present|make|print|return|set|put)\s/i.test(words);
    const isLead = words.toLowerCase().startsWith((clear['target'] ?? '').toLowerCase());
    return caseIntent(
      caseOf(clear['target']),
      subjectOf(rest, ask, {
        accepts: (text) => accepts(text) && !(isOpen && soundsLikeProse(text)),
        confidence: isLead ? 0.72 : 0.78,
      }),
    );
  }
  const loose = matchFirst(words, TO_CASE.loose);
  if (loose === null) return null;
  const rest = (loose['rest'] ?? '').replace(
    /^(?:what(?:['’]?s| is)|how (?:do|would) (?:you|i) (?:write|spell)) /i,
    '',
  );
  return caseIntent(
    caseOf(loose['target']),
    subjectOf(rest, ask, { accepts: isBarePhrase, confidence: 0.6 }),
  );
}

function caseIntent(style: CaseStyle, subject: Subject | null): Intent | null {
  return (
    subject && { tool: 'change_case', input: { text: subject.text, style }, confidence: subject.confidence }
  );
}

function caseOf(name: string | undefined): CaseStyle {
  return (
    CASE_NAMES.find(([, pattern]) => new RegExp(`^(?:${pattern})$`, 'i').test(name ?? ''))?.[0] ?? 'upper'
  );
}

type ListLayout = 'bullet_list' | 'numbered_list' | 'comma_list' | 'lines' | 'join_lines';
const LIST_LAYOUTS: Record<ListLayout, string> = {
  bullet_list:
    'bullet(?:ed)?[-\\s]?(?:points?)?(?:[-\\s](?:list|form))?|bullets|list of bullets|bullet[-\\s]?point list|unordered list|markdown list|dashes',
  numbered_list: '(?:numbered|ordered|enumerated) (?:list|lines|items)|numbered',
  comma_list:
    'comma[-\\s](?:separated|delimited)(?: (?:list|values|line|string|form))?|comma list|commas|(?:one )?line separated by commas',
  lines:
    '(?:one|1) (?:item |entry |word |name |value )?(?:per|on each|a) line|(?:separate|new|individual|single) lines|lines|a line each|plain lines',
  join_lines: '(?:one|a single|single|1) (?:line|paragraph)',
};
const LAYOUT_NAMES = Object.entries(LIST_LAYOUTS) as [ListLayout, string][];
const TO_LAYOUT = conversionTemplates(Object.values(LIST_LAYOUTS).join('|'));

const REMOVE =
  '(?:remove|delete|strip(?: out)?|drop|get rid of|clean up|take out|trim(?: off)?|eliminate)(?: (?:the|all|any)){0,2}';
const OUT_OF = '(?: (?:from|in|of|out of|on|at|around|within|between)(?: the (?:ends?|edges?) of)?)?';
const TIDY: [TextLayout, RegExp][] = [
  ['remove_blank_lines', template(`${REMOVE} (?:blank|empty) lines${OUT_OF} {}`)],
  ['join_lines', template(`${REMOVE} (?:line ?breaks|new ?lines|line feeds)${OUT_OF} {}`)],
  [
    'join_lines',
    template('(?:join|merge|combine|unwrap)(?: (?:the|these|all)){0,2} lines(?: (?:of|in))? {}'),
  ],
  [
    'trim_lines',
    template(
      `${REMOVE} (?:leading and trailing|trailing and leading|trailing|leading|surrounding) (?:white ?spaces?|spaces?|blanks)${OUT_OF} {}`,
    ),
  ],
  [
    'collapse_spaces',
    template(
      `(?:${REMOVE}|collapse|squeeze|normali[sz]e|fix|reduce)(?: (?:the|all|any))? (?:extra|double|multiple|repeated|unnecessary|superfluous|excess|redundant|duplicate) (?:white ?spaces?|spaces?|blanks)${OUT_OF} {}`,
    ),
  ],
  [
    'collapse_spaces',
    template('(?:collapse|squeeze|normali[sz]e)(?: the)? (?:white ?space|spaces|spacing)(?: (?:in|of))? {}'),
  ],
  ['trim_lines', template('trim {}')],
  ['comma_list', template('(?:join|combine|merge|separate) {} (?:with|by|using) (?:a )?commas?')],
  [
    'lines',
    template(
      'split {}(?: (?:up))? (?:into|onto|by|at|on)(?: the| separate| single)? (?:lines|commas?|semi-?colons?|items)',
    ),
  ],
  [
    'numbered_list',
    template('number(?: (?:the|these|all|each)){0,2} (?:lines?|items?|entries)(?: (?:of|in))? {}'),
  ],
];
const WRAP = template(
  '(?:(?:hard[-\\s]?)?wrap|break|re-?flow) {}(?: (?:at|to|after|every|with a width of|in)(?: (?:column|width))?)? (?<width>\\d{2,4})(?: (?:columns?|characters?|chars))?(?: (?:per line|wide))?',
);

/** Recognises "turn this into a bullet list", "remove blank lines", "wrap at 72 columns". */
export function recogniseLayout(ask: Ask): Intent | null {
  const { words } = ask;
  if (words.length > 2000) return null;
  const wrap = WRAP.exec(words)?.groups;
  if (wrap !== undefined) {
    const width = Math.min(1000, Math.max(10, Number(wrap['width'])));
    const subject = subjectOf(wrap['rest'], ask, { accepts: (rest) => rest.length > 40 });
    return (
      subject && {
        tool: 'format_text',
        input: { text: subject.text, layout: 'wrap', width },
        confidence: subject.confidence,
      }
    );
  }
  for (const [layout, pattern] of TIDY) {
    const groups = matchFirst(words, [pattern]);
    if (groups !== null) {
      const accepts = (rest: string): boolean =>
        (layout === 'lines' || layout === 'comma_list') && /[,;\n]/.test(rest);
      return layoutIntent(layout, subjectOf(groups['rest'], ask, { accepts }));
    }
  }
  const groups = matchFirst(words, TO_LAYOUT.clear) ?? matchFirst(words, TO_LAYOUT.loose);
  if (groups === null) return null;
  const layout = layoutOf(groups['target']);
  // "Commas" or "lines" alone name no layout; they need a verb before them.
  if (/^(?:commas|lines|dashes|numbered|single line|one line)$/i.test(words.trim())) return null;
  const accepts = (rest: string): boolean => /[,;\n]/.test(rest) && !soundsLikeProse(rest);
  return layoutIntent(layout, subjectOf(groups['rest'], ask, { accepts, confidence: 0.75 }));
}

function layoutIntent(layout: TextLayout, subject: Subject | null): Intent | null {
  return (
    subject && { tool: 'format_text', input: { text: subject.text, layout }, confidence: subject.confidence }
  );
}

function layoutOf(name: string | undefined): TextLayout {
  return (
    LAYOUT_NAMES.find(([, pattern]) => new RegExp(`^(?:${pattern})$`, 'i').test(name ?? ''))?.[0] ??
    'bullet_list'
  );
}

/** Things that are named rather than written when they are to be replaced. */
const NAMED_TEXT: Record<string, string> = {
  comma: ',', semicolon: ';', colon: ':', space: ' ', tab: '\t', dash: '-', hyphen: '-', underscore: '_', dot: '.', period: '.',
  'full stop': '.', 'line break': '\n', newline: '\n', 'new line': '\n', slash: '/', backslash: '\\', pipe: '|', star: '*', asterisk: '*',
  nothing: '', 'an empty string': '', 'empty string': '', 'exclamation mark': '!', 'question mark': '?', quote: '"', 'double quote': '"',
  apostrophe: "'", hash: '#',
}; // prettier-ignore
const KIND_OF_TEXT =
  '(?:(?:all|every|each|any|the) ){0,2}(?:(?:occurrences?|instances?) of )?(?:(?:all|every|the) )?(?:(?:word|letter|phrase|character|string|name)s? )?';
const REPLACE = [
  template(
    `(?<verb>replace|substitute) ${KIND_OF_TEXT}(?<find>\\S.{0,200}?) (?:with|by|for) (?<to>\\S.{0,200}?) (?:in|within|throughout) {}`,
  ),
  template(
    `(?<verb>replace|substitute) ${KIND_OF_TEXT}(?<find>\\S.{0,200}?) (?:with|by) (?<to>\\S.{0,200}?)`,
  ),
  template(
    `(?<verb>change|swap|turn) ${KIND_OF_TEXT}(?<find>\\S.{0,80}?) (?:to|into|with|for) (?<to>\\S.{0,80}?) (?:in|within|throughout) {}`,
  ),
  template(
    `(?<verb>change|swap|turn) ${KIND_OF_TEXT}(?<find>\\S.{0,80}?) (?:to|into|with|for) (?<to>\\S.{0,80}?)`,
  ),
];
const REMOVE_TEXT = template(
  `(?:remove|delete|strip(?: out)?|drop|take out|get rid of|erase) (?:(?:all|every|each|any|the) ){0,2}(?:(?:occurrences?|instances?) of )?(?<kind>(?:(?:the|all) )?(?:word|letter|phrase|character|string|name)s? )?(?<find>\\S.{0,100}?)(?: (?:from|in|out of|within))? {}`,
);

/** Recognises "replace foo with bar in: …" and 'remove "foo" from: …'. */
export function recogniseReplace(ask: Ask): Intent | null {
  if (
    !/^(?:replace|substitute|change|swap|turn|remove|delete|strip|drop|take|get rid|erase)/i.test(ask.words)
  )
    return null;
  const removal = removalOf(ask);
  if (removal !== null) return removal;
  const groups = matchFirst(ask.words, REPLACE);
  if (groups === null) return null;
  const find = textNamed(groups['find'] ?? '', ask);
  const replacement = textNamed(
    (groups['to'] ?? '').replace(/ (?:here|there|instead|everywhere)$/i, ''),
    ask,
  );
  if (pointsOnly(groups['find'] ?? '') || find === '') return null;
  const isReplace = /^(?:replace|substitute)$/i.test(groups['verb'] ?? '');
  const subject = subjectOf(groups['rest'], ask, {
    accepts: (rest) => isReplace && rest.includes(find),
    confidence: 0.8,
  });
  // "Replace the battery with a new one" is no order to us unless the text really holds those words.
  const isWeak = subject?.from === 'history' || !isReplace;
  if (subject === null || (isWeak && !subject.text.includes(find))) return null;
  const ignoreCase = subject.text.includes(find) ? {} : { ignoreCase: true };
  return {
    tool: 'replace_text',
    input: { text: subject.text, find, replacement, ...ignoreCase },
    confidence: subject.confidence,
  };
}

function removalOf(ask: Ask): Intent | null {
  const groups = matchFirst(ask.words, [REMOVE_TEXT]);
  if (groups === null) return null;
  const named = (groups['find'] ?? '').trim();
  const find = textNamed(named, ask);
  const isExact =
    new RegExp(`^${QUOTED}$`).test(named) || find !== unquoted(named, ask) || groups['kind'] !== undefined;
  if (!isExact || find === '') return null;
  const subject = subjectOf(groups['rest'], ask, { accepts: (rest) => rest.includes(find), confidence: 0.8 });
  return (
    subject && {
      tool: 'replace_text',
      input: { text: subject.text, find, replacement: '' },
      confidence: subject.confidence,
    }
  );
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
