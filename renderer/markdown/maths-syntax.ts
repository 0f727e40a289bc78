/**
 * Finds maths in Markdown: `$…$`, `$$…$$`, `\(…\)`, `\[…\]` and bare environments (`\begin{cases}…`). The rules are strict, because
 * money, shell variables and escaped brackets are far more common than maths: anything ambiguous stays text.
 */
import { closeTextBefore } from '../../shared/markdown-rules.ts';
import { UNSPACED_LETTER } from '../../shared/scripts.ts';
import type { MarkedExtension, TokenizerExtension } from 'marked';

/** A formula in TeX. */
export interface MathsToken {
  type: 'maths';
  raw: string;
  /** The formula without its delimiters. */
  text: string;
  /** On a line of its own. */
  display: boolean;
}

/** The longest formula, so that delimiters which never close cost little. */
const LONGEST = 2_000;

/** What LaTeX sets as formulas without further marks. */
const ENVIRONMENTS =
  '(?:equation|eqnarray|align|gather|multline|alignat|aligned(?:at)?|gathered|(?:d|r|dr)?cases|split|d?array|subarray|(?:[pbvBV]|small)?matrix|CD)\\*?';

// Only SPACED may contain a blank line: an unclosed formula affects nothing after its paragraph.

/** An environment that holds such signs. */
const environmentOf = (sign: string): string =>
  String.raw`\\begin\{(?<name>${ENVIRONMENTS})\}(?<inside>(?:(?!\n[ \t]*\n|\\end\{\k<name>\})${sign}){1,${LONGEST}})\\end\{\k<name>\}`;

