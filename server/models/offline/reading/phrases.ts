/** What a calculation, conversion or date may be asked with, before the thing itself. */
const LEAD =
  /^(?:(?:please|hey|hi|hello|ok|okay|so|well|and|then|now|also|but|can you|could you|would you|can i get|i need|i want|i'd like to know|do you know|tell me|let me know|give me|show me|find|quick(?:ly)?)\b[,:]?\s*)+/i;
const QUESTION =
  /^(?:what(?:'s|s| is| are| was| does| do| would| will)?(?: the (?:value|result|answer) (?:of|to))?|how much (?:is|are|does|do|would)|how many (?:is|are))\s+/i;
const COMMAND = /^(?:calculate|calc|compute|work out|evaluate|solve|figure out)\s*:?\s+/i;

export interface Asked {
  /** What is left without the words that ask. */
  text: string;
  /** `command`: told to calculate. `question`: asked what it is. `bare`: neither. */
  how: 'command' | 'question' | 'bare';
}

/** Takes the words that ask off the front and courtesies off the end. */
export function stripAsking(request: string): Asked {
  let text = plainQuotes(request)
    .trim()
    .replace(/(?:[?.\s]|(?<![\d)\s])!)+$/, '')
    .replace(/,?\s+(?:please|thanks|thank you|for me|for us|equal to|equals?)$/i, '')
    .replace(/,?\s+(?:please|for me)$/i, '')
    .replace(LEAD, '');
  let how: Asked['how'] = 'bare';
  for (let round = 0; round < 3; round++) {
    const shorter = text.replace(LEAD, '').replace(COMMAND, '');
    if (COMMAND.test(text.replace(LEAD, ''))) how = 'command';
    const asked = shorter.replace(QUESTION, '');
    if (asked !== shorter && how === 'bare') how = 'question';
    if (asked === text) break;
    text = asked;
  }
  return { text: text.trim(), how };
}

/** Curly quotes and odd spaces as their plain counterparts. */
export function plainQuotes(text: string): string {
  return text
    .replace(/[’‘]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[\u00a0\u202f\u2009]/g, ' ');
}

/** Puts thousands separators into the whole part: "1234.5" → "1,234.5". */
export function groupDigits(number: string): string {
  return number.replace(
    /^(-?)(\d{4,})/,
    (_, sign: string, digits: string) => sign + digits.replace(/\B(?=(\d{3})+$)/g, ','),
  );
}

/** "1 day", "2 days", "1,000 days". */
export function count(amount: number, singular: string): string {
  return `${groupDigits(String(amount))} ${singular}${amount === 1 ? '' : 's'}`;
}
