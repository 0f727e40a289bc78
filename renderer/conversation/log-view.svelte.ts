/**
 * The drawn part of a long conversation, and its scroll position. Rows are laid out in the flow between two spacers
 * rather than positioned one by one: so the browser keeps the reader's place by itself whatever grows or shrinks above
 * it (scroll anchoring), a growing reply pushes nothing, and text can be selected across messages.
 */
import { tick, untrack } from 'svelte';
import type { Attachment } from 'svelte/attachments';
import { runWaiting } from '../markdown/frames.ts';
import { RowHeights, type Row, type RowRange } from './row-heights.ts';
import type { ReadingPosition } from './reading-positions.ts';
import { ScrollAnchor } from './scroll-anchor.ts';

/** Closer to the end than this counts as at the end, in CSS pixels. */
const AT_END_PX = 8;
/** How far beyond the view rows are drawn, and how little of that may be left before more are, in CSS pixels. */
const AHEAD_PX = 1_000;
const LEAST_AHEAD_PX = 400;
/** Assumed height of the view before it is measured. */
const USUAL_VIEW_PX = 900;
/** Rows with selected text stay drawn, but at most this many. */
const MOST_SELECTED_ROWS = 300;

/** Events that show the reader wants to go elsewhere than last asked. */
const INPUTS = ['keydown', 'pointerdown', 'wheel', 'touchstart'] as const;

const UP_KEYS = ['ArrowUp', 'PageUp', 'Home'];
const OWN_KEYS = 'input, textarea, select, pre, [contenteditable], [role="group"]';

/** A part of the list, in CSS pixels from its start. */
interface Span {
  top: number;
  bottom: number;
}

export class LogView {
  /** Whether the view sticks to the end. */
  following = $state(true);
  /** All rows are drawn, for paper. */
  isPrinted = $state(false);
  /** The part in view; null: the end. A new object when the rows must be worked out again. */
  #shown = $state.raw<{ span: Span | null }>({ span: null });
  /** The last row when the reader left the end. */
  #lastSeen = $state.raw<Row | undefined>();
  readonly #rows: () => readonly Row[];
  readonly #onMoved: (position: ReadingPosition | null) => void;
  readonly #heights = new RowHeights();
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing is drawn from it
  readonly #elements = new Map<string, HTMLElement>();
  #drawn: RowRange = { start: 0, end: 0, above: 0, below: 0 };
  #drawnOf: readonly Row[] = [];
  #scroller: HTMLElement | null = null;
  #list: HTMLElement | null = null;
  #sizes: ResizeObserver | null = null;
  #lastTop = 0;
  #lastHeight = 0;
  #touchY = 0;
  /** The reader asked for the end and has done nothing since: momentum from an earlier key or wheel must not lead away. */
  #isHeld = false;
  #updateFrame = 0;
  readonly #anchor = new ScrollAnchor(() => ({ scroller: this.#scroller, list: this.#list }));

