/** Makes texts of models, tools and servers safe to decide about: nothing in them acts, hides or looks like something else. */

/** Letters of scripts in which a joiner changes how its neighbours look. */
const JOINED = `[${'Arab Syrc Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh'.replace(/\w+ ?/g, (script) => `\\p{scx=${script.trim()}}`)}]`;
/** Invisible characters with a visible effect where they stand: in emoji, and between such letters. */
const SHAPING = [
  String.raw`(?<=\p{Extended_Pictographic})\ufe0f`,
  String.raw`\ufe0f(?=\u20e3)`,
  String.raw`(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=\p{Extended_Pictographic})`,
  String.raw`(?<=${JOINED})[\u200c\u200d](?=${JOINED})`,
].join('|');
/** Whatever has no shape of its own: control and format characters, every blank but the space, fillers, unassigned code points. */
const HIDDEN = String.raw`[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]`;

const codeOf = (character: string): string =>
  `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`;

/** Shows what is hidden, but for what `plain` matches. Its pattern is made when first needed: that takes some milliseconds. */
function showBut(plain: string): (text: string) => string {
  let hidden: RegExp | null = null;
  return (text) => {
    hidden ??= new RegExp(`(?!${plain})(?=${HIDDEN})(?:${SHAPING}|(.))`, 'gsu');
    return text.replace(hidden, (shape, found?: string) => (found === undefined ? shape : codeOf(found)));
  };
}
const showInText = showBut('[ \\n\\t]');

/** A text with its lines and tabs, and everything else that can't be seen as its code: `[U+202E]`. A lone CR ends no line. */
export const visible = (text: string): string => showInText(text.replaceAll('\r\n', '\n'));

/** As {@link visible}, in one line: line ends and tabs are shown by their codes as well. */
export const visibleLine = showBut(' ');

/** A text of at most so many characters (code points); of a longer one, its start and its end. */
export function clip(text: string, most: number): string {
  // A character has at most two code units, so no more of a long text is looked at.
  if (text.length <= most || (text.length <= 2 * most && Array.from(text).length <= most)) return text;
  const end = Math.floor(most / 3);
  const first = Array.from(text.slice(0, 2 * most)).slice(0, most - end - 1);
  return `${first.join('')}…${Array.from(text.slice(-2 * end))
    .slice(-end)
    .join('')}`;
}

/** Longest name that is shown whole, in characters. Names of tools, as models use them, are no longer. */
export const LONGEST_NAME = 64;
const QUOTES = /["\p{Quotation_Mark}\u02ba\u02ee\u05f4\u2033\u2036\u3003]/gu;

/** A name that somebody else chose, for a sentence: one short line in quotation marks, which it can't end. */
export function quoted(name: string): string {
  const line = visibleLine(name).replace(QUOTES, '’').replace(/ +/g, ' ').trim();
  const shown = clip(line, LONGEST_NAME);
  return shown === line
    ? `“${line}”`
    : `“${shown}” (${Array.from(name).length.toLocaleString('en')} characters)`;
}
