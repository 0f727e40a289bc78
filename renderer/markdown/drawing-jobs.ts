/** What is asked of the drawing thread, and what it answers. Only plain data: it goes from thread to thread. */
import type { CodePiece } from './colour-code.ts';
import type { FormulaNode } from './formula.ts';
import type { LexedBlocks } from './markdown.ts';

/** The work there is, by kind. */
export interface DrawingJobs {
  /** Takes a Markdown text apart. */
  blocks: { kind: 'blocks'; text: string };
  /** Colours code of a language that may be unknown. */
  colours: { kind: 'colours'; code: string; language: string };
  /** Sets a formula in TeX; `display`: on a line of its own. */
  formula: { kind: 'formula'; tex: string; display: boolean };
}

/** What comes of it, by kind. */
export interface Drawings {
  blocks: LexedBlocks;
  colours: CodePiece[];
  formula: FormulaNode[];
}

export type DrawingKind = keyof DrawingJobs;
export type DrawingJob = DrawingJobs[DrawingKind];
export type Drawn = Drawings[DrawingKind];

/** From the thread: it is there, or what came of the job it was given (null: it can't be drawn). */
export type DrawingReport = { type: 'ready' } | { type: 'done'; drawn: Drawn | null };
