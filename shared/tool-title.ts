import { ownToolOf } from './own-tools.ts';
import { clip, LONGEST_NAME, visibleLine } from './visible.ts';

/** A name from a schema or a program in words: `maxLength` and `max_length` are "Max length". */
export function inWords(name: string): string {
  const spaced = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_.-]+/g, ' ')
    .trim()
    .toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/** A tool's name for people, in one line: its title if it is Parley's own, otherwise its name in words. */
export const toolTitle = (tool: string): string =>
  ownToolOf(tool)?.title ?? clip(visibleLine(inWords(tool)), LONGEST_NAME);

/** Tools whose approval is fully described by its summary: another agent's request, and a rehearsal's question. */
const ASK_FOR_OTHERS: ReadonlySet<string> = new Set(['ask_agent', 'ask_approval']);

/** The title of the tool that a person is asked about; null: its name adds nothing to the approval's summary. */
export const askingTitle = (tool: string): string | null =>
  ASK_FOR_OTHERS.has(tool) ? null : toolTitle(tool);
