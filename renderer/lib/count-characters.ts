const BEYOND_ONE_UNIT = /[\u{10000}-\u{10ffff}]/gu;

/** Characters (code points) of a text, as the service measures messages. */
export const countCharacters = (text: string): number =>
  text.length - (text.match(BEYOND_ONE_UNIT)?.length ?? 0);
