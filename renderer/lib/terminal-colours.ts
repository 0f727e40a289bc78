/** What terminals colour text with; in a log that was copied from one it is noise. */
const COLOURS = /\x1b\[[\d;]*m/g;

export const withoutColours = (text: string): string =>
  text.includes('\x1b') ? text.replace(COLOURS, '') : text;
