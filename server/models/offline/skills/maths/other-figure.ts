/** "And at 7%?", "same for 20", "make it 15%", "and between 4?": an earlier question asked again with another figure. */

const BESIDE = 'with|for|at|of|on|to|from|between|among|by|in|into';
const AGAIN = new RegExp(
  String.raw`^(?:(?:and|now|but|ok|okay|what about|what if(?: it(?:'s| is| was))?|how about|(?:the )?same|(?:do|make) (?:it|that)|${BESIDE}),?\s+)*?(?:(?<beside>${BESIDE})\s+)?[$€£]?(?<figure>\d[\d,]*(?:\.\d+)?)\s?(?<unit>%|percent|[a-z]+)?[\s?.!]*$`,
  'i',
);
const FIGURE = new RegExp(
  String.raw`(?:\b(?<beside>${BESIDE}) [$€£]?)?(?<![\d.])(?<figure>\d[\d,]*(?:\.\d+)?)(?: ?(?<unit>%|percent\b|(?:people|persons|friends|ways|years?|months?|weeks?|days?|hours?|minutes?)\b))?`,
  'gi',
);
/** Figures further apart than this factor mean different things: 4 doesn't replace 240. */
const MAX_TIMES = 20;

/** The earlier question with its one figure of the same kind changed; null: nothing is asked again, or several figures may be meant. */
export function withOtherFigure(text: string, question: string): string | null {
  const { figure, unit = '', beside } = AGAIN.exec(text)?.groups ?? {};
  if (figure === undefined || !/[a-z]/i.test(text)) return null;
  const all = [...question.matchAll(FIGURE)];
  const sameWord = all.filter(
    ({ groups = {} }) => kindOf(groups['beside']) === kindOf(beside) && beside !== undefined,
  );
  const sameKind = (sameWord.length > 0 ? sameWord : all).filter(({ groups = {} }) => {
    // "Split 90 between 3" is between people.
    const own = groups['unit'] ?? (unit !== '' && kindOf(groups['beside']) === 'between' ? 'people' : '');
    return kindOf(own) === kindOf(unit) || (unit === '' && sameWord.length > 0);
  });
  const [only, ...others] = sameKind;
  const old = only?.groups?.['figure'];
  if (only === undefined || old === undefined || others.length > 0) return null;
  const [one, other] = [figure, old].map((each) => Number(each.replaceAll(',', '')));
  if (one === undefined || other === undefined || Math.max(one / other, other / one) > MAX_TIMES) return null;
  const at = only.index + only[0].indexOf(old);
  return question.slice(0, at) + figure + question.slice(at + old.length);
}

const kindOf = (words = ''): string =>
  words
    .toLowerCase()
    .replace(/^(?:persons|friends|ways)$/, 'people')
    .replace(/^(?:among|by|in|into)$/, 'between')
    .replace('percent', '%')
    .replace(/s$/, '');
