/** How well messages fit a search: adjacent words count most, then the title, then how new the message is. */
import type { MatchedRow } from '../store/search-repository.ts';

const NEARNESS_WEIGHT = 0.6;
const TITLE_WEIGHT = 0.25;
const RECENCY_WEIGHT = 0.1;

/** Rows best first. `rows` come newest first, which breaks ties, mildly. */
export function rankMatches(
  rows: readonly MatchedRow[],
  titleFits: (title: string) => boolean,
): MatchedRow[] {
  const titles = new Map(rows.map(({ chatId, chatTitle }) => [chatId, chatTitle]));
  const fitting = new Set([...titles].filter(([, title]) => titleFits(title)).map(([chatId]) => chatId));
  return rows
    .map((row, index) => ({
      row,
      score:
        density(row) +
        NEARNESS_WEIGHT * nearness(row) +
        (fitting.has(row.chatId) ? TITLE_WEIGHT : 0) +
        RECENCY_WEIGHT * (1 - index / rows.length),
    }))
    .sort((one, other) => other.score - one.score)
    .map(({ row }) => row);
}

/** Each further hit counts less, and hits count more in a short text than in a long one. */
const density = ({ hits, bytes }: MatchedRow): number =>
  Math.log2(1 + hits.reduce((sum, count) => sum + count, 0)) / Math.log2(16 + bytes);

/** 1 if all terms are adjacent in the order typed; 0 for a single term. */
const nearness = ({ hits, run }: MatchedRow): number => (hits.length < 2 ? 0 : (run - 1) / (hits.length - 1));
