/** "And at 7%?", "same for 20", "make it 15%", "and 4 people?": an earlier question asked again with another figure. */

const AGAIN =
  /^(?:(?:and|now|but|ok|okay|what about|what if(?: it(?:'s| is| was))?|how about|(?:the )?same|(?:do|make) (?:it|that)|with|for|at|of|on|to|between|among),?\s+)+[$€£]?(?<figure>\d[\d,]*(?:\.\d+)?)\s?(?<unit>%|percent|[a-z]+)?[\s?.!]*$/i;
const FIGURE =
  /(?<between>\b(?:between|among) )?(?<![\d.])(?<figure>\d[\d,]*(?:\.\d+)?)(?: ?(?<unit>%|percent\b|(?:people|persons|friends|ways|years?|months?|weeks?|days?|hours?|minutes?)\b))?/gi;

/** The earlier question with its one figure of the same kind changed; null: nothing is asked again, or several figures may be meant. */
export function withOtherFigure(text: string, question: string): string | null {
  const { figure, unit = '' } = AGAIN.exec(text)?.groups ?? {};
  const [only, ...others] = [...question.matchAll(FIGURE)].filter(
    ({ groups = {} }) => kindOf(groups['between'] ? 'people' : groups['unit']) === kindOf(unit),
  );
  const { figure: old, between = '' } = only?.groups ?? {};
  if (figure === undefined || only === undefined || old === undefined || others.length > 0) return null;
  const at = only.index + between.length;
  return question.slice(0, at) + figure + question.slice(at + old.length);
}

const kindOf = (unit = ''): string =>
  unit
    .toLowerCase()
    .replace(/^(?:persons|friends|ways)$/, 'people')
    .replace('percent', '%')
    .replace(/s$/, '');
