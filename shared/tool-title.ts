/** A tool's name for people: `convert_units` or `convertUnits` is "Convert units". */
export function toolTitle(tool: string): string {
  const spaced = tool
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_.-]+/g, ' ')
    .trim()
    .toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/** Tools of which an approval's summary says all there is to say: another agent's wish, and a rehearsal's question. */
const ASK_FOR_OTHERS: ReadonlySet<string> = new Set(['ask_agent', 'ask_approval']);

/** The title of the tool that a person is asked about; null: its name says nothing, the approval's summary all. */
export const askingTitle = (tool: string): string | null =>
  ASK_FOR_OTHERS.has(tool) ? null : toolTitle(tool);
