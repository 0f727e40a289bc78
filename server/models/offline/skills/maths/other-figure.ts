/** "And at 7%?", "same for 20", "make it 15%", "and 4 people?": an earlier question asked again with another figure. */

const AGAIN =
  /^(?:(?:and|now|but|ok|okay|what about|what if(?: it(?:['’]s| is| was))?|how about|the same|same(?: thing| sum)?|do (?:it|that|the same)|make (?:it|that)|with|for|at|of|on|to|between|among),?\s+)+[$€£]?(?<figure>\d[\d,]*(?:\.\d+)?)\s?(?<unit>%|percent|[a-z°]+)?(?: instead)?[\s?.!]*$/i;
const FIGURE =
  /(?<between>\b(?:between|among) )?(?<![\d.])(?<figure>\d[\d,]*(?:\.\d+)?)(?:(?<unit>\s?(?:%|percent\b))|(?<word>\s(?:people|persons|friends|ways|years?|months?|weeks?|days?|hours?|minutes?)\b))?/gi;

/** The earlier question with its one figure of the same kind changed; null: nothing is asked again, or several figures may be meant. */
export function withOtherFigure(text: string, question: string): string | null {
  const { figure, unit = '' } = AGAIN.exec(text)?.groups ?? {};
  if (figure === undefined) return null;
  const kind = kindOf(unit);
  const fitting = [...question.matchAll(FIGURE)].filter(
    ({ groups = {} }) =>
      (groups['between'] === undefined ? kindOf(groups['unit'] ?? groups['word'] ?? '') : 'people') === kind,
  );
  const [only] = fitting;
  const old = only?.groups?.['figure'];
  if (only === undefined || old === undefined || fitting.length > 1) return null;
  const at = only.index + (only.groups?.['between'] ?? '').length;
  return question.slice(0, at) + figure + question.slice(at + old.length);
}

function kindOf(unit: string): string {
  const word = unit.trim().toLowerCase();
  if (/^(?:people|persons|friends|ways)$/.test(word)) return 'people';
  return word === 'percent' ? '%' : word.replace(/s$/, '');
}
