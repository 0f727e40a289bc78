/** Draws formulas: the drawing thread sets them, the page builds the elements. Their styles and fonts come with the first one. */
import { drawing } from './drawing.ts';
import type { FormulaNode } from './formula.ts';

let styles: Promise<unknown> | undefined;
const loadStyles = (): Promise<unknown> =>
  (styles ??= import('katex/dist/katex.min.css').catch(() => (styles = undefined)));

/** Draws a formula into an element; resolves with whether that worked. The element is left alone when not. */
export async function drawMaths(element: HTMLElement, tex: string, display: boolean): Promise<boolean> {
  const [nodes] = await Promise.all([
    drawing.draw<'formula'>({ kind: 'formula', tex, display }),
    loadStyles(),
  ]);
  if (nodes) element.replaceChildren(...nodes.map(build));
  return nodes !== null;
}

/** As {@link drawMaths}, at once; `false` also when it hasn't been drawn before. */
export function drawMathsNow(element: HTMLElement, tex: string, display: boolean): boolean {
  const nodes = drawing.known<'formula'>({ kind: 'formula', tex, display });
  if (nodes) element.replaceChildren(...nodes.map(build));
  return Boolean(nodes);
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
