import { MAX_TITLE_CHARACTERS, NEW_CHAT_TITLE } from '../../shared/limits.ts';
import { plainText, shorten, textLines, VISIBLE } from './plain-text.ts';

/** What only leads over to the next line: "Sort these:" is titled "Sort these". */
const LEAD_OVER = /[\s,:]+$/u;

/**
 * A chat's title from the text of a message: the first line that says something, without Markdown's marks, whole words
 * and at most 60 characters (code points). "New chat" when there are no words at all.
 */
export function titleFrom(text: string): string {
  for (const line of textLines(text)) {
    const words = plainText(line).replace(LEAD_OVER, '');
    if (VISIBLE.test(words)) return shorten(words, MAX_TITLE_CHARACTERS);
  }
  return NEW_CHAT_TITLE;
}

/** What models put around a title, though they were asked not to. */
const LABEL = /^(?:title|titel|titre|título|titolo)\s*[:：]\s*/iu;
const QUOTES = /^["'“”„«»‘’「『《]+|["'“”„«»‘’」』》]+$/gu;
const FULL_STOP = /[\s.。,;:]+$/u;

/** A title from a model's answer, as {@link titleFrom}, without what is no part of one; null: there is none in it. */
export function titleFromModel(answer: string): string | null {
  for (const line of textLines(answer)) {
    let words = plainText(line).replace(LABEL, '');
    // A full stop may stand inside the quotation marks, or after them.
    for (let times = 0; times < 2; times += 1)
      words = words.replace(FULL_STOP, '').replace(QUOTES, '').trim();
    if (VISIBLE.test(words)) return shorten(words, MAX_TITLE_CHARACTERS);
  }
  return null;
}
