/** Words before a calculation, conversion or date that only ask for it. */
const QUESTION =
  /^(?:what(?:'s|s| is| are| was| does| do| would| will)?(?: the (?:value|result|answer) (?:of|to))?|how much (?:is|are|does|do|would)|how many (?:is|are))\s+/i;
const COMMAND = /^(?:calculate|calc|compute|work out|evaluate|solve|figure out)\s*:?\s+/i;

/** Takes the words that ask off the front and courtesies off the end. */
export const stripAsking = (request: string): string =>
  plainQuotes(request)
    .trim()
    .replace(/(?<![?.\s]|(?<![\d)\s]!{0,3})!)(?:[?.\s]|(?<![\d)\s]!{0,3})!)+$/, '')
    .replace(/,?(?<!\s)\s+(?:please|thanks|thank you|for me|equal to|equals?)$/i, '')
    .replace(COMMAND, '')
    .replace(QUESTION, '')
    .replace(COMMAND, '')
    .trim();

/** Curly quotes and odd spaces as their plain counterparts. */
export const plainQuotes = (text: string): string =>
  text
    .replace(/[’‘]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[\u00a0\u202f\u2009]/g, ' ');
