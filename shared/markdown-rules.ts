/**
 * The Markdown library's rules for text that isn't English. They are CommonMark's for ASCII. The library has no options for them,
 * but reads them from one table, which {@link extendMarkdownRules} changes.
 */
import { Lexer } from 'marked';
import { UNSPACED_LETTER } from './scripts.ts';

/** What isn't ASCII and isn't white space. */
const OTHER = '(?!\\s)[\\u0080-\\u{10ffff}]';

/** What ends bold text, not what it begins with, where a letter follows at once: `**Note:**text`. */
const BOLD_END = '(?:[:;,.!?)\\]%]|(?<=[\\w.!?])["\'])(?=\\*\\*[a-zA-Z])';

/**
 * What closes emphasis. CommonMark reads the second mark of `**“A”**是` as an opening one, for want of a blank. Where a letter or
 * sign beyond ASCII touches a mark, it may open and close. The groups are the library's: 1 and 2 can only close, 3 and 4 only
 * open, 5 and 6 both. `signs` are the ASCII punctuation.
 */
function closing(mark: string, run: string, signs: string, skipped: string): RegExp {
  const sign = `(?!${mark})[${signs}]`;
  const word = `[^\\s${signs}\\u0080-\\u{10ffff}]`;
  const both = `${BOLD_END}|${word}(?=${run}(?:${word}|${OTHER}))|${sign}(?=${run}${OTHER})|${OTHER}(?=${run}(?!${mark})\\S)`;
  return new RegExp(
    `${skipped}[^${mark}]+(?=[^${mark}])|(?:${sign}|${OTHER})(${run})(?=\\s|$)` +
      `|${word}(${run})(?!${mark})(?=\\s|[${signs}]|$)|(?:\\s|(?!${BOLD_END})${sign})(${run})(?=${word})` +
      `|\\s(${run})(?!${mark})(?=[${signs}]|${OTHER})|${sign}(${run})(?!${mark})(?=[${signs}])|(?:${both})(${run})`,
    'gu',
  );
}

/** The same before `__`, which never stands within a word. */
const UNDERLINED_END = `(?![_\\p{Ps}\\p{Pi}])[\\p{P}\\p{S}](?=_+${OTHER})(?=_+[\\p{L}\\p{N}])`;

/** A host: labels of Latin letters, or of one other script. `https://example.com是` ends before the other script. */
const LABEL =
  '(?:[\\p{Script=Latin}\\d_-]+|(?!\\p{Script=Latin})\\p{L}(?:(?!\\p{Script=Latin})[\\p{L}\\p{M}\\d-])*)';
const HOST = `${LABEL}(?:\\.${LABEL})*(?::\\d+)?`;
const LETTER = '[\\p{L}\\p{M}\\p{N}]';
/** `中文`, before what shows that it is a segment of an address: `/中文/a`, `/中文?q=1`, `/文件（1）.zip`. */
const SEGMENT =
  `${UNSPACED_LETTER}(?:[\\p{L}\\p{M}\\p{N}_%~-]|（[^\\s（）]{1,50}）){0,100}` +
  `(?:/|[?#](?=${LETTER})|\\.[a-z\\d]{2,5}(?![a-z\\d]))`;
/** Brackets belong to an address in pairs; quotes, `>` and the next address end it. */
const SIGN = `(?![,;|]https?://)[!#-&(-;=?-Z^_a-z|~]|'(?=\\w)|\\\\(?=[!-~])|\\[[^\\s[\\]<>"]{0,100}\\](?!\\()|\\{[^\\s{}<>"]{0,100}\\}`;
/**
 * The rest of an address. Punctuation beyond ASCII ends it, and so does a letter like 是 that continues no segment, field or
 * anchor in its script: `…/wiki/北京` is an address, `…/docs是` isn't, and `https://example.com/是` neither.
 */
const REST =
  `(?:(?:[/?#](?!${UNSPACED_LETTER})|/(?=${SEGMENT}))(?:${SIGN}` +
  `|(?!${UNSPACED_LETTER})${LETTER}|（[^\\s（）]{1,50}）(?=[/.][\\w/])` +
  `|(?<=[/=#_+-]|${UNSPACED_LETTER})(?!\\p{P}|\\p{S})${UNSPACED_LETTER})*|[/?#])?`;
/** Such an address before a blank: `https://example.com/中文`. It is one if there is nothing, a blank or a label before it, too. */
export const LONE_ADDRESS = new RegExp(
  `^https?://${HOST}/${UNSPACED_LETTER}[\\p{L}\\p{M}\\p{N}_%~.-]*(?=\\s|$)`,
  'iu',
);
/** It ends with a name: `react@18.2.0` is a version; nor does an address of a server follow: `git@example.com:a/b`. */
const EMAIL =
  '(?:[A-Za-z0-9._+-]|\\\\_){1,64}(@)[a-zA-Z0-9-_]+(?:\\.[a-zA-Z0-9-_]+)*\\.[a-zA-Z][a-zA-Z0-9-]*[a-zA-Z](?![\\w-]|[.:/][\\w/])';

/** Changes the library's rules, for all its lexers here. */
export function extendMarkdownRules(): void {
  const { gfm } = Lexer.rules.inline;
  Object.assign(gfm, {
    punctuation: new RegExp(`^(?![*_])(?:[\\s!-/:-@\\[-\`{-~]|${OTHER})`, 'u'),
    emStrongLDelim: /^(?:\*+(?:((?!\*)[!-/:-@[-`{-}])|([^\s*]))?)|^_+(?:((?![_~])[\p{P}\p{S}])|([^\s_]))?/u,
    emStrongRDelimAst: closing('\\*', '\\*+', '!-/:-@\\[-`{-}', '^[^_*]*?__[^_*]*?\\*[^_*]*?(?=__)|'),
    // The library's, but that a letter beyond ASCII may follow at once.
    emStrongRDelimUnd: new RegExp(
      `${gfm.emStrongRDelimUnd.source.replace('(?!_)[\\s', `(?!_|${UNDERLINED_END})[\\s`)}|${UNDERLINED_END}(_+)`,
      'gu',
    ),
    // One tilde is a range or an approximation: `3~5 and 7~9`.
    delLDelim: /^~~(?:((?!~)[!-/:-@[-`{-~])|[^\s~])/u,
    delRDelim: closing('~', '~~', '!-/:-@\\[-`{-~', '^'),
    url: new RegExp(
      `^(?:mailto|xmpp):${EMAIL.replace('(@)', '@')}` +
        `|^((?:https?|ftp)://|www\\.)(?:[\\w.~!$&'()*+,;=:%-]{1,100}@)?${HOST}${REST}|^${EMAIL}`,
      'iu',
    ),
    // `www.` may follow a letter that isn't ASCII, and a name before `@` may hold `\_`.
    text: new RegExp(
      gfm.text.source
        .replace('(?<![^\\s*_~(])www', "(?<![!-')+-^`-}])www")
        .replaceAll('}~-]+@', '}~\\\\-]{1,64}@')
        .replaceAll('}~-](?=', '}~\\\\-](?='),
    ),
  });
}
