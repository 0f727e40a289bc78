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
