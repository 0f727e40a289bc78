/** Colours for code: the drawing thread finds them. */
import type { CodePiece } from './colour-code.ts';
import { drawing } from './drawing.ts';

/** Beyond this many characters code stays plain. */
export const LONGEST_COLOURED_CHARACTERS = 50_000;

/** The name of a fence's language as the grammars know it, e.g. `ts` of `ts title="x"`; empty when it names none. */
export const languageOf = (info: string): string =>
  /^[\w+#.-]{1,30}/.exec(info.trim())?.[0].toLowerCase() ?? '';

/** Whether code of that length and language can be coloured at all, as far as the page knows. */
const isColourable = (code: string, language: string): boolean =>
  language !== '' && code.length <= LONGEST_COLOURED_CHARACTERS;

/** Code in coloured pieces at once, where it has been coloured before; null when it stays plain. */
export const colourNow = (code: string, language: string): CodePiece[] | null =>
  isColourable(code, language)
    ? (drawing.known<'colours'>({ kind: 'colours', code, language }) ?? null)
    : null;

/**
 * Code in coloured pieces; null when it stays plain: too long, of no known language, or it takes too long. `live`: more of it
 * is coming.
 */
export async function colour(code: string, language: string, live: boolean): Promise<CodePiece[] | null> {
  return isColourable(code, language)
    ? drawing.draw<'colours'>({ kind: 'colours', code, language }, live)
    : null;
}

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
