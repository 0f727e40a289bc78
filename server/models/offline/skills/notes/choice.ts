import { ORDINAL_WORDS } from '../../../../tools/number-words.ts';
import { findNotes, forgetNote } from '../../../../tools/notes.ts';
import { fieldsOf, listOf, textOf } from '../../../../lib/fields.ts';
import type { Exchange } from '../../skill.ts';

/** Choosing among notes that were listed just before: "the second one", "forget 1 and 3", "all of them". */

const CHOICE =
  /^(?:(?:yes|ok|please)[\s,]*)*(?<verb>(?:forget|delete|remove)\s+)?(?:notes? |number |#)?(?<which>(?:(?:the |and |[,&#]\s?)*(?:first|second|third|fourth|fifth|last|\d{1,3}(?:st|nd|rd|th)?)[\s,]*){1,10}|both|all(?: of (?:them|it))?|everything|them|those|it|that one|this one|yes|do it|go ahead)(?: ?ones?| ?notes?)?[\s.!]*$/i;

/** Ids of the notes meant, or null when nothing was listed just before or the words choose nothing. */
export function chooseListed(text: string, history: Exchange[]): string[] | null {
  const { verb, which = '' } = (text.length > 120 ? null : CHOICE.exec(text))?.groups ?? {};
  const last = history.at(-1);
  const step = last?.steps.findLast(({ tool }) => tool === forgetNote.name || tool === findNotes.name);
  if (which === '' || !step) return null;
  const { candidates, notes } = fieldsOf(step.output);
  const asked = listOf(candidates);
  const listed = asked ?? listOf(notes) ?? [];
  // After a plain list only an order to forget counts; after "which one?" naming one is enough.
  const wasAsked = asked !== null || /Shall I forget all of them\?/.test(last?.answer ?? '');
  if (!wasAsked && verb === undefined) return null;
  const ids = chosenIds(
    which.trim().toLowerCase(),
    listed.flatMap((note) => textOf(fieldsOf(note)['id']) ?? []),
    asked === null,
  );
  return ids.length === 0 ? null : ids;
}

function chosenIds(which: string, ids: string[], mayAll: boolean): string[] {
  if (/^(?:both|all|everything|them|those)/.test(which)) return ids;
  if (/^(?:it|that one|this one|yes|do it|go ahead)$/.test(which))
    return ids.length === 1 || (mayAll && /^(?:yes|do it|go ahead)$/.test(which)) ? ids : [];
  const places = (which.match(/[a-z]+|\d+/g) ?? []).map((word) =>
    word === 'last' ? ids.length : /^\d/.test(word) ? Number(word) : ORDINAL_WORDS.indexOf(word) + 1,
  );
  return [...new Set(places.flatMap((place) => ids[place - 1] ?? []))];
}
