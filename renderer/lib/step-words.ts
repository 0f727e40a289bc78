/** A tool's name for people: `convert_units` or `convertUnits` is "Convert units". */
export function toolTitle(tool: string): string {
  const spaced = tool
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_.-]+/g, ' ')
    .trim()
    .toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

const LONGEST_SUMMARY_CHARACTERS = 80;

/** The gist of a tool's input in one line; empty when there is nothing to say. */
export function inputSummary(input: unknown): string {
  const parts = isRecord(input) ? Object.values(input) : [input];
  const told = parts
    .filter((part) => ['string', 'number', 'boolean'].includes(typeof part))
    .map((part) => String(part).replace(/\s+/g, ' ').trim())
    .filter((part) => part !== '');
  const line = told.join(' · ');
  const characters = Array.from(line);
  return characters.length > LONGEST_SUMMARY_CHARACTERS
    ? `${characters.slice(0, LONGEST_SUMMARY_CHARACTERS).join('').trimEnd()}…`
    : line;
}

/** A tool's input or output in full: text as it is, anything else as indented JSON. */
export const inFull = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value, null, 2);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
