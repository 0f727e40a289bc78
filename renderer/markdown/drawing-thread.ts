/**
 * The thread for drawing that could take too long: texts, code and formulas in messages can be written so that parsing
 * them takes minutes. Here that blocks nothing, and the page ends the thread (see drawing.ts).
 */
import { colourCode } from './colour-code.ts';
import type { DrawingJob, DrawingReport, Drawn } from './drawing-jobs.ts';
import { drawFormula } from './formula.ts';
import { lexBlocks, withinBounds } from './markdown.ts';

function perform(job: DrawingJob): Drawn | null {
  switch (job.kind) {
    case 'blocks':
      return withinBounds(lexBlocks(job.text));
    case 'colours':
      return colourCode(job.code, job.language);
    case 'formula':
      return drawFormula(job.tex, job.display);
  }
}

const report = (message: DrawingReport): void => postMessage(message);

addEventListener('message', ({ data }: MessageEvent<DrawingJob>) => {
  let drawn: Drawn | null = null;
  try {
    drawn = perform(data);
  } catch {
    // What the libraries fail on stays as it was written.
  }
  report({ type: 'done', drawn });
});
report({ type: 'ready' });