  /** The rows to draw. */
  readonly range = $derived.by(() =>
    this.isPrinted
      ? { start: 0, end: this.#rows().length, above: 0, below: 0 }
      : this.#rangeOf(this.#rows(), this.#shown.span),
  );
  /** There is something new below since the reader left the end. */
  readonly hasNews = $derived.by(() => !this.following && this.#rows().at(-1) !== this.#lastSeen);

  /** `onMoved` is called with the reader's position; null: at the end. */
  constructor(rows: () => readonly Row[], onMoved: (position: ReadingPosition | null) => void) {
    this.#rows = rows;
    this.#onMoved = onMoved;
  }

  /** For the scrolling element; its first child is the one that grows. */
  readonly scroller: Attachment<HTMLElement> = (element) => {
    this.#scroller = element;
    const sizes = this.#observer();
    sizes.observe(element);
    if (element.firstElementChild) sizes.observe(element.firstElementChild);
    const listening = new AbortController();
    const listen = (type: string, heard: (event: never) => void): void =>
      element.addEventListener(type, heard as EventListener, {
        passive: type !== 'keydown',
        signal: listening.signal,
      });
    listen('scroll', () => this.#noteScroll());
    listen('scrollend', () => {
      if (this.#isHeld) this.#toEnd();
    });
    for (const type of INPUTS) {
      addEventListener(type, () => (this.#isHeld = false), {
        capture: true,
        passive: true,
        signal: listening.signal,
      });
    }
    listen('wheel', (event: WheelEvent) => {
      if (event.deltaY < 0 && !event.ctrlKey) this.#leaveEnd();
    });
    listen('touchstart', (event: TouchEvent) => (this.#touchY = event.touches[0]?.clientY ?? 0));
    listen('touchmove', (event: TouchEvent) => {
      const y = event.touches[0]?.clientY ?? 0;
      if (y > this.#touchY) this.#leaveEnd();
      this.#touchY = y;
    });
    listen('keydown', (event: KeyboardEvent) => this.#noteKey(event));
    // An attachment runs again when what it reads changes: this one must survive every change of the messages.
    untrack(() => this.#toEnd());
    return () => {
      listening.abort();
      sizes.disconnect();
      cancelAnimationFrame(this.#updateFrame);
      this.#sizes = null;
      this.#scroller = null;
    };
  };

  /** For the element at which the list starts. */
  readonly list: Attachment<HTMLElement> = (element) => {
    this.#list = element;
  };

  /** For each drawn row; `data-message` names it. */
  readonly row: Attachment<HTMLElement> = (element) => {
    const id = element.dataset['message'] ?? '';
    this.#elements.set(id, element);
    this.#observer().observe(element);
    return () => {
      this.#sizes?.unobserve(element);
      if (this.#elements.get(id) === element) this.#elements.delete(id);
    };
  };

  /** Goes to the end and stays there. */
  jumpToEnd(): void {
    this.#isHeld = true;
    this.#followEnd();
  }

  #followEnd(): void {
    this.following = true;
    this.#shown = { span: null };
    this.#onMoved(null);
    void tick().then(() => this.#toEnd());
  }

  async jumpToStart(): Promise<void> {
    this.#standAt(0);
    await tick();
    this.#scroller?.scrollTo({ top: 0, behavior: 'instant' });
  }

  /** Scrolls a row to that many pixels below the top of the view; resolves with its element, or null when there is no such row. */
  async jumpTo(id: string, below: number): Promise<HTMLElement | null> {
    this.#heights.setRows(this.#rows());
    const index = this.#heights.indexOf(id);
    if (index === -1 || !this.#scroller) return null;
    this.#standAt(this.#heights.offsetOf(index) - below);
    await tick();
    // The target may be deep inside a row, which has to be drawn whole first.
    await runWaiting();
    const [scroller, element] = [this.#scroller, this.#elements.get(id)];
    if (!element) return null;
    const distance = element.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
    scroller.scrollTo({ top: scroller.scrollTop + distance - below, behavior: 'instant' });
    // This scroll is ours, not the reader's: whether to follow the end depends only on where the jump ended.
    this.#lastTop = scroller.scrollTop;
    this.#lastHeight = scroller.scrollHeight;
    if (this.#lastHeight - scroller.clientHeight - this.#lastTop <= AT_END_PX) this.#followEnd();
    else this.#updateShown();
    return element;
  }

  #standAt(top: number): void {
    this.#lastSeen = this.#rows().at(-1);
    this.following = false;
    this.#shown = { span: { top, bottom: top + (this.#scroller?.clientHeight ?? USUAL_VIEW_PX) } };
  }

  #rangeOf(rows: readonly Row[], span: Span | null): RowRange {
    const heights = this.#heights;
    heights.setRows(rows);
    const end = heights.offsetOf(rows.length);
    const viewPx = this.#scroller?.clientHeight || USUAL_VIEW_PX;
    const { top, bottom } = span ?? { top: end - viewPx, bottom: end };
    const least = heights.rangeOver(top - LEAST_AHEAD_PX, bottom + LEAST_AHEAD_PX);
    let wanted = heights.rangeOver(top - AHEAD_PX, bottom + AHEAD_PX);
    const drawn = this.#drawn;
    // Rows are added and removed in batches, not with every pixel.
    if (drawn.end <= rows.length && drawn.start <= least.start && drawn.end >= least.end) {
      const isLarge = drawn.end - drawn.start > 3 * (wanted.end - wanted.start);
      if (!isLarge || this.#holdsSelection()) wanted = { start: drawn.start, end: drawn.end };
    } else if (rows === this.#drawnOf && this.#holdsSelection()) {
      const both = { start: Math.min(wanted.start, drawn.start), end: Math.max(wanted.end, drawn.end) };
      if (both.end - both.start <= MOST_SELECTED_ROWS) wanted = both;
    }
    const above = heights.offsetOf(wanted.start);
    const below = end - heights.offsetOf(wanted.end);
    this.#drawnOf = rows;
    const isSame =
      wanted.start === drawn.start &&
      wanted.end === drawn.end &&
      above === drawn.above &&
      below === drawn.below;
    return isSame ? drawn : (this.#drawn = { ...wanted, above, below });
  }

  #holdsSelection(): boolean {
    const selection = getSelection();
    return selection?.isCollapsed === false && this.#scroller?.contains(selection.anchorNode) === true;
  }

  #observer(): ResizeObserver {
    this.#sizes ??= new ResizeObserver((entries) => {
      for (const { target, borderBoxSize } of entries) {
        const id = (target as HTMLElement).dataset['message'];
        if (id !== undefined) this.#heights.measure(id, borderBoxSize[0]?.blockSize ?? 0);
      }
      if (this.following) this.#toEnd();
      else this.#anchor.keep();
      this.#lastHeight = this.#scroller?.scrollHeight ?? 0;
      // Applied with the next frame: a ResizeObserver must not change sizes itself.
      cancelAnimationFrame(this.#updateFrame);
      this.#updateFrame = requestAnimationFrame(() => this.#updateShown());
    });
    return this.#sizes;
  }

  #toEnd(): void {
    if (!this.#scroller || this.#rows().length === 0) return;
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
    this.#lastTop = this.#scroller.scrollTop;
  }

  /** Updates which part is in view. */
  #updateShown(): void {
    const scroller = this.#scroller;
    if (!scroller) return;
    if (this.following) {
      // Rows that turn out shorter than estimated leave room for more.
      const drawn = this.#drawn;
      if (this.#rangeOf(this.#rows(), null) !== drawn) this.#shown = { span: null };
      return;
    }
    const top = scroller.scrollTop - (this.#list?.offsetTop ?? 0);
    const { span } = this.#shown;
    const bottom = top + scroller.clientHeight;
    const drawn = this.#drawn;
    // Rows that changed their heights may leave room for others although nothing was scrolled.
    const isOther = this.#rangeOf(this.#rows(), { top, bottom }) !== drawn;
    if (isOther || top !== span?.top || bottom !== span.bottom) this.#shown = { span: { top, bottom } };
    const index = this.#heights.indexAt(top);
    const id = this.#rows()[index]?.id;
    if (id === undefined) return;
    this.#onMoved({ messageId: id, offset: top - this.#heights.offsetOf(index) });
    const element = this.#elements.get(this.#rows()[index + 1]?.id ?? id);
    if (element) this.#anchor.set(element);
  }

  #leaveEnd(): void {
    const scroller = this.#scroller;
    if (!scroller || !this.following || scroller.scrollHeight <= scroller.clientHeight) return;
    this.#lastSeen = this.#rows().at(-1);
    this.following = false;
    this.#updateShown();
  }

  #noteScroll(): void {
    const scroller = this.#scroller;
    if (!scroller) return;
    const { scrollTop, scrollHeight, clientHeight } = scroller;
    const left = scrollHeight - clientHeight - scrollTop;
    // A fast reply has grown by the time the reader reaches its end.
    const leftThen = Math.min(scrollHeight, this.#lastHeight) - clientHeight - scrollTop;
    // Growth alone also moves the end out of view; only scrolling up means that the reader wants to stay.
    const isUp = this.following && left > AT_END_PX && scrollTop < this.#lastTop - 1;
    if (isUp && this.#isHeld) {
      this.#toEnd();
      return;
    }
    if (isUp) this.#leaveEnd();
    else if (!this.following && leftThen <= AT_END_PX && scrollTop > this.#lastTop) this.#followEnd();
    this.#lastTop = scrollTop;
    this.#lastHeight = scrollHeight;
    this.#updateShown();
  }

  #noteKey(event: KeyboardEvent): void {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || (target as Element).matches(OWN_KEYS)) return;
    if (UP_KEYS.includes(key) || (key === ' ' && event.shiftKey)) this.#leaveEnd();
    const fits = !this.#scroller || this.#scroller.scrollHeight <= this.#scroller.clientHeight;
    if (event.shiftKey || fits) return;
    if (key === 'Home') void this.jumpToStart();
    else if (key === 'End') this.jumpToEnd();
    else return;
    event.preventDefault();
  }
}
