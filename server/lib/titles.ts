import { MAX_TITLE_CHARACTERS, NEW_CHAT_TITLE } from '../../shared/limits.ts';
import { toolTitle } from '../../shared/tool-title.ts';
import { plainText, shorten, textLines, VISIBLE } from './plain-text.ts';

/** What only leads to the next line: "Sort these:" becomes "Sort these". */
const LEAD_OVER = /(?<![\s,:])[\s,:]+$/u;

const FORM = /^\s*\/tool\s+([\w.-]+)(?=\s|$)/;
const FIELD_NAME = /^\w{1,40}\s*[:：]\s*/u;

/**
 * A chat's title from the text of a message: the first line with words, without Markdown's marks, whole words
 * and at most 60 characters (code points). "New chat" when there are no words at all.
 * The title of a form is its tool and first value: "Calculate: 2 + 2".
 */
export function titleFrom(text: string): string {
  const [head = '', tool] = FORM.exec(text.slice(0, 200)) ?? [];
  if (tool === undefined) return firstWords(text) ?? NEW_CHAT_TITLE;
  const given = firstWords(text.slice(head.length).replace(/^\s+/, ''), FIELD_NAME);
  return shorten(given === null ? toolTitle(tool) : `${toolTitle(tool)}: ${given}`, MAX_TITLE_CHARACTERS);
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

/** Null: there are no words. */
function firstWords(text: string, without = /^(?!)/): string | null {
  for (const line of textLines(text)) {
    const words = plainText(line.replace(without, '')).replace(LEAD_OVER, '');
    if (VISIBLE.test(words)) return shorten(words, MAX_TITLE_CHARACTERS);
  }
  return null;
}

/** What models add to a title although they were asked not to. */
const LABEL = /^(?:title|titel|titre|título|titolo)\s*[:：]\s*/iu;
const QUOTES = /^["'“”„«»‘’「『《]+|(?<!["'“”„«»‘’」』》])["'“”„«»‘’」』》]+$/gu;
const FULL_STOP = /(?<![\s.。,;:])[\s.。,;:]+$/u;

/** Anything longer is an answer, not a title; a title that is a little too long is cut. In code points. */
const MAX_MODEL_TITLE_CHARACTERS = 80;
const REFUSAL = /^(?:i['’]?m sorry|i am sorry|sorry,|i can['’]t|i cannot|i['’]?m unable|as an ai)\b/iu;
const LEADS_OVER = /[:：]\s*$/u;

/**
 * A title from a model's answer, as {@link titleFrom}, without anything around it. Null: it has none, but is a refusal,
 * an answer or something for programs.
 */
export function titleFromModel(answer: string): string | null {
  if (answer.trimStart().startsWith('{')) return null;
  const lines = Array.from(textLines(answer), plainText).filter((line) => VISIBLE.test(line));
  const line = lines.find((each, index) => !LEADS_OVER.test(each) || index === lines.length - 1) ?? '';
  let words = line.replace(LABEL, '');
  // A full stop may be inside the quotation marks, or after them.
  for (let times = 0; times < 2; times += 1) words = words.replace(FULL_STOP, '').replace(QUOTES, '').trim();
  const isTitle =
    VISIBLE.test(words) && !REFUSAL.test(words) && Array.from(words).length <= MAX_MODEL_TITLE_CHARACTERS;
  return isTitle ? shorten(words, MAX_TITLE_CHARACTERS) : null;
}
