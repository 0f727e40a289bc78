/** The messages to and from the drawing thread. Only plain data, since it passes between threads. */
import type { CodePiece } from './colour-code.ts';
import type { FormulaNode } from './formula.ts';
import type { LexedBlocks } from './markdown.ts';

/** What the thread is asked to draw. */
export type DrawingRequest =
  /** Parses a Markdown text. */
  | { kind: 'blocks'; text: string }
  /** Colours code, perhaps of an unknown language. */
  | { kind: 'colours'; code: string; language: string }
  /** Sets a formula in TeX; `display`: on a line of its own. */
  | { kind: 'formula'; tex: string; display: boolean };

/** The results, by kind. */
export interface Drawings {
  blocks: LexedBlocks;
  colours: CodePiece[];
  formula: FormulaNode[];
}

export type Drawn = Drawings[DrawingRequest['kind']];

/** From the thread: it is ready, or the result of its request (null: it can't be drawn). */
export type DrawingReport = { type: 'ready' } | { type: 'done'; drawn: Drawn | null };