const BLOCK = new RegExp(
  String.raw`^ {0,3}(?:\$\$((?:(?!\n[ \t]*\n|\$\$)[\s\S]){1,${LONGEST}})\$\$` +
    String.raw`|\\\[((?:(?!\n[ \t]*\n|\\\])[\s\S]){1,${LONGEST}})\\\]` +
    String.raw`|(${environmentOf(String.raw`[\s\S]`)}))[ \t]*(?=\n|$)`,
);
/** The same with blank lines: marks on lines of their own, and no sentence between them. */
const SPACED = new RegExp(
  String.raw`^ {0,3}(?:\$\$[ \t]{0,9}\n((?:(?!\$\$)[\s\S]){1,${LONGEST}})\n[ \t]{0,9}\$\$` +
    String.raw`|\\\[[ \t]{0,9}\n((?:(?!\\\])[\s\S]){1,${LONGEST}})\n[ \t]{0,9}\\\])[ \t]*(?=\n|$)`,
);
const BLOCK_START = /\n {0,3}(?:\$\$|\\\[|\\begin\{)/;
/** An environment within a line. */
const ENVIRONMENT = new RegExp(`^${environmentOf(String.raw`[^\x60]`)}`);
/** These are set on lines of their own, wherever they stand. */
const OWN_LINE = /^(?:equation|eqnarray|align|gather|multline|alignat|CD)\*?$/;
/** A chemical formula, or the box around an answer, as it stands. */
const BARE = /^\\(?:ce|pu|boxed)\{(?:[^{}\n]|\{(?:[^{}\n]|\{[^{}\n]*\})*\}){1,500}\}/;
const DOUBLE = new RegExp(String.raw`^\$\$((?:(?!\n[ \t]*\n|\$\$)[^\x60]){1,${LONGEST}})\$\$(?!\$)`);
const SINGLE = new RegExp(
  String.raw`^\$(?![\s$])((?:\\[^\n]|[^\\$\n\x60]|\n(?![ \t]*\n)){1,${LONGEST}})\$(?!\$)`,
  'u',
);
/** Blanks inside the marks, as some models write them: only with what no prompt or sum of money holds. */
const LOOSE = /^\$ ((?=[^$\n]*(?:\\[a-zA-Z]|\^))(?:\\[^\n]|[^\\$\n\x60])+) \$(?![\w$])/;
const ROUND = new RegExp(String.raw`^\\\(((?:(?!\n[ \t]*\n|\\[()])[\s\S]){1,${LONGEST}})\\\)`);
const SQUARE = new RegExp(String.raw`^\\\[((?:(?!\n[ \t]*\n|\\[[\]])[\s\S]){1,${LONGEST}})\\\]`);
const INLINE_START = /\$|\\[([]|\\(?:ce|pu|boxed|begin)\{/;

/** Signs that occur only in formulas: commands, powers, indices, relations. */
const TEX = /\\[a-zA-Z{},;!]|[\^_={}<>+]/;
const MONEY = /^\d[\d.,]*(?:[\s/-]|[kKmM]\b|[^\x00-\x7f])/;
/** `20 - x`, `1/2`: no money, for its letters stand alone. */
const TERM = /^\d[\d.,]*(?:\/\d+$| ?[-/] ?(?=[^a-zA-Z]*[a-zA-Z])(?!.*[a-zA-Z]{2}))/s;
/** What can be neither money nor a variable may touch letters: H$_2$O, 5$\times$5, 25 $^\circ$C, p$<$0.05. */
const TOUCHING = /^(?:\\[a-zA-Z,%]|\^|[<>≤≥×±]$|_(?:[\d{]|\w$))(?!.*(?:\s[a-zA-Z]{2}|\\\\))/s;
/** $n$th, $(n+1)$th, $k$NN: single letters, before such an ending. */
const ENDED = /^(?:\\[a-zA-Z]+(?![a-zA-Z])|[a-zA-Z](?![a-zA-Z])|[^\\a-zA-Z])*[\w)}'!]$/;
const ENDING = /^[^]\$(?:th|st|nd|rd|e?s|D|NN)(?!\w)/;
/** From the last sign of what isn't a formula: $a$name, ${a}${b}, $(a)/$(b). */
const CODE_AFTER = /^(?:[^]\$[\w{]|[-+*/:.,=&]\$\()/;
const PROSE = new RegExp(`${UNSPACED_LETTER}|[，。；：！？（）"]|^\\)|^\\]$`, 'u');
const WORD_BEFORE = /[\w\\$\p{Sc}]$/u;
const SIGN_BEFORE = /[\\$\p{Sc}]$/u;

/** `25$^\circ$C` is text: a line may end beside a formula, but not within a word. */
const DEGREES = /^\^(?:\\circ|\{ ?\\circ ?\})$/;
const BLANK = /\n[ \t]*\n/;
/** What blank lines part, in rows. */
const inRows = (tex: string): string =>
  !BLANK.test(tex) || tex.includes('\\begin')
    ? tex
    : `\\begin{gathered}${tex.split(/\n\s*\n/).join(' \\\\\n')}\\end{gathered}`;
/** Whether words of a language are between the marks. */
export const isSentence = (tex: string): boolean => {
  const rest = tex.replace(/\\[a-z]+\{[^{}]*\}/g, '');
  return /\p{L}{2} +\p{L}{2}/u.test(rest) || PROSE.test(rest);
};

/** Whether a paragraph opens a formula that may still close, when that many characters have followed it. */
export const mayOpenMaths = (raw: string, followed: number): boolean =>
  followed < LONGEST + 50 && /^ {0,3}(?:\$\$|\\\[)[ \t]*$/m.test(raw);

/** Whether a text can contain maths at all; most don't, and are parsed without looking for it. */
export const mayHoldMaths = (text: string): boolean => INLINE_START.test(text);

/** The formula at the very start of `source`; `before` is the end of the text before it. */
function inlineMathsAt(source: string, before: () => string | undefined): MathsToken | undefined {
  const as = (match: RegExpExecArray | null, display: boolean): MathsToken | undefined => {
    const text = match?.[1]?.trim() ?? '';
    return match && text !== '' ? { type: 'maths', raw: match[0], text, display } : undefined;
  };
  if (source.startsWith('$$')) {
    const match = DOUBLE.exec(source);
    const inside = match?.[1] ?? '';
    // Levels of prices, and the id of a process.
    const isText = MONEY.test(inside) || isSentence(inside) || /[a-z]{4}|^\s*[;,]/.test(inside);
    return isText && !TEX.test(inside) ? undefined : as(match, true);
  }
  const loose = LOOSE.exec(source);
  if (loose)
    return isSentence(loose[1] ?? '') || WORD_BEFORE.test(before() ?? '') ? undefined : as(loose, false);
  if (source.startsWith('$')) {
    const match = SINGLE.exec(source);
    const inside = match?.[1];
    if (inside === undefined || /\s$/.test(inside)) return undefined;
    const after = source.slice(inside.length, inside.length + 6);
    const isApart =
      (!CODE_AFTER.test(after) || (ENDING.test(after) && ENDED.test(inside))) &&
      !WORD_BEFORE.test(before() ?? '');
    if (!isApart && !(TOUCHING.test(inside) && !SIGN_BEFORE.test(before() ?? ''))) return undefined;
    const isText = (MONEY.test(inside) && !TERM.test(inside)) || PROSE.test(inside);
    return isText && !TEX.test(inside) ? undefined : as(match, false);
  }
  if (source.startsWith('\\(')) return as(ROUND.exec(source), false);
  if (source.startsWith('\\begin')) {
    const [raw = '', name = '', inside = ''] = ENVIRONMENT.exec(source) ?? [];
    // A sentence may name both marks.
    const isMaths = inside.includes('&') || TEX.test(inside);
    return isMaths ? { type: 'maths', raw, text: raw, display: OWN_LINE.test(name) } : undefined;
  }
  if (/^\\[bcp]/.test(source)) {
    const [raw] = BARE.exec(source) ?? [];
    return raw === undefined ? undefined : { type: 'maths', raw, text: raw, display: false };
  }
  // `\[note\]` is how a bracket is written that must not become a link.
  const square = SQUARE.exec(source);
  return square && TEX.test(square[1] ?? '') ? as(square, true) : undefined;
}

const block: TokenizerExtension = {
  name: 'maths',
  level: 'block',
  start(source) {
    const blank = BLANK.exec(source);
    return BLOCK_START.exec(blank ? source.slice(0, blank.index) : source)?.index;
  },
  tokenizer(source) {
    const match = BLOCK.exec(source) ?? SPACED.exec(source);
    const text = (match?.[1] ?? match?.[2] ?? match?.[3] ?? '').trim();
    if (!match || text === '') return undefined;
    if (BLANK.test(match[0]) && isSentence(text)) return undefined;
    return { type: 'maths', raw: match[0], text: inRows(text), display: true };
  },
};

const inline: TokenizerExtension = {
  name: 'maths',
  level: 'inline',
  tokenizer(source, tokens) {
    const found = inlineMathsAt(source, () => closeTextBefore(tokens));
    return found && DEGREES.test(found.text) ? { type: 'text', raw: found.raw, text: '°' } : found;
  },
};

/** The contents of formulas replaced by letters, so that `*` and `_` in them start no emphasis outside. */
function hideMaths(text: string): string {
  let hidden = '';
  let from = 0;
  for (let at = text.indexOf('$'); at !== -1; at = text.indexOf('$', from)) {
    const length =
      inlineMathsAt(text.slice(at, at + 2 * LONGEST), () => text.slice(Math.max(from, at - 2), at))?.raw
        .length ?? 0;
    hidden += text.slice(from, at) + (length > 0 ? 'a'.repeat(length) : '$');
    from = at + Math.max(length, 1);
  }
  return hidden + text.slice(from);
}

/** For `marked`: makes formulas tokens of type `maths`. */
export const mathsExtension: MarkedExtension = {
  extensions: [block, inline],
  hooks: { emStrongMask: hideMaths },
};
