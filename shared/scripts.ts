/**
 * A letter of a script that puts no blanks between words, or glues particles to them, as part of a regular expression with the
 * flag `u`.
 */
export const UNSPACED_LETTER =
  '[' +
  ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Bopomofo', 'Thai', 'Lao', 'Khmer', 'Myanmar', 'Tibetan', 'Yi']
    .map((script) => `\\p{Script_Extensions=${script}}`)
    .join('') +
  ']';
