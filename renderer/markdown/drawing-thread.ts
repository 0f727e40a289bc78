/**
 * The thread for drawing that could take too long: texts, code and formulas in messages can be written so that parsing
 * them takes minutes. Here that blocks nothing, and the page ends the thread (see drawing.ts).
 */
import { colourCode } from './colour-code.ts';
import type { DrawingRequest, DrawingReport, Drawn } from './drawing-requests.ts';
import { drawFormula } from './formula.ts';
import { lexBlocks, withinBounds } from './markdown.ts';

function perform(request: DrawingRequest): Drawn | null {
  switch (request.kind) {
    case 'blocks':
      return withinBounds(lexBlocks(request.text));
    case 'colours':
      return colourCode(request.code, request.language);
    case 'formula':
      return drawFormula(request.tex, request.display);
  }
}

const report = (message: DrawingReport): void => postMessage(message);

addEventListener('message', ({ data }: MessageEvent<DrawingRequest>) => {
  let drawn: Drawn | null = null;
  try {
    drawn = perform(data);
  } catch {
    // What the libraries fail on stays as it was written.
  }
  report({ type: 'done', drawn });
});
report({ type: 'ready' });
