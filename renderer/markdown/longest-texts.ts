/** How wide the columns of a long table must be, of which only the first rows are laid out together. */
import type { Tokens } from 'marked';

/** What isn't drawn as it is written: addresses, tags, formulas and marks. */
const UNSEEN = /\]\([^()]*\)|\$[^$]*\$|[[\]*`~]/g;
const BREAKS = /<[^<>]*>/g;
/** Letters that are twice as wide as others. */
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/g;
/** More is as wide as a column may be. */
const MOST_CHARACTERS = 80;

/** For each column the longest text in it, and the longest word if that is in another, each in a line. Estimated, in linear time. */
export const longestTexts = ({ header, rows }: Tokens.Table): string[] =>
  header.map((_, column) => {
    let [text, word] = ['', ''];
    let [width, wordWidth] = [0, 0];
    for (const row of rows) {
      const written = row[column]?.text ?? '';
      if (written.length * 2 <= wordWidth) continue;
      for (const line of written
        .slice(0, 4 * MOST_CHARACTERS)
        .replace(UNSEEN, '')
        .split(BREAKS)) {
        if (widthOf(line) > width) [text, width] = [line, widthOf(line)];
        for (const one of line.split(' '))
          if (widthOf(one) > wordWidth) [word, wordWidth] = [one, widthOf(one)];
      }
    }
    return `${text.slice(0, MOST_CHARACTERS)}\n${word.slice(0, MOST_CHARACTERS)}`;
  });

const widthOf = (text: string): number => text.length + (text.match(WIDE)?.length ?? 0);
