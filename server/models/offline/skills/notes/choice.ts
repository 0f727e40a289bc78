import { ORDINAL_WORDS } from '../../../../tools/number-words.ts';
import { FindNotesOutput, findNotes, forgetNote, ForgetNoteOutput } from '../../../../tools/notes.ts';
import { narrow } from '../../reading/narrow.ts';
import type { Exchange } from '../../skill.ts';

/** Choosing among notes that were listed just before: "the second one", "forget 1 and 3", "all of them". */

const CHOICE =
  /^(?:(?:yes|yeah|yep|ok|okay|please)[\s,]*)*(?<verb>(?:forget|delete|remove|erase|drop)\s+)?(?:note |notes |number |numbers |no\.? ?|#)?(?<which>(?:(?:the |and |note |number |[,&#]\s?)*(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|\d{1,3}(?:st|nd|rd|th)?)[\s,]*){1,10}|both|all|all of (?:them|it)|them all|everything|them|those|it|that one|that|this one)(?: ?one| ?ones| ?notes?| of them)?[\s.!]*$/i;
const YES = /^(?:yes|yeah|yep|sure|do it|go ahead|please do|yes please|that one|this one)[\s.!]*$/i;

/** Ids of the notes meant, or null when nothing was listed just before or the words choose nothing. */
export function chooseListed(text: string, history: Exchange[]): string[] | null {
  if (text.length > 120) return null;
  const match = CHOICE.exec(text);
  const isYes = YES.test(text);
  if (!match && !isYes) return null;
  const step = history
    .at(-1)
    ?.steps.findLast((one) => one.tool === forgetNote.name || one.tool === findNotes.name);
  if (!step) return null;
  const asked = narrow(ForgetNoteOutput, step.output)?.candidates;
  const listed = asked ?? narrow(FindNotesOutput, step.output)?.notes ?? [];
  // After a plain list only an order to forget counts; after "which one?" naming one is enough.
  const wasAsked = asked !== undefined || /Shall I forget all of them\?/.test(history.at(-1)?.answer ?? '');
  if (listed.length === 0 || (!wasAsked && match?.groups?.['verb'] === undefined)) return null;
  const ids = isYes
    ? listed.map((note) => note.id)
    : chosenIds(
        match?.groups?.['which'] ?? '',
        listed.map((note) => note.id),
      );
  if (isYes && listed.length > 1 && asked !== undefined) return null;
  return ids.length === 0 ? null : ids;
}

function chosenIds(which: string, ids: string[]): string[] {
  if (/^(?:both|all|all of (?:them|it)|them all|everything|them|those)$/i.test(which)) return ids;
  if (/^(?:it|that one|that|this one)$/i.test(which)) return ids.length === 1 ? ids : [];
  const words = which.toLowerCase().match(/[a-z]+|\d+/g) ?? [];
  const chosen = words.flatMap((word) => {
    const place =
      word === 'last' ? ids.length : /^\d/.test(word) ? Number(word) : ORDINAL_WORDS.indexOf(word) + 1;
    const id = ids[place - 1];
    return id === undefined ? [] : [id];
  });
  return [...new Set(chosen)];
}

/** Lines as a numbered Markdown list, so that they can be chosen by number. */
export function listedNotes(lines: string[]): string {
  return lines.map((line, index) => `${index + 1}. ${line}`).join('\n');
}
