import { MAX_TITLE_CHARACTERS, NEW_CHAT_TITLE } from '../../shared/limits.ts';
import { toolTitle } from '../../shared/tool-title.ts';
import { plainText, shorten, textLines, VISIBLE } from './plain-text.ts';

/** What only leads to the next line: "Sort these:" becomes "Sort these". */
const LEAD_OVER = /(?<![\s,:])[\s,:]+$/u;

const FORM = /^\s*\/tool\s+([\w.-]+)(?=\s|$)/;

/** Comments, document types and processing instructions. */
const DECLARATION = /<[!?][^<>]*>/g;
const LINE_BREAK = /(?<=\S)<br\s*\/?>/gi;
const CLOSING_TAG = /<\/([a-z][\w.:-]*)\s*>/gi;
const TAG = /<\/?([a-z][\w.:-]*)(?:\s[^<>]*)?>/gi;
/** Before words or alone on its line, where nobody mentions it. */
const FIRST_TAG = /^\s*<[a-z][\w.:-]*(?:\s[^<>]*)?>(?=\S|\s*$)/i;
const ADDRESS = /<?\bhttps?:\/\/(?:www\.)?([^\s<>()?#]+)[^\s<>(),]*>?/gi;
const ONLY_ADDRESS = /^\s*<?https?:\/\/\S+\s*$/i;
const TABLE_ROW = /^\s*\|/;
/** JSON, LaTeX, a part of a tag, or something longer than any word. */
const FOR_PROGRAMS = /^\s*(?:\{|\[[[{"]|"[^"]*"\s*:|\\[a-z]|<[a-z][^>]*$|[\w:-]+=["']|[!-~]{61})/i;
const LETTERS = /[\p{L}\p{N}]/u;
/** No script puts more marks on a letter. */
const PILED_MARKS = /(\p{M}{4})\p{M}+/gu;

/** A line in plain words, and how well it names what the text is about: `prose` best, then `other`, then mere `signs`. */
interface Words {
  words: string;
  kind: 'prose' | 'other' | 'signs';
}

/** The lines of a text that have words, without marks of Markdown and HTML. */
function* wordsOf(text: string): Generator<Words> {
  let closed: ReadonlySet<string> | null = null;
  for (const { line, isCode } of textLines(text)) {
    let shown = line;
    if (!isCode && shown.includes('<')) {
      closed ??= new Set(Array.from(text.matchAll(CLOSING_TAG), ([, name = '']) => name.toLowerCase()));
      shown = withoutTags(shown, closed);
    }
    const isRow = TABLE_ROW.test(shown);
    const isOther = isCode || isRow || FOR_PROGRAMS.test(shown) || ONLY_ADDRESS.test(shown);
    if (isRow) shown = cellsOf(shown).join(', ');
    const short = shown.replace(ADDRESS, (_address, path: string) => path.replace(/\/$/, ''));
    const words = plainText(short).replace(PILED_MARKS, '$1');
    // A line of nothing but tags is shown if there is nothing else.
    const found = VISIBLE.test(words) ? words : plainText(line);
    const hasLetters = found === words && LETTERS.test(words);
    if (VISIBLE.test(found))
      yield { words: found, kind: !hasLetters ? 'signs' : isOther ? 'other' : 'prose' };
  }
}

const cellsOf = (row: string): string[] =>
  row
    .split('|')
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '');

/** Tags that the text closes somewhere, or that open a line, are marks; others are what the text is about. */
const withoutTags = (line: string, closed: ReadonlySet<string>): string =>
  line
    .replace(DECLARATION, ' ')
    .replace(LINE_BREAK, ' ')
    .replaceAll('><', '> <')
    .replace(TAG, (tag, name: string) => (closed.has(name.toLowerCase()) ? '' : tag))
    .replace(FIRST_TAG, '');

/**
 * A chat's title from the text of a message: the first line of prose, or else of anything else, without marks of Markdown and
 * HTML, whole words and at most 60 characters (code points). "New chat" when there are no words at all.
 * The title of a form is its tool and first value: "Calculate: 2 + 2".
 */
export function titleFrom(text: string): string {
  const [head = '', tool] = FORM.exec(text.slice(0, 200)) ?? [];
  if (tool === undefined) return shorten(bestWords(text) ?? NEW_CHAT_TITLE, MAX_TITLE_CHARACTERS);
  const values = text.slice(head.length).replace(/^\s*(?:\w{1,40}[:：]\s*)?/u, '');
  const [given] = wordsOf(values);
  const value = given && leadless(given.words);
  return shorten(
    value === undefined ? toolTitle(tool) : `${toolTitle(tool)}: ${value}`,
    MAX_TITLE_CHARACTERS,
  );
}

const leadless = (words: string): string => words.replace(LEAD_OVER, '');

/** Null: there are no words. */
function bestWords(text: string): string | null {
  let best: Words | null = null;
  for (const found of wordsOf(text)) {
    if (found.kind === 'prose') return leadless(found.words);
    if (best === null || (best.kind === 'signs' && found.kind === 'other')) best = found;
  }
  return best && leadless(best.words);
}

/** A chat's title from a message: as {@link titleFrom}, or, without text, the name of its first file. */
export function titleOf({
  content,
  attachments,
}: {
  content: string;
  attachments: readonly { name: string }[] | null;
}): string {
  const [file] = attachments ?? [];
  return file === undefined || VISIBLE.test(content)
    ? titleFrom(content)
    : shorten(file.name, MAX_TITLE_CHARACTERS);
}

/** What models add to a title although they were asked not to. */
const LABEL = /^(?:title|titel|titre|título|titolo)\s*[:：]\s*/iu;
const QUOTES = /^["'“”„«»‘’「『《]+|(?<!["'“”„«»‘’」』》])["'“”„«»‘’」』》]+$/gu;
const FULL_STOP = /(?<![\s.。,;:])[\s.。,;:]+$/u;

/** Anything longer is an answer, not a title; a title that is a little too long is cut. In code points. */
const MAX_MODEL_TITLE_CHARACTERS = 80;
/** A refusal, or the conversation itself. */
const NO_TITLE =
  /^(?:i['’]?m sorry|i am sorry|sorry,|i can['’]t|i cannot|i['’]?m unable|as an ai|person:|assistant:)(?!\w)/iu;
const FENCES = /^[ \t]{0,9}(?:```|~~~).*$/gm;
const LEADS_OVER = /[:：]\s*$/u;

/**
 * A title from a model's answer, as {@link titleFrom}, without anything around it. Null: it has none, but is a refusal,
 * an answer or something for programs.
 */
export function titleFromModel(answer: string): string | null {
  const lines = Array.from(wordsOf(answer.replace(FENCES, ''))).filter(({ kind }) => kind === 'prose');
  const { words: line } = lines.find(({ words }) => !LEADS_OVER.test(words)) ?? lines.at(-1) ?? { words: '' };
  let words = line.replace(LABEL, '');
  // A full stop may be inside the quotation marks, or after them.
  for (let times = 0; times < 2; times += 1) words = words.replace(FULL_STOP, '').replace(QUOTES, '').trim();
  const isTitle =
    LETTERS.test(words) && !NO_TITLE.test(words) && Array.from(words).length <= MAX_MODEL_TITLE_CHARACTERS;
  return isTitle ? shorten(words, MAX_TITLE_CHARACTERS) : null;
}
