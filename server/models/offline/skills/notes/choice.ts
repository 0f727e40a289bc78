import { ORDINAL_WORDS } from '../../../../tools/number-words.ts';
import { findNotes, forgetNote } from '../../../../tools/notes.ts';
import { fieldsOf, listOf, textOf } from '../../../../lib/fields.ts';
import type { EarlierExchange } from '../../skill.ts';

/** Choosing among notes that were listed just before: "the second one", "forget 1 and 3", "all of them". */
const CHOICE =
  /^(?:(?:yes|ok|please)[\s,]*)*(?<verb>(?:forget|delete|remove)\s+)?(?:notes? |number |#)?(?:(?<positions>(?:(?:the |and |[,&#]\s?)*(?:first|second|third|fourth|fifth|last|\d{1,3}(?:st|nd|rd|th)?)[\s,]*){1,10})|(?<all>both|all(?: of (?:them|it))?|everything|them|those)|(?<yes>yes|do it|go ahead)|it|that one|this one)(?: ?ones?| ?notes?)?[\s.!]*$/i;

const MAX_CHOICE_CHARACTERS = 120;

/** Ids of the notes meant, or null when nothing was listed just before or the words choose nothing. */
export function chooseListed(text: string, history: EarlierExchange[]): string[] | null {
  const choice = text.length > MAX_CHOICE_CHARACTERS ? null : CHOICE.exec(text);
  const { verb, positions, all, yes } = choice?.groups ?? {};
  const last = history.at(-1);
  const step = last?.steps.findLast(({ tool }) => tool === forgetNote.name || tool === findNotes.name);
  if (!step || choice === null) return null;
  const { candidates, notes } = fieldsOf(step.output);
  const asked = listOf(candidates);
  // After a plain list only an order to forget counts; after "which one?" naming one is enough.
  const wasAsked = asked !== null || /Shall I forget all of them\?/.test(last?.answer ?? '');
  if (!wasAsked && verb === undefined) return null;
  const ids = (asked ?? listOf(notes) ?? []).flatMap((note) => textOf(fieldsOf(note)['id']) ?? []);
  const isAll = all !== undefined || ids.length === 1 || (yes !== undefined && asked === null);
  const positionOf = (word: string): number =>
    word === 'last' ? ids.length : Number(word) || ORDINAL_WORDS.indexOf(word) + 1;
  const words = positions?.toLowerCase().match(/\d+|first|second|third|fourth|fifth|last/g);
  const chosen = words?.flatMap((word) => ids[positionOf(word) - 1] ?? []) ?? ids.filter(() => isAll);
  return chosen.length === 0 ? null : [...new Set(chosen)];
}
