/** English numbers from zero to twenty; a word's index is its value. */
export const NUMBER_WORDS: readonly string[] = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen ' +
  'nineteen twenty'
).split(' ');

/** English ordinals from first to tenth; a word's index is one less than its value. */
export const ORDINAL_WORDS: readonly string[] =
  'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');
