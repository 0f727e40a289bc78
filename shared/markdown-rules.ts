/**
 * The Markdown library's rules for text that isn't English. They are CommonMark's for ASCII. The library has no options for them,
 * but reads them from one table, which {@link extendMarkdownRules} changes. What people and models write beside CommonMark is in
 * {@link ownRules}.
 */
import {
  Lexer,
  Tokenizer,
  type MarkedExtension,
  type Token,
  type TokenizerExtension,
  type Tokens,
} from 'marked';
import { UNSPACED_LETTER } from './scripts.ts';
import { PATH } from './windows-path.ts';

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
/** Such an address before a blank: `https://example.com/中文`, or a bracket. It is one if the same, nothing or a label is before it, too. */
export const LONE_ADDRESS = new RegExp(
  `^https?://${HOST}/${UNSPACED_LETTER}[\\p{L}\\p{M}\\p{N}_%~.-]*(?:(?=\\s|$)|(?=([\\p{Pe}\\p{Pf}"])))`,
  'iu',
);
/** It ends with a name: `react@18.2.0` is a version; nor does an address of a server follow: `git@example.com:a/b`. */
const EMAIL =
  '(?:[A-Za-z0-9._+-]|\\\\_){1,64}(@)[a-zA-Z0-9-_]+(?:\\.[a-zA-Z0-9-_]+)*\\.[a-zA-Z][a-zA-Z0-9-]*[a-zA-Z](?![\\w-]|[.:/][\\w/])';

/** What holds marks that are no emphasis: products and powers (`2*3*4`, `x**2`), patterns of file names, ends of comments, names in Python. */
const NO_EMPHASIS = new RegExp(
  String.raw`(?<![\w*]|\*[^\w\s*])(?=(?:\w+\*{1,2})*(?:\w+\*{1,2}\d|(?:\d+|[a-zA-Z])\*))\w+(?:\*{1,2}\w+)+(?![\w*])` +
    String.raw`|(?<=/)(?:\*(?![\w*])|\*\*(?=/|\{|\.[a-z{]))|(?<![\w*)\]])\*(?=\.[a-z]|/(?:\s|$))` +
    String.raw`|(?<!\w)__[a-z]+(?:_[a-z]+)*__(?=\(|\.[a-z])|(?<=[\w)]\.)__[a-z]+__(?!\w)` +
    String.raw`|(?<!\w)__(?:call|class|contains|del|dict|doc|enter|eq|exit|file|getattr|getitem|hash|init|iter|len|main|mocks|name|new|next|proto|pycache|repr|setattr|setitem|slots|str|tests|version|FILE|LINE)__(?!\w)`,
  'g',
);

/** The end of bold text that is a path. The library took its last backslash for an escape, and the two that may begin it. */
const PATH_END = /(\*\*(?:[a-z]:|%\w{1,30}%|\+\+[\w.-]{1,80})\\[^*\n]{0,200})\+\+\*(?!\*)/gi;

/** A text with letters in place of such marks. */
export const withoutOtherMarks = (text: string): string =>
  text.replace(PATH_END, '$1a**').replace(NO_EMPHASIS, (part) => part.replace(/[*_]/g, 'a'));

/** More marks of emphasis than this in one run of text are an attack or a slip; pairing them takes quadratic time. */
const MOST_EMPHASIS_MARKS = 600;

const PATH_HERE = new RegExp(`^${PATH.source}`, 'i');
/** Where a path, a note or a formula may begin, so that the text before ends there; the library ends it at a backslash. */
const BEGINS = '\\$|\\^\\[|[a-zA-Z]:\\\\|%\\w{1,30}%\\\\|[hH][kK]\\w{1,32}\\\\|\\.{1,2}\\\\';

/** Closes the text before a piece, and returns its end. A long one gets a successor: the library would copy it with each piece it adds. */
export function closeTextBefore(tokens: Token[]): string | undefined {
  const last = tokens.findLast(({ raw }) => raw !== '');
  if (last?.type === 'text' && last.raw.length > 2_000) tokens.push({ type: 'text', raw: '', text: '' });
  return last?.raw.slice(-4);
}

const path: TokenizerExtension = {
  name: 'path',
  level: 'inline',
  tokenizer(source, tokens) {
    const [raw] = PATH_HERE.exec(source) ?? [];
    if (raw === undefined || /[\w\\:/.%~}]$/.test(closeTextBefore(tokens) ?? '')) return undefined;
    return { type: 'text', raw, text: raw };
  },
};

