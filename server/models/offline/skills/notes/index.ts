import { NOTE_TOOLS } from '../../../../tools/index.ts';
import type { Note } from '../../../../tools/tool.ts';
import { forgetNote, findNotes, rememberNote, RememberNoteOutput } from '../../../../tools/notes.ts';
import { subjectWords } from '../../../../tools/words.ts';
import { stripCourtesy } from '../../reading/courtesy.ts';
import { narrow } from '../../reading/narrow.ts';
import type { Wish, Request, Skill } from '../../skill.ts';
import { quoteBlock, quoteLine, telling, tellsEach, tellTime, type OutputOf } from '../../wording/telling.ts';
import { askedOfNotes, isNoted } from './asked.ts';
import { chooseListed, listedNotes } from './choice.ts';

const REMEMBER =
  /^(?:(?:remember|memori[sz]e|don['’]?t forget|do not forget|keep in mind|bear in mind|make a note|take a note|(?:note|write|jot) (?:this |that |it )?down|(?:add|save|make|create|take) (?:a |this |that )?(?:as a )?(?:new )?note|note to self|note(?=\s*:|\s+that\b)|save (?:this|that) for later|save (?:this|that)(?=\s*:))(?![\p{L}\p{N}'’-]))(?:\s+(?:for me|for later))?(?:\s+(?:that|this|of|about)(?![\p{L}'’-]))?\s*[:,–-]?\s*/iu;
const RECALLING =
  /^(?:remember when|remember what|remember how|remember where|remember who|do you remember)\b/i;

const ALL_NOTES =
  /^(?:(?:what|which)(?: \S+){0,2} (?:do|have|did) (?:i|you) (?:have |got )?(?:noted?|remember(?:ed)?|saved?|written down|ask(?:ed)? you to remember)(?: down)?(?: so far| for me)?|(?:what|which) notes (?:do|have) (?:i|you) (?:have|got|made|saved)|what(?: do you| you|['’]?s) (?:know|noted|remember) about me|what(?: do you|['’]?s) (?:noted|remember)|(?:(?:show|list|see|get|read|display|view|give)(?: me)? )?(?:all )?(?:of )?(?:my|the|your) (?:saved )?notes|list notes|notes|do i have (?:any )?notes|what(?:['’]s| is| are) (?:in )?my notes|what is noted)[\s?.!]*$/i;
const NOTES_ABOUT =
  /^(?:what (?:(?:do|did) )?(?:you|i|we) (?:know|remember|have noted|note|write down)(?: down)?(?: about| of| on| regarding)|what have (?:i|you|we) (?:noted|saved|remembered|written down)(?: down)? (?:about|on|for|regarding)|(?:(?:do i have |are there |is there )?any(?:thing)?(?: notes?| noted)|(?:find|search|show|list|check|get|look (?:in|through|up))(?: me)?(?: in| through)?(?: all)?(?: my| the)? notes?) (?:about|on|for|of|with|that mention|mentioning|regarding)|(?:look up|find) (?=.{1,60} in my notes)|do you remember|what did i (?:ask|tell) you to remember about|(?:remind|tell) me (?:about|of) my (?=\S))\s*(?<about>.{1,200}?)(?: in my notes)?[\s?.!]*$/is;
const ABOUT_MINE =
  /^(?:what(?:['’]?s| is| are| was)|who(?:['’]?s| is| are)|where(?:['’]?s| is| are| did i (?:put|leave|park|keep|hide|save))|when(?:['’]?s| is| are)|do you know) (?<about>(?:my|our) [^?]{2,80}?)[\s?.!]*$|^where (?:is|are) (?<place>the [^?]{2,60}?)[\s?.!]*$/i;
/** Asked of anybody who might know: the notes are looked through before that is refused. */
const ABOUT_THE =
  /^(?:what|who|when|where)(?:['’]?s| is| are| was) (?<about>the (?:[^\s?]+ ){0,4}[^\s?]+)[\s?.!]*$/i;
const CHANGE =
  /^(?:(?:change|update|correct|set) (?<what>(?:my|our|the) .{2,60}?) (?:to|is(?: now)?) |(?:actually|no|correction|sorry|wait)[\s,:]+(?<what2>(?:my|our|the) .{2,60}?) (?:is|are)(?: now)? )(?<value>.{1,200}?)[\s.!]*$/i;

const FORGET = /^(?:forget|un-?note|(?:delete|remove|erase|drop)(?= .{0,80}\bnotes?\b))\b\s*/i;
const FORGET_ALL =
  /^(?:forget|delete|remove|erase|clear) (?:all (?:of )?(?:my |the |your )?notes|everything|all of (?:it|them)|my notes|all (?:that )?you know(?: about me)?)[\s.!]*$/i;
const FORGET_FILLER =
  /^(?:about |that |the |my |this )*(?:notes? )?(?:about |that |on |of |which says |saying |with )*/i;
const JUST_SAID =
  /^(?:that|this|it|that one|the last (?:one|note)|my last note|that note|this note)?[\s.!]*$/i;

/** Keeps, finds and forgets what the person wants remembered. */
export const notesSkill: Skill = {
  name: 'notes',
  summary: 'remember things for you',
  examples: [
    'remember that the spare key is with Ana',
    'what do you know about the spare key?',
    'show my notes',
    'forget the note about the spare key',
  ],
  tools: NOTE_TOOLS.map(({ name }) => name),
  reads: recognise,
  tells: tellsEach(
    telling(rememberNote, tellRemembered),
    telling(findNotes, tellFound),
    telling(forgetNote, tellForgotten),
  ),
};

function recognise(request: Request): Wish | null {
  const text = stripCourtesy(request.text);
  const ids = chooseListed(text, request.history);
  if (ids) return { tool: forgetNote.name, input: { ids } };
  return (
    recogniseFind(text) ??
    recogniseForget(text, request) ??
    recogniseChange(text, request) ??
    recogniseRemember(text, request) ??
    recogniseAsked(text, request) ??
    recogniseLast(text)
  );
}

function recogniseFind(text: string): Wish | null {
  if (text.length > 300) return null;
  if (ALL_NOTES.test(text)) return { tool: findNotes.name, input: {} };
  const asked = NOTES_ABOUT.exec(text)?.groups?.['about'];
  if (asked !== undefined) {
    const input = /^(?:me|myself)$/i.test(asked) ? {} : { query: asked };
    return { tool: findNotes.name, input };
  }
  const { about, place } = ABOUT_MINE.exec(text)?.groups ?? {};
  const mine = about ?? place;
  return mine === undefined ? null : { tool: findNotes.name, input: { query: mine } };
}

function recogniseLast(text: string): Wish | null {
  const query = ABOUT_THE.exec(text)?.groups?.['about'];
  return query === undefined ? null : { tool: findNotes.name, input: { query }, isLastResort: true };
}

/** "Change my shoe size to 43", "actually the meeting is on Wednesday": only of what was noted in this chat. */
function recogniseChange(text: string, { history }: Request): Wish | null {
  const { what, what2, value } = CHANGE.exec(text)?.groups ?? {};
  const replaces = what ?? what2;
  if (replaces === undefined || value === undefined || !isNoted(replaces, history)) return null;
  return { tool: rememberNote.name, input: { text: `${replaces} is ${value}`, replaces } };
}

function recogniseAsked(text: string, { history }: Request): Wish | null {
  const query = askedOfNotes(text, history);
  return query === null ? null : { tool: findNotes.name, input: { query } };
}

function recogniseForget(text: string, request: Request): Wish | null {
  if (FORGET_ALL.test(text)) return { tool: findNotes.name, input: { limit: 200 } };
  const start = FORGET.exec(text)?.[0].length ?? 0;
  if (start === 0) return null;
  const about = (request.material ?? text.slice(start).replace(FORGET_FILLER, '')).replace(/[\s.!?]+$/, '');
  if (JUST_SAID.test(text.slice(start))) {
    const last = request.history.at(-1)?.steps.findLast((step) => step.tool === rememberNote.name);
    const output = narrow(RememberNoteOutput, last?.output);
    return output && { tool: forgetNote.name, input: { ids: [output.note.id] } };
  }
  if (about === '' || text.length > 500) return null;
  return { tool: forgetNote.name, input: { query: about } };
}

function recogniseRemember(text: string, request: Request): Wish | null {
  const start = REMEMBER.exec(text)?.[0].length ?? 0;
  // "Can you remember that …?" asks for it to be kept; "remember …?" asks whether it was.
  const isAsked = /[?!]*\?[\s?!]*$/.exec(text.slice(-8))?.[0] ?? '';
  if (start === 0 || RECALLING.test(text) || (isAsked !== '' && text.length === request.text.length))
    return null;
  const said = text.slice(start, text.length - isAsked.length).trim();
  const block = request.material !== null && !said.includes(request.material) ? request.material.trim() : '';
  const note = [said.replace(/:$/, ''), block].filter((part) => part !== '').join('\n') || lastSaid(request);
  const as = /^as (?<name>(?:my|our|the) .{1,80})$/i.exec(note)?.groups?.['name'];
  const before = as === undefined ? '' : lastSaid(request);
  if (as !== undefined && before !== '') {
    return { tool: rememberNote.name, input: { text: `${as}: ${before}` } };
  }
  return note === '' ? null : { tool: rememberNote.name, input: { text: note } };
}

/** What a bare "remember that" means: the last answer where something was worked out, else what the person wrote. */
function lastSaid(request: Request): string {
  const last = request.history.at(-1);
  if (!last) return '';
  return (last.steps.length > 0 ? last.answer : last.question).slice(0, 1_000).trim();
}

function tellRemembered({ known, note, replaced }: OutputOf<typeof rememberNote>): string {
  return `${known ? 'I have that noted already' : 'Noted'}:\n\n${quoteBlock(note.text)}${replaced ? `\n\nIt takes the place of ${quoteLine(replaced.text)}.` : ''}`;
}

function tellFound(
  { notes, more }: OutputOf<typeof findNotes>,
  input: Record<string, unknown>,
  request: Request,
): string {
  const query = typeof input['query'] === 'string' ? input['query'] : null;
  const said = new Set(notes.flatMap(({ text }) => subjectWords(text)));
  const missing = subjectWords(query ?? '').filter((word) => !said.has(word));
  const asked = stripCourtesy(request.text);
  if (ABOUT_THE.test(asked) && (notes.length === 0 || missing.length > 0)) return '';
  if (notes.length === 0) {
    const nothing =
      query === null ? 'You have no notes yet.' : `I have nothing noted about ${quoteLine(query, 60)}.`;
    return `${nothing} Say “remember that …” and I’ll keep it.`;
  }
  const all = FORGET_ALL.test(stripCourtesy(request.text));
  const [only] = notes;
  if (notes.length === 1 && only && !all)
    return `${missing.length === 0 ? 'You noted' : `The nearest note says nothing of ${quoteLine(missing.join(', '))}. You noted`} on ${tellTime(only.createdAt, request.timeZone)}:\n\n${quoteBlock(only.text)}`;
  const start =
    query === null
      ? `You have ${more ? 'more than ' : ''}${notes.length} ${notes.length === 1 ? 'note' : 'notes'}`
      : `${notes.length} notes fit`;
  const question = all ? '\n\nShall I forget all of them? Say “all of them”, or name one.' : '';
  return `${start}:\n\n${listedNotes(notes.map((note) => noteLine(note, request)))}${question}`;
}

function tellForgotten(
  { forgotten, candidates }: OutputOf<typeof forgetNote>,
  input: Record<string, unknown>,
  request: Request,
): string {
  const [only] = forgotten;
  if (forgotten.length === 1 && only) return `Forgotten: ${quoteLine(only.text, 300)}`;
  if (forgotten.length > 1)
    return `Forgotten:\n\n${listedNotes(forgotten.map((note) => noteLine(note, request)))}`;
  const query = typeof input['query'] === 'string' ? quoteLine(input['query'], 60) : 'that';
  if (candidates.length === 0) return `I have no note about ${query}, so there was nothing to forget.`;
  const start =
    candidates.length === 1
      ? `No note says quite that. Did you mean this one?`
      : 'Several notes fit. Which one shall I forget?';
  return `${start}\n\n${listedNotes(candidates.map((note) => noteLine(note, request)))}`;
}

function noteLine(note: Note, request: Request): string {
  return `${asOneLine(note.text)} *(${tellTime(note.createdAt, request.timeZone)})*`;
}

/** A note of several lines, or a list, as one line. */
function asOneLine(text: string): string {
  return text
    .replace(/^\s*[-*•]\s+/, '')
    .replace(/\s*\n\s*(?:[-*•]\s+)?/g, '; ')
    .replace(/\s+/g, ' ');
}
