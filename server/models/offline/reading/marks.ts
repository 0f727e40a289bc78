const WORD = String.raw`[\p{L}\p{N}]`;
/** A mark such as the inch sign after a digit opens nothing; a single mark between letters is an apostrophe. */
const QUOTED = new RegExp(
  [
    ...['"[^"]+"', '“[^“”]+”', '„[^„“]+“', '«[^«»]+»', '`[^`]+`'],
    `'(?:[^']|(?<=${WORD})'(?=${WORD}))+'(?!${WORD})`,
    `‘(?:[^‘’]|(?<=${WORD})’(?=${WORD}))+’(?!${WORD})`,
  ]
    .map((quoted) => `(?<!${WORD})${quoted}`)
    .join('|'),
  'gu',
);

/** The quotations of a text, in order, none inside another: what each says, and where it stands with its marks. Linear, whatever the text. */
export const findQuotations = (text: string): { start: number; end: number; content: string }[] =>
  Array.from(text.matchAll(QUOTED), ({ index, 0: whole }) => ({
    start: index,
    end: index + whole.length,
    content: whole.slice(1, -1),
  }));

/** What the longest quotation of a text says; null when it holds none. */
export function longestQuotation(text: string): string | null {
  const [longest] = findQuotations(text).sort((one, other) => other.content.length - one.content.length);
  return longest?.content.trim() ? longest.content : null;
}

const BRACKETS = /[([{][^()[\]{}]*[)\]}]/g;
const MAX_NESTED = 5;
const blank = (span: string): string => '_'.repeat(span.length);

/** The text with a filler of the same length for what is in quotes or brackets: what matches is outside, at the same offset. */
export function maskText(text: string): string {
  let masked = text.replace(QUOTED, blank);
  for (let depth = 0; depth < MAX_NESTED; depth += 1) masked = masked.replace(BRACKETS, blank);
  return masked;
}

const FENCED =
  /^[ \t]{0,3}(`{3,}|~{3,}(?!~))[^\r\n`]*(?:\r?\n|(?![^]))(?<code>[^]*?)(?:^[ \t]{0,3}\1[`~]*[ \t]*(?:\r?\n|(?![^]))|(?![^]))/gm;

/** Takes the fenced code blocks out of a message; `code` is what they hold, joined by empty lines, or null. An open fence runs to the end. */
export function takeFences(message: string): { outside: string; code: string | null } {
  const blocks = Array.from(message.matchAll(FENCED), ({ groups }) =>
    (groups?.['code'] ?? '').replace(/\n$/, ''),
  );
  const code = blocks.filter((block) => block.trim() !== '').join('\n\n');
  return { outside: message.replace(FENCED, '').trim(), code: code === '' ? null : code };
}
