import { en } from './en.ts';

/** What a language file holds. */
export type Words = typeof en;

const LANGUAGES: Partial<Record<string, Words>> = { en };

/** The words in the first of these languages (BCP 47 tags) that has a file; English if none has. */
export function chooseWords(tags: readonly string[]): Words {
  for (const tag of tags) {
    const words = LANGUAGES[tag.split('-')[0]?.toLowerCase() ?? ''];
    if (words) return words;
  }
  return en;
}

/** Every word the page shows, in the reader's language. */
export const words = chooseWords(navigator.languages);
