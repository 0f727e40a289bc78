import { wordSet } from '../../reading/rules.ts';
import { NOTE_TOOLS } from '../../../../tools/index.ts';
import type { Note } from '../../../../tools/tool.ts';
import { forgetNote, findNotes, rememberNote } from '../../../../tools/notes.ts';
import { subjectWords } from '../../../../tools/words.ts';
import { stripCourtesy } from '../../reading/courtesy.ts';
import { fieldsOf, textOf } from '../../../../lib/fields.ts';
import { count } from '../../../../../shared/numbers.ts';
import type { ToolRequest, Request, OfflineSkill } from '../../skill.ts';
import { quoteBlock, quoteLine, formatting, formatEach, formatTime } from '../../wording/formatting.ts';
import { chooseListed } from './choice.ts';

const REMEMBER =
  /^(?:(?:remember|memori[sz]e|don['’]?t forget|keep in mind|(?:make|take|add|save) (?:a |this as a )?(?:new )?note|(?:note|write|jot) (?:this |that |it )?down|note to self|note(?=\s*:|\s+that\b))(?![\p{L}\p{N}'’-]))(?:\s+(?:that|this|of|about)(?![\p{L}'’-]))?\s*[:,–-]?\s*/iu;
/** A second order to the notes. */
const ALSO =
  /(?:[,;.]|\b(?:and|but|then|also))\s+(?:(?:and|then|also|please)\s+){0,3}(?:forget|remember|(?:delete|remove|erase|show|list)\s(?:[^\n]{0,60}\s)?notes?|(?:what(?:['’]?s| is)|calculate|convert|how (?:much|many)) [^\n]*\d(?=\W*$))\b[^\n]*/i;
/** Notes are kept until they are forgotten. */
const FOR_A_WHILE =
  /^(?:only |just )*(?:(?:until|till)\b[^:\n]{0,40}|for (?:now|today|tonight|(?:the next )?(?:an?|\d+|one|two|three|few|next|couple of) ?(?:minute|hour|day|week|month|year)s?)\b)/i;
const RECALLING = /^remember (?:(?:when|what|how|where|who|me)\b|(?:\w*things?|stuff)(?: for me)?$)/i;

const ALL_NOTES =
  /^(?:what (?:do|have|did) (?:i|you) (?:have |got )?(?:noted?|remember(?:ed)?|saved?|ask(?:ed)? you to remember)(?: down)?(?: so far)?|what(?: do you| you) (?:know|remember) about me|(?:(?:show|list|see|get|read)(?: me)? )?(?:all )?(?:my|the|your) notes|list notes|notes|do i have (?:any )?notes|what(?:['’]s| is| are) (?:in )?my notes)[\s?.!]*$/i;
const NOTES_ABOUT =
  /^(?:what (?:do|did|have) (?:you|i) (?:know|remember|noted?|saved?)(?: down)?(?: about| of| on)|(?:(?:do i have )?any|(?:find|search|show|list)(?: me)?(?: my| the)?) notes? (?:about|on|for|of|with)|do you remember|what did i (?:ask|tell) you to remember about)\s+(?<about>.{1,200}?)[\s?.!]*$/is;
const ABOUT_MINE =
  /^(?:what(?:['’]?s| is| are| was)|who(?:['’]?s| is| are)|where(?:['’]?s| is| are| did i (?:put|leave|park|keep|hide))|when(?:['’]?s| is| are)) (?<about>(?:my|our) (?!(?:chats?|conversations?|messages?|data|settings|api[ -]?keys?|models?|agents?|workspaces?|tools?)\b)[^?]{2,80}?)[\s?.!]*$/i;
/** Questions that a note might answer: notes are searched before such a question is refused. */
const ASKS =
  /^(?!what(?:['’]?s| is| are)(?: an?)? \S+$)(?:(?:with|to|from|at|in|on|for) )?(?:who|whom|whose|where|when|what|which|how (?:much|many|often) (?:did|do|have) (?:i|we))(?:['’]?s|['’]re)?\b/i;
/** Words of such questions that a note need not have. */
const ASKING = wordSet(`
  whats whos wheres whens has have had got hold keep kept put leave left give gave lend lent took taken own again
  now time date day live work
`);
const FORGET = /^(?:forget|(?:delete|remove|erase)(?= .{0,80}\bnotes?\b))\b\s*/i;
const FORGET_ALL =
  /^(?:forget|delete|remove|erase|clear) (?:all (?:of )?(?:my |the |your )?notes|everything|all of (?:it|them)|my notes)[\s.!]*$/i;
const FORGET_FILLER = /^(?:about |that |the |my |this )*(?:notes? )?(?:about |that |on |of |saying )*/i;
const JUST_SAID = /^(?:that|this|it|the last (?:one|note)|my last note|that note)?[\s.!]*$/i;

/** Keeps, finds and forgets what the person wants remembered. */
export const notesSkill: OfflineSkill = {
  needs: 'your notes',
  summary: 'remember things for you',
  examples: `
    remember that the spare key is with Ana | what do you know about the spare key? | show my notes |
    forget the note about the spare key
  `,
  tools: NOTE_TOOLS.map(({ name }) => name),
  parse(request) {
    const text = stripCourtesy(request.text);
    const ids = chooseListed(text, request.history);
    if (ids !== null) return { tool: forgetNote.name, input: { ids } };
    return find(text) ?? forget(text, request) ?? remember(text, request);
  },
  format: formatEach(
    formatting(rememberNote, ({ known, note, replaced }) => {
      const before = replaced ? `\n\nIt takes the place of ${quoteLine(replaced.text)}.` : '';
      return `${known ? 'I have that noted already' : 'Noted'}:\n\n${quoteBlock(note.text)}${before}`;
    }),
    formatting(findNotes, ({ notes, more }, { query }, request) => {
      const about = textOf(query) ?? '';
      const noteText = new Set(notes.flatMap(({ text }) => subjectWords(text)));
      const missing = subjectWords(about).filter((word) => !noteText.has(word));
      const asked = stripCourtesy(request.text);
      // A question that anybody might answer is one for the notes only where one holds all of it.
      const isForNotes = asked === '' || find(asked) !== null;
      if (!isForNotes && (notes.length === 0 || missing.length > 0)) return '';
      const nothing =
        about === '' ? 'You have no notes yet' : `I have nothing noted about ${quoteLine(about, 60)}`;
      if (notes.length === 0) return `${nothing}. Say “remember that …” and I’ll keep it.`;
      const all = FORGET_ALL.test(asked);
      const [only] = notes;
      if (notes.length === 1 && only && !all) {
        const isNear = missing.length > 0;
        const nearest = isNear ? `The nearest note says nothing of ${quoteLine(missing.join(', '))}. ` : '';
        return `${nearest}You noted on ${formatTime(only.createdAt, request.timeZone)}:\n\n${quoteBlock(only.text)}`;
      }
      const found = `You have ${more ? 'more than ' : ''}${count(notes.length, 'note')}`;
      const question = all ? '\n\nShall I forget all of them? Say “all of them”, or name one.' : '';
      return `${about === '' ? found : `${notes.length} notes fit`}:\n\n${listedNotes(notes, request)}${question}`;
    }),
    formatting(forgetNote, ({ forgotten, candidates }, { query }, request) => {
      const [only, ...others] = forgotten;
      if (only && others.length === 0) return `Forgotten: ${quoteLine(only.text, 300)}`;
      if (only) return `Forgotten:\n\n${listedNotes(forgotten, request)}`;
      if (candidates.length === 0)
        return `I have no note about ${quoteLine(textOf(query) ?? 'that', 60)}, so there was nothing to forget.`;
      const isOne = candidates.length === 1;
      const which = 'Several notes fit. Which one shall I forget?';
      return `${isOne ? 'No note says quite that. Did you mean this one?' : which}\n\n${listedNotes(candidates, request)}`;
    }),
  ),
};

function find(text: string): ToolRequest | null {
  if (text.length > 300) return null;
  if (ALL_NOTES.test(text)) return { tool: findNotes.name, input: {} };
  // It is shown before it is asked whether all of it shall go.
  if (FORGET_ALL.test(text)) return { tool: findNotes.name, input: { limit: 200 } };
  const query = (NOTES_ABOUT.exec(text) ?? ABOUT_MINE.exec(text))?.groups?.['about'];
  return query === undefined ? null : { tool: findNotes.name, input: { query } };
}

/** "Who has the spare key?": the words that a note would hold; null: it is no such question. */
export function lookUp(text: string): string | null {
  if (!ASKS.test(text) || text.length > 120) return null;
  return (
    subjectWords(text)
      .filter((word) => !ASKING.has(word))
      .join(' ') || null
  );
}

function forget(text: string, { material, history }: Request): ToolRequest | null {
  const rest = FORGET.test(text) && text.length <= 500 ? text.replace(FORGET, '') : null;
  if (rest === null) return null;
  if (JUST_SAID.test(rest)) {
    const made = history.at(-1)?.steps.findLast(({ tool }) => tool === rememberNote.name)?.output;
    const id = textOf(fieldsOf(fieldsOf(made)['note'])['id']);
    return id === null ? null : { tool: forgetNote.name, input: { ids: [id] } };
  }
  const query = (material ?? rest.replace(FORGET_FILLER, '')).replace(/(?<![\s.!?])[\s.!?]+$/, '');
  return subjectWords(query).length === 0 ? null : { tool: forgetNote.name, input: { query } };
}

function remember(text: string, request: Request): ToolRequest | null {
  // "Can you remember that …?" asks for it to be kept; "remember …?" asks whether it was.
  const [end = ''] = /(?<![\s?!])[\s?!]+$/.exec(text) ?? [];
  const isAsked = end.includes('?');
  const isQuestion = isAsked && text.length === request.text.length;
  if (!REMEMBER.test(text) || RECALLING.test(text) || isQuestion) return null;
  const noteText = (isAsked ? text.slice(0, -end.length) : text).replace(REMEMBER, '').trim();
  const block =
    request.material === null || noteText.includes(request.material) ? '' : request.material.trim();
  const note = `${noteText.replace(/:$/, '')}\n${block}`.trim() || lastWords(request);
  if (note === '') return null;
  const unused = (FOR_A_WHILE.exec(noteText) ?? ALSO.exec(noteText))?.[0].replace(
    /^[\s,;.]+|(?<!\s)\s+$/g,
    '',
  );
  return { tool: rememberNote.name, input: { text: note }, ...(unused !== undefined && { unused }) };
}

/** What a bare "remember that" means: the last answer where something was worked out, else what the person wrote. */
function lastWords({ history }: Request): string {
  const last = history.at(-1);
  // That is noted already.
  if (last?.steps.some(({ tool }) => NOTE_TOOLS.some(({ name }) => name === tool))) return '';
  return ((last?.steps.length ? last.answer : last?.question) ?? '').slice(0, 1_000).trim();
}

/** As a numbered list, so that they can be chosen by number; a note of several lines, or a list, on one line. */
const listedNotes = (notes: readonly Note[], { timeZone }: Request): string =>
  notes
    .map(({ text, createdAt }, index) => {
      const line = text.replace(/(^|\n)[^\S\n]*[-*•]\s+/g, '$1').replace(/(?<!\s)\s*\n\s*/g, '; ');
      return `${index + 1}. ${line.replace(/\s+/g, ' ')} *(${formatTime(createdAt, timeZone)})*`;
    })
    .join('\n');
