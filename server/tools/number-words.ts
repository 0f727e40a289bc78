/** English numbers from zero to twenty; a word's index is its value. */
export const NUMBER_WORDS: readonly string[] = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen ' +
  'nineteen twenty'
).split(' ');

/** English ordinals from first to tenth; a word's index is one less than its value. */
export const ORDINAL_WORDS: readonly string[] =
  'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');

/** A pattern for English months, long and short, without brackets around it. */
export const MONTHS =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';

/** Words for large numbers, with what they are worth. */
export const LARGE_NUMBERS: ReadonlyMap<string, number> = new Map([
  ['thousand', 1e3],
  ...['lakhs', 'lakh', 'lacs', 'lac'].map((word) => [word, 1e5] as const),
  ['million', 1e6],
  ...['crores', 'crore'].map((word) => [word, 1e7] as const),
  ['billion', 1e9],
  ['trillion', 1e12],
]);
