const LETTER = /\p{L}/u;
const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/**
 * The direction of a text, by its first letter; undefined: it has none, so that of what is around it applies. `dir="auto"` would
 * pass over elements that have their own, such as the items of a list, and Chromium works it out again for each element or line that
 * is added: pasting thousands of lines took it most of a second.
 */
export function textDirection(text: string): 'rtl' | 'ltr' | undefined {
  const [letter] = LETTER.exec(text) ?? [];
  return letter === undefined ? undefined : RIGHT_TO_LEFT.test(letter) ? 'rtl' : 'ltr';
}
