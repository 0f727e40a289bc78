/** White space and the word after it, up to 16 characters of each. */
const PIECE = /\s{0,16}\S{0,16}/uy;

/**
 * Cuts a growing text into pieces, at the same positions however it grows. The function returned takes what was added and
 * returns the pieces that are complete by now; with `isEnd`, the rest too.
 */
export function createPieces(): (added: string, isEnd?: boolean) => string[] {
  let rest = '';
  return (added, isEnd = false) => {
    rest += added;
    const pieces: string[] = [];
    for (let from = 0; ; from = PIECE.lastIndex) {
      PIECE.lastIndex = from;
      const [piece = ''] = PIECE.exec(rest) ?? [];
      // Until something follows, it may still grow.
      if (piece === '' || (PIECE.lastIndex === rest.length && !isEnd)) {
        rest = rest.slice(from);
        return pieces;
      }
      pieces.push(piece);
    }
  };
}