/** Hyphens below a sentence, or below several lines, part it from what follows; they make no heading of it. */
const RULE_BELOW = /\n(?<=\n.*\n|[.!?:;,…。！？：；，、][\p{Pe}\p{Pf}"'*_]*[ \t]*\n) {0,3}---[ \t]*\n*$/u;

/** A larger table isn't parsed as one: each row gets as many cells as the head has, so short rows can make millions of them. */
const MOST_CELLS = 10_000;
const TABLE_START = /^[^\n]*\n( {0,3}[|:-][-|: \t]*)(?:\n|$)/;

/** Code and formulas of a cell that may hold a bar. */
const CELL_PIECE =
  /(?<!`)``(?!`)(?:[^`\n]|(?<!`)`(?!`))+``(?!`)|(?<!`)(`+)(?!`)[^`\n]+\1(?!`)|\$\$[^$\n]+\$\$|(?<!\\)\\\((?:[^\\\n]|\\[^()\n])+\\\)|(?<![\w$\\])\$(?![\s$\d])[^$\n]*[^\s$\\]\$(?![\w$])/g;

const UNESCAPED_BAR = /(?<!\\)(?:\\\\)*(?=\|)/g;

const cellsOf = (row: string): string[] =>
  row
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)(?:\\\\)*\|/);

/** A row with more cells at its end. */
const widened = (row: string, count: number, cell: string): string =>
  count > 0 ? `${row.trimEnd().replace(/(?<!\\)\|$/, '')}|${cell.repeat(count)}` : row;

/** For `marked`, beside the changed rules. */
export const ownRules: MarkedExtension = {
  extensions: [path],
  hooks: {
    emStrongMask(run) {
      const masked = withoutOtherMarks(run);
      const { length } = masked.match(/[*_~]/g) ?? [];
      return length > MOST_EMPHASIS_MARKS ? masked.replace(/[*_~]/g, 'a') : masked;
    },
  },
  tokenizer: {
    lheading(source) {
      const heading = Tokenizer.prototype.lheading.call(this, source);
      if (heading === undefined || !RULE_BELOW.test(heading.raw)) return heading;
      const raw = heading.raw.replace(RULE_BELOW, '\n');
      // The library's types allow only its headings here.
      return { ...heading, type: 'paragraph', raw } as unknown as Tokens.Heading;
    },
    emStrong: (source, masked) => (masked.at(-source.length) === 'a' ? undefined : false),
    del: (source, masked) => (masked.at(-source.length) === 'a' ? undefined : false),
    table(source) {
      const columns = TABLE_START.exec(source)?.[1]?.match(/[^|\s]+/g)?.length ?? 0;
      if (columns === 0) return false;
      const end = source.search(/\n[ \t]*\n/);
      const text = end === -1 ? source : source.slice(0, end);
      const escaped = text.replace(CELL_PIECE, (piece) => piece.replace(UNESCAPED_BAR, '$&\\'));
      const [whole, head = '', rule = '', body = ''] = this.rules.block.table.exec(escaped) ?? [];
      if (whole === undefined || !head.includes('|') || !rule.includes('|')) return false;
      // Rows may have more cells than the head, which the library leaves out, and the rule may have fewer or more.
      const heads = cellsOf(head).length;
      const rows = body.split('\n');
      const widths = rows.map((row) => cellsOf(row).findLastIndex((cell) => cell.trim() !== '') + 1);
      const width = Math.max(heads, columns, ...widths);
      if (width * rows.length > MOST_CELLS) return undefined;
      const first = `${widened(head, width - heads, ' |')}\n${widened(rule, width - columns, '-|')}\n`;
      const table = Tokenizer.prototype.table.call(this, first + body);
      if (table) table.raw = text.split('\n', table.raw.split('\n').length).join('\n');
      return table ?? false;
    },
  },
};

/** The numbers of a list's items: as they were written, unless some are the same, as in `1. 1. 1.` */
export function numbersOf({ start, items }: Tokens.List): number[] {
  const written = items.map(({ raw }) => Number.parseInt(raw, 10));
  const first = start === '' ? 1 : start;
  return new Set(written).size === items.length ? written : items.map((_, index) => first + index);
}

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
        .replace('(?=[\\\\<', `(?=${BEGINS}|[\\\\<`)
        .replace('(?<![^\\s*_~(])www', "(?<![!-')+-^`-}])www")
        .replaceAll('}~-]+@', '}~\\\\-]{1,64}@')
        .replaceAll('}~-](?=', '}~\\\\-](?='),
    ),
  });
}
