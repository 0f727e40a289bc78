/** A quotation in a text: where it stands, marks included, and what it says. */
interface Quotation {
  start: number;
  /** Just past the closing mark. */
  end: number;
  content: string;
}

/** Opening marks and what closes them. A mark such as the inch sign after a digit opens nothing. */
const CLOSING: Readonly<Record<string, string>> = {
  '"': '"',
  '“': '”',
  '„': '“',
  '«': '»',
  '`': '`',
  "'": "'",
  '‘': '’',
};
const WORD = /[\p{L}\p{N}]/u;

/** The quotations of a text, in order, none inside another. Linear, whatever the text. */
export function findQuotations(text: string): Quotation[] {
  const found: Quotation[] = [];
  const unclosed = new Set<string>();
  for (let at = 0; at < text.length; at += 1) {
    const closing = CLOSING[text.charAt(at)];
    if (closing === undefined || unclosed.has(closing) || WORD.test(text.charAt(at - 1))) continue;
    const end = closingMark(text, closing, at + 1);
    if (end < 0) {
      unclosed.add(closing);
    } else if (end > at + 1) {
      found.push({ start: at, end: end + 1, content: text.slice(at + 1, end) });
      at = end;
    }
  }
  return found;
}

/** A single mark closes only at the end of a word: elsewhere it is an apostrophe. */
function closingMark(text: string, closing: string, from: number): number {
  let end = text.indexOf(closing, from);
  if (closing !== "'" && closing !== '’') return end;
  while (end >= 0 && WORD.test(text.charAt(end + 1))) end = text.indexOf(closing, end + 1);
  return end;
}

/** What the longest quotation of a text says; null when it holds none. */
export function longestQuotation(text: string): string | null {
  const [longest] = findQuotations(text).sort((one, other) => other.content.length - one.content.length);
  return longest?.content.trim() ? longest.content : null;
}

/**
 * The text with everything that stands in quotation marks or brackets blanked out by a letter-like filler, same length:
 * whatever is found in it is outside of them, at the same place in the text.
 */
export function maskText(text: string): string {
  const spans: { start: number; end: number }[] = findQuotations(text);
  const open: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '(' || character === '[' || character === '{') open.push(at);
    else if (character === ')' || character === ']' || character === '}') {
      const start = open.pop();
      if (start !== undefined && open.length === 0) spans.push({ start, end: at + 1 });
    }
  }
  if (spans.length === 0) return text;
  spans.sort((one, other) => one.start - other.start);
  let masked = '';
  let done = 0;
  for (const { start, end } of spans) {
    if (end <= done) continue;
    const from = Math.max(start, done);
    masked += text.slice(done, from) + '_'.repeat(end - from);
    done = end;
  }
  return masked + text.slice(done);
}

/** A message taken apart at its code fences. */
interface Fenced {
  /** The text outside the fences. */
  outside: string;
  /** What the fences hold, several joined by an empty line; null when there is none. */
  code: string | null;
}

const FENCE = /^[ \t]{0,3}(`{3,}|~{3,})[^\n`]*$/;

/** Takes the fenced code blocks out of a message. A fence that is never closed runs to the end, as in Markdown. */
export function takeFences(message: string): Fenced {
  if (!message.includes('```') && !message.includes('~~~')) return { outside: message, code: null };
  const outside: string[] = [];
  const blocks: string[][] = [];
  let fence: string | null = null;
  for (const line of message.split('\n')) {
    const mark = FENCE.exec(line)?.[1];
    if (fence === null && mark !== undefined) {
      fence = mark;
      blocks.push([]);
    } else if (fence !== null && mark?.startsWith(fence) === true) {
      fence = null;
    } else {
      (fence === null ? outside : blocks.at(-1))?.push(line);
    }
  }
  const code = blocks
    .map((lines) => lines.join('\n'))
    .filter((block) => block.trim() !== '')
    .join('\n\n');
  return { outside: outside.join('\n').trim(), code: code === '' ? null : code };
}
