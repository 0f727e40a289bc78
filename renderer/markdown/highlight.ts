import type { CodePiece } from './colour-code.ts';

/** The grammar's name for a fence's language, e.g. `ts` for `ts title="x"`; empty when it names none. */
export const languageOf = (info: string): string =>
  /^[\w+#.-]{1,30}/.exec(info.trim())?.[0].toLowerCase() ?? '';

/** The first `lines` lines of coloured code. */
export function firstLines(pieces: readonly CodePiece[], lines: number): CodePiece[] {
  const kept: CodePiece[] = [];
  let left = lines;
  for (const piece of pieces) {
    const parts = piece.text.split('\n');
    if (parts.length > left) return [...kept, { ...piece, text: parts.slice(0, left).join('\n') }];
    kept.push(piece);
    left -= parts.length - 1;
  }
  return kept;
}

/** The characters of a piece that is drawn as one text. To mark words, the browser measures the text from its start for each. */
const LONGEST_TEXT = /[^]{1,999}[\s,;]|[^]{1,1000}/gu;

/** The same pieces, long ones in parts: a line of 100 kB with thousands of matches would hold up the page for seconds. */
export const cutLong = (pieces: readonly CodePiece[]): CodePiece[] =>
  pieces.flatMap((piece) =>
    piece.text.length <= 1000
      ? piece
      : (piece.text.match(LONGEST_TEXT) ?? []).map((text) => ({ ...piece, text })),
  );
