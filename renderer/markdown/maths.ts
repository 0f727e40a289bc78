/** Draws formulas: the drawing thread sets them, the page builds the elements. Their styles and fonts are loaded with the first one. */
import { drawing } from './drawing.ts';
import type { FormulaNode } from './formula.ts';

let styles: Promise<unknown> | undefined;
const loadStyles = (): Promise<unknown> =>
  (styles ??= import('katex/dist/katex.min.css').catch(() => (styles = undefined)));

/** Calls `onDrawn` with a formula's elements: at once if it was drawn before, later if not, never if it can't be drawn. */
export function drawMaths(tex: string, display: boolean, onDrawn: (elements: Node[]) => void): void {
  const job = { kind: 'formula', tex, display } as const;
  const known = drawing.known<'formula'>(job);
  if (known) onDrawn(known.map(build));
  else {
    void Promise.all([drawing.draw<'formula'>(job), loadStyles()]).then(([nodes]) => {
      if (nodes) onDrawn(nodes.map(build));
    });
  }
}

function build(node: FormulaNode): Node {
  if (typeof node === 'string') return document.createTextNode(node);
  const element =
    node.namespace === ''
      ? document.createElement(node.name)
      : document.createElementNS(node.namespace, node.name);
  for (const [name, value] of Object.entries(node.attributes)) element.setAttribute(name, value);
  if ('style' in element) Object.assign(element.style as CSSStyleDeclaration, node.style);
  element.append(...node.children.map(build));
  return element;
}
