/** Draws formulas: the drawing thread sets them, the page builds the elements. Their styles and fonts are loaded with the first one. */
import { drawing } from './drawing.ts';
import type { DrawingRequest } from './drawing-requests.ts';
import type { FormulaNode } from './formula.ts';
import { nextFrame } from './frames.ts';

/** How many elements of formulas are built in a frame: thousands of formulas would hold up the page. */
const ELEMENTS_A_FRAME = 1_500;

type FormulaRequest = Extract<DrawingRequest, { kind: 'formula' }>;

let styles: Promise<unknown> | undefined;
const loadStyles = (): Promise<unknown> =>
  (styles ??= import('katex/dist/katex.min.css').catch(() => (styles = undefined)));

/**
 * Shows a formula in the element: at once if it was drawn before, and is urgent or not one of very many in this frame; else once it
 * is near the view; never if it can't be drawn. Returns what stops it.
 */
export function drawMaths(element: HTMLElement, request: FormulaRequest, isUrgent: boolean): () => void {
  let isWanted = true;
  const show = (nodes: FormulaNode[]): void => {
    if (isWanted) element.replaceChildren(...nodes.map(build));
  };
  const known = drawing.known(request);
  if (known && (isUrgent || built < ELEMENTS_A_FRAME)) show(known);
  else {
    void Promise.all([drawing.draw(request), loadStyles()]).then(([nodes]) => {
      if (!nodes || !isWanted) return;
      // Equations out of view count towards the numbers of later ones.
      const numbers = request.tex.includes('\\begin')
        ? JSON.stringify(nodes).split('"eqn-num"').length - 1
        : 0;
      if (numbers > 0) element.style.counterIncrement = `katexEqnNo ${numbers}`;
      showNear(element, () => {
        element.style.counterIncrement = '';
        show(nodes);
      });
    });
  }
  return () => {
    isWanted = false;
  };
}

/** How near: with the elements of thousands of formulas, the page takes a second each time it is styled. */
const MARGIN = '700px 0px';
const unseen = new WeakMap<Element, () => void>();
let observer: IntersectionObserver | undefined;

function showNear(element: Element, show: () => void): void {
  unseen.set(element, show);
  const root = element.closest('[role="log"]');
  if (observer?.root !== root) observer = new IntersectionObserver(noteSeen, { root, rootMargin: MARGIN });
  observer.observe(element);
}

function noteSeen(entries: readonly IntersectionObserverEntry[], by: IntersectionObserver): void {
  for (const { target, isIntersecting } of entries) {
    const show = unseen.get(target);
    if (!isIntersecting || !show) continue;
    by.unobserve(target);
    showSoon(show);
    unseen.delete(target);
  }
}

addEventListener('beforeprint', () => {
  for (const element of document.querySelectorAll('.maths')) unseen.get(element)?.();
});

const waiting: (() => void)[] = [];
/** Elements built in this frame. */
let built = 0;

function showSoon(show: () => void): void {
  if (built < ELEMENTS_A_FRAME) show();
  else waiting.push(show);
}

function showWaiting(): void {
  built = 0;
  waiting.splice(0).forEach(showSoon);
}

function build(node: FormulaNode): Node {
  if (built === 0) nextFrame(showWaiting);
  built += 1;
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
