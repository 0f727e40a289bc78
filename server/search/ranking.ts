/** How well messages fit a search: how near the words stand to each other counts most, then the title, then how new. */
import type { MatchedRow } from '../store/search-repository.ts';

/** A match in the bytes of a text. */
export interface ByteRange {
  term: number;
  start: number;
  end: number;
}

const NEARNESS_WEIGHT = 0.6;
const TITLE_WEIGHT = 0.25;
const RECENCY_WEIGHT = 0.1;
/** Enough of a long text to tell how well it fits. */
const MAX_MATCHES = 400;

/** What `offsets()` told, in the order of the text. */
export function readOffsets(offsets: string): ByteRange[] {
  const numbers = offsets.split(' ', MAX_MATCHES * 4).map(Number);
  const ranges: ByteRange[] = [];
  for (let index = 0; index + 3 < numbers.length; index += 4) {
    const start = numbers[index + 2] ?? 0;
    ranges.push({ term: numbers[index + 1] ?? 0, start, end: start + (numbers[index + 3] ?? 0) });
  }
  return ranges.sort((one, other) => one.start - other.start);
}

/** Rows best first. `rows` come newest first, which breaks ties, mildly. */
export function rank(rows: readonly MatchedRow[], titleFits: (title: string) => boolean): MatchedRow[] {
  const titles = new Map<string, boolean>();
  const fitsTitle = ({ chatId, chatTitle }: MatchedRow): boolean => {
    const known = titles.get(chatId);
    if (known !== undefined) return known;
    const fits = titleFits(chatTitle);
    titles.set(chatId, fits);
    return fits;
  };
  return rows
    .map((row, index) => ({
      row,
      score:
        density(row) +
        NEARNESS_WEIGHT * nearness(readOffsets(row.offsets)) +
        (fitsTitle(row) ? TITLE_WEIGHT : 0) +
        RECENCY_WEIGHT * (1 - index / rows.length),
    }))
    .sort((one, other) => other.score - one.score)
    .map(({ row }) => row);
}

/** Hits count with falling worth, and for more in a short text than in a long one. */
function density({ offsets, length }: MatchedRow): number {
  const hits = offsets === '' ? 1 : Math.min(offsets.split(' ').length / 4, MAX_MATCHES);
  return Math.log2(1 + hits) / Math.log2(16 + length);
}

/** 1 where all words stand side by side in the order typed, less the further apart; 0 for a single word. */
function nearness(ranges: readonly ByteRange[]): number {
  const terms = new Set(ranges.map(({ term }) => term));
  if (terms.size < 2) return 0;
  const last = new Map<number, ByteRange>();
  let best = Infinity;
  for (const range of ranges) {
    last.set(range.term, range);
    if (last.size < terms.size) continue;
    let start = range.start;
    let covered = 0;
    let isInOrder = true;
    let before = -1;
    for (let term = 0; term < terms.size; term += 1) {
      const found = last.get(term);
      if (found === undefined) continue;
      start = Math.min(start, found.start);
      covered += found.end - found.start;
      isInOrder &&= found.start > before;
      before = found.start;
    }
    const gap = range.end - start - covered - (terms.size - 1);
    best = Math.min(best, Math.max(0, gap) + (isInOrder ? 0 : 8));
  }
  return best === Infinity ? 0 : 1 / (1 + best / 16);
}
