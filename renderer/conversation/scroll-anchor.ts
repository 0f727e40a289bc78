/** Whether the browser keeps the reader's place when things above it change size; Safari doesn't, and none does when the layout changes with the width. */
const KEEPS_PLACE = CSS.supports('overflow-anchor', 'auto');

/** The elements of a view: the one that scrolls, and the list in it; null: not there. */
export interface ScrolledElements {
  scroller: HTMLElement | null;
  list: HTMLElement | null;
}

/** A row by which the reader's place is kept where the browser doesn't. */
export class ScrollAnchor {
  readonly #elements: () => ScrolledElements;
  #width = 0;
  #row: { element: HTMLElement; top: number } | null = null;

  constructor(elements: () => ScrolledElements) {
    this.#elements = elements;
  }

  /** Keeps the place by this row from now on. */
  set(element: HTMLElement): void {
    this.#row = { element, top: this.#topOf(element) };
  }

  /** Scrolls by as much as the row has moved. Call it when sizes have changed. */
  keep(): void {
    const { scroller } = this.#elements();
    const [row, width] = [this.#row, this.#width];
    this.#width = scroller?.clientWidth ?? 0;
    if (!scroller || row?.element.isConnected !== true || (KEEPS_PLACE && this.#width === width)) return;
    const top = this.#topOf(row.element);
    scroller.scrollTop += top - row.top;
    if (!KEEPS_PLACE) row.top = top;
  }

  /** Relative to the view; in WebKit relative to the list, since WebKit has already scrolled further when it reports sizes. */
  #topOf(element: HTMLElement): number {
    const { scroller, list } = this.#elements();
    const from = KEEPS_PLACE ? scroller : list;
    return element.getBoundingClientRect().top - (from?.getBoundingClientRect().top ?? 0);
  }
}
