/** Questions that something noted answers: "who has the spare key?" once it was said who it is with. */
import { FindNotesOutput, findNotes, rememberNote, RememberNoteOutput } from '../../../../tools/notes.ts';
import { subjectWords } from '../../../../tools/words.ts';
import { narrow } from '../../reading/narrow.ts';
import type { Exchange } from '../../skill.ts';

const QUESTION =
  /^(?:(?:and|so|but|ok|okay)[\s,]+)?(?:(?:with|to|from|at|in|on|for) )?(?:(?:who|where|when|what|how)(?:['’]?s|['’]re)?|whom|whose|which|is|are|was|were|do|does|did|has|have)\b/i;
/** Who has a thing of one's own: asked of nobody but who was told. */
const WHO_HAS =
  /^(?:(?:and|so|but) )?(?:who(?:['’]s| has| is)? (?:has|got|holds|holding|keeps|keeping|took|taken|owns)|who has|whom? did i (?:give|lend)) (?<thing>(?:the|my|our) [^?]{2,60}?)(?: to| with| now| again)*[\s?.!]*$/i;
/** Words of such questions that a note need not have. */
const ASKING = new Set(
  'who whom whose where when what which how has have had got get holds hold holding keep keeps keeping kept put leave left give gave lend lent took taken own owns with again now time date day please does did'.split(
    ' ',
  ),
);
const POINTS_BACK = /\b(?:it|that|them|those|these)\b/i;
const LONGEST_CHARACTERS = 120;

/** What to look for among the notes; null: nothing that was noted in this chat is asked about, as far as words tell. */
export function askedOfNotes(text: string, history: readonly Exchange[]): string | null {
  if (text.length > LONGEST_CHARACTERS || !QUESTION.test(text)) return null;
  const thing = WHO_HAS.exec(text)?.groups?.['thing'];
  if (thing !== undefined && !/^the\b.*\b(?:most|best|largest|biggest|highest|longest)\b/i.test(thing))
    return thing;
  const subject = subjectWords(text).filter((word) => !ASKING.has(word));
  if (subject.length > 0) {
    return notedWords(subject, history)?.join(' ') ?? null;
  }
  const last = history.at(-1);
  const [only, ...others] = last ? notesOf(last) : [];
  return only !== undefined && others.length === 0 && POINTS_BACK.test(text) ? only : null;
}

/** The words of a note of this chat that say all of a subject: "parked" for "park"; null: no note does. */
function notedWords(subject: readonly string[], history: readonly Exchange[]): string[] | null {
  for (const note of history.flatMap(notesOf)) {
    const words = subjectWords(note);
    const held = subject.flatMap((word) => words.find((other) => isSame(word, other)) ?? []);
    if (held.length === subject.length) return held;
  }
  return null;
}

/** Whether something that was noted in this chat is about this. */
export function isNoted(about: string, history: readonly Exchange[]): boolean {
  const subject = subjectWords(about);
  return subject.length > 0 && notedWords(subject, history) !== null;
}

const MIN_STEM = 4;

const isSame = (word: string, other: string): boolean =>
  word === other ||
  (Math.min(word.length, other.length) >= MIN_STEM &&
    (`${word}ed` === other || `${other}ed` === word || `${word}ing` === other));

/** The notes that were made or shown there. */
const notesOf = ({ steps }: Exchange): string[] =>
  steps.flatMap(({ tool, output }) => {
    if (tool === rememberNote.name) return narrow(RememberNoteOutput, output)?.note.text ?? [];
    if (tool === findNotes.name) return narrow(FindNotesOutput, output)?.notes.map(({ text }) => text) ?? [];
    return [];
  });
