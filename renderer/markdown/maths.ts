/** Draws formulas: the drawing thread sets them, the page builds the elements. Their styles and fonts are loaded with the first one. */
import { drawing } from './drawing.ts';
import type { FormulaNode } from './formula.ts';
import { nextFrame } from './frames.ts';

/** How many elements of formulas are built in a frame: thousands of formulas would hold up the page. */
const ELEMENTS_A_FRAME = 1_500;

let styles: Promise<unknown> | undefined;
const loadStyles = (): Promise<unknown> =>
  (styles ??= import('katex/dist/katex.min.css').catch(() => (styles = undefined)));

/**
 * Shows a formula in the element: at once if it was drawn before, and is urgent or not one of very many in this frame; else once it
 * comes near the view; never if it can't be drawn. Returns what stops it.
 */
export function drawMaths(
  element: HTMLElement,
  tex: string,
  display: boolean,
  isUrgent: boolean,
): () => void {
  let stop = (): void => {};
  let isWanted = true;
  const show = (nodes: FormulaNode[]): void => {
    if (isWanted) element.replaceChildren(...nodes.map(build));
  };
  const job = { kind: 'formula', tex, display } as const;
  const known = drawing.known(job);
  if (known && (isUrgent || built < ELEMENTS_A_FRAME)) show(known);
  else {
    void Promise.all([drawing.draw(job), loadStyles()]).then(([nodes]) => {
      if (nodes && isWanted) stop = whenNear(element, () => show(nodes));
    });
  }
  return () => {
    isWanted = false;
    stop();
  };
}

/** How far from the view formulas are drawn: thousands of them take the page a second each time it styles all their elements. */
const NEAR_PX = 700;
/** Formulas that wait, by the part of the text that is watched for them. */
const unseen = new Map<Element, Set<() => void>>();
let observer: IntersectionObserver | undefined;

function whenNear(element: Element, show: () => void): () => void {
  const part = element.closest('.run, p, li, tr') ?? element;
  const shows = unseen.get(part) ?? new Set();
  unseen.set(part, shows.add(show));
  const root = element.closest('[role="log"]');
  if (observer?.root !== root) {
    observer?.disconnect();
    observer = new IntersectionObserver(showNear, { root, rootMargin: `${NEAR_PX}px 0px` });
  }
  observer.observe(part);
  return () => {
    if (shows.delete(show) && shows.size === 0) leave(part);
  };
}

function leave(part: Element): void {
  unseen.delete(part);
  observer?.unobserve(part);
}

function showNear(entries: readonly IntersectionObserverEntry[]): void {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    const shows = unseen.get(target);
    leave(target);
    shows?.forEach(showSoon);
    shows?.clear();
  }
}

addEventListener('beforeprint', () => {
  for (const [part, shows] of unseen) {
    leave(part);
    for (const show of shows) show();
    shows.clear();
  }
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
  while (built < ELEMENTS_A_FRAME) {
    const show = waiting.shift();
    if (!show) return;
    show();
  }
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
