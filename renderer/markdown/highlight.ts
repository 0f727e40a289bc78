import type { CodePiece } from './colour-code.ts';
import { cutText } from './cut-text.ts';

/** The grammar's name for a fence's language, e.g. `ts` for `ts title="x"`; empty when it names none. */
export const fenceLanguage = (info: string): string =>
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

/** The same pieces, long ones in parts. The others keep their identity, and aren't drawn again. */
export const cutLong = (pieces: readonly CodePiece[]): CodePiece[] =>
  pieces.flatMap((piece) => {
    const parts = cutText(piece.text);
    return parts.length < 2 ? piece : parts.map((text) => ({ ...piece, text }));
  });
