/** Giving a text another form: what such requests look like, and letter case. */
import type { CaseStyle } from '../../../../tools/text-case.ts';
import type { Wish } from '../../skill.ts';
import {
  matchFirst,
  nameFor,
  soundsLikeProse,
  subjectOf,
  template,
  type Ask,
  type Subject,
  namedTemplates,
  workOn,
} from '../../reading/ask.ts';

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
const TO_CASE = conversionTemplates(Object.values(CASES).join('|'));
const CAPITALISE = namedTemplates(`
  (?:capitali[sz]e|upper-?case|put in capitals)(?: (?:all|every|each|the|of)){1,3}(?: (?:letters?|characters?|text))(?: (?:in|of))? {}  => upper
  capitali[sz]e(?: (?:all|every|each|the|first letters?|of|in)){1,7} words?(?: (?:in|of))? {}  => title
  capitali[sz]e (?:only )?(?:the )?first (?:letter|word)(?: (?:in|of))? {}  => sentence
  capitali[sz]e {}  => title
  slugify {}  => slug
`);

/** Recognises "make this upper case: …", 'title case "…"', "now in lower case". */
export function recogniseCase(ask: Ask): Wish | null {
  const { words } = ask;
  for (const [style, pattern] of CAPITALISE) {
    const groups = matchFirst(words, [pattern]);
    if (groups !== null) {
      const accepts = (rest: string): boolean =>
        !soundsLikeProse(rest) || style === 'slug' || rest.length > 12;
      return caseIntent(style as CaseStyle, subjectOf(groups['rest'], ask, { accepts, isGuess: true }));
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
    return caseIntent(
      caseOf(clear['target']),
      subjectOf(rest, ask, {
        accepts: (text) => accepts(text) && !(isOpen && soundsLikeProse(text)),
        isGuess: true,
      }),
    );
  }
  const loose = matchFirst(words, TO_CASE.loose);
  if (loose === null) return null;
  const rest = (loose['rest'] ?? '').replace(
    /^(?:what(?:['’]?s| is)|how (?:do|would) (?:you|i) (?:write|spell)) /i,
    '',
  );
  return caseIntent(caseOf(loose['target']), subjectOf(rest, ask, { accepts: isBarePhrase, isGuess: true }));
}

const caseIntent = (style: CaseStyle, subject: Subject | null): Wish | null =>
  workOn(subject, 'change_case', { style });

const caseOf = (name: string | undefined): CaseStyle => nameFor(CASES, name) ?? 'upper';
