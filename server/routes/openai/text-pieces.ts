/** White space and the word behind it, as long as both are short. */
const PIECE = /\s{0,16}\S{0,16}/uy;

/**
 * Cuts a text that grows into pieces, always at the same places however it grew: what this returns is given what has been added and
 * gives the pieces that are whole by now; with `isEnd` the rest, too.
 */
export function createPieces(): (added: string, isEnd?: boolean) => string[] {
  let rest = '';
  return (added, isEnd = false) => {
    rest += added;
    const pieces: string[] = [];
    for (let from = 0; ; from = PIECE.lastIndex) {
      PIECE.lastIndex = from;
      const [piece = ''] = PIECE.exec(rest) ?? [];
      // As long as nothing follows, more may belong to it.
      if (piece === '' || (PIECE.lastIndex === rest.length && !isEnd)) {
        rest = rest.slice(from);
        return pieces;
      }
      pieces.push(piece);
    }
  };
}
