import { tick, untrack } from 'svelte';
import type { Message } from '../../shared/api/message.ts';
import { runWaiting } from '../markdown/frames.ts';
import { mark, rangesIn, unmark } from './find-marks.ts';
import { Find, type Match } from './find.svelte.ts';
import type { LogView } from './log-view.svelte.ts';

/** How far below the top of the view a message with a match is placed, in CSS pixels. */
const BELOW_TOP_PX = 24;
/** How far from the edges of the view a match must be to count as in view, in CSS pixels. */
const CLEAR_PX = 12;
/** How long marking a message may block the page at a time, in milliseconds. */
const SLICE_MS = 8;
/** How often messages that change are searched again, in milliseconds. */
const REFRESH_MS = 200;

/** Elements that scroll on their own within a message. */
const SCROLLERS = 'pre, .table > .scroll, .opened';

const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));

/** What {@link FindView} needs of the list of messages. */
export interface FindViewPorts {
  /** In reading order. */
  messages(): readonly Message[];
  view: LogView;
  /** The scrolling element; undefined before it exists. */
  log(): HTMLElement | undefined;
  /** Called when the search takes the reader away from the message in the address. */
  onGo(): void;
}

/** Search in the open chat: highlights and scrolling. */
export class FindView {
  readonly find: Find;
  readonly #ports: FindViewPorts;
  /** The matches in each message as it is drawn now; another map once anything has changed. */
  #found = new WeakMap<Element, { query: string; ranges: StaticRange[] }>();
  #marking: Promise<void> | null = null;
  #isStale = false;
  /** The element that had the focus before. */
  #before: Element | null = null;

  constructor(ports: FindViewPorts) {
    this.#ports = ports;
    this.find = new Find({
      messages: () => ports.messages(),
      anchor: () => this.#firstInView(),
      onGo: (match) => void this.#show(match),
    });
  }

  /** Starts searching, or continues. */
  open(): void {
    if (this.find.isOpen) return;
    this.#before = document.activeElement;
    this.find.open();
    void runWaiting();
  }

  /** Stops; the focus goes back to where it was. */
  close(): void {
    this.find.close();
    const before = this.#before;
    const isThere = before instanceof HTMLElement && before.isConnected && before !== document.body;
    (isThere ? before : this.#ports.log())?.focus({ preventScroll: true });
  }

  /**
   * Keeps the highlights on the matches while a person scrolls, a reply grows or code gets its colours.
   * For an effect; returns its clean-up.
   */
  watch(): (() => void) | undefined {
    const log = this.#ports.log();
    if (!this.find.isOpen || this.find.normalised === '' || !log) return undefined;
    untrack(() => this.#markSoon());
    const changes = new MutationObserver(() => {
      this.#found = new WeakMap();
      this.#markSoon();
    });
    changes.observe(log, { childList: true, subtree: true, characterData: true });
    let searched = untrack(() => this.#ports.messages());
    const timer = setInterval(() => {
      const messages = this.#ports.messages();
      if (messages === searched) return;
      searched = messages;
      void this.find.refresh();
    }, REFRESH_MS);
    return () => {
      clearInterval(timer);
      changes.disconnect();
      unmark();
    };
  }

  async #show(match: Match): Promise<void> {
    const { view } = this.#ports;
    const { messageId } = match;
    this.#ports.onGo();
    await runWaiting();
    if (match !== this.find.current) return;
    let row = this.#rowOf(messageId);
    if (row === null || !this.#isInView(await this.#rangeOf(row, match))) {
      row = await view.jumpTo(messageId, BELOW_TOP_PX);
      await tick();
    }
    if (row === null || match !== this.find.current) return;
    await this.#expand(row, match);
    if (!this.#isInView(await this.#rangeOf(row, match))) {
      // Expanding made the message taller: until the list has measured it again, it would take text deep inside for later messages.
      await frame();
      await frame();
      const range = await this.#rangeOf(this.#rowOf(messageId) ?? row, match);
      if (range !== null && match === this.find.current) this.#showInView(range);
    }
    this.#markSoon();
  }

  /** Expands the collapsed parts of a message that hide a match. */
  async #expand(row: Element, match: Match): Promise<void> {
    const expand = async (parts: Iterable<Element>): Promise<void> => {
      for (const part of parts) part.dispatchEvent(new Event('beforematch'));
      await tick();
    };
    // Only the beginning of collapsed code is drawn.
    if ((await this.#rangesIn(row)).length < this.find.countIn(match.messageId))
      await expand(row.querySelectorAll('pre[data-collapsed]'));
    const at = (await this.#rangeOf(row, match))?.startContainer.parentElement;
    await expand(ancestors(at, '[data-collapsed]'));
    for (const details of ancestors(at, 'details')) details.setAttribute('open', '');
  }

  async #rangeOf(row: Element, { index }: Match): Promise<Range | null> {
    const ranges = await this.#rangesIn(row);
    const found = ranges[index] ?? ranges.at(-1);
    if (!found) return null;
    const range = new Range();
    range.setStart(found.startContainer, found.startOffset);
    range.setEnd(found.endContainer, found.endOffset);
    return range;
  }

  /** The matches in a message. They are found bit by bit: a long one would hold up the page. */
  async #rangesIn(row: Element): Promise<StaticRange[]> {
    const { normalised: query } = this.find;
    const all = this.#found;
    const known = all.get(row);
    if (known?.query === query) return known.ranges;
    const ranges: StaticRange[] = [];
    let sliceEnd = performance.now() + SLICE_MS;
    for (const found of rangesIn(row, query)) {
      for (const range of found) ranges.push(range);
      if (performance.now() < sliceEnd) continue;
      await new Promise((resolve) => setTimeout(resolve));
      sliceEnd = performance.now() + SLICE_MS;
    }
    all.set(row, { query, ranges });
    return ranges;
  }

  /** Marks the matches, and again if anything has changed by then. */
  #markSoon(): void {
    this.#isStale = true;
    this.#marking ??= this.#mark().finally(() => (this.#marking = null));
  }

  async #mark(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false;
      const ranges: StaticRange[] = [];
      let here: StaticRange | null = null;
      for (const row of this.#ports.log()?.querySelectorAll<HTMLElement>('[data-message]') ?? []) {
        const found = await this.#rangesIn(row);
        for (const range of found) ranges.push(range);
        const { current } = this.find;
        if (current !== null && row.dataset['message'] === current.messageId)
          here = found[current.index] ?? null;
      }
      if (this.find.isOpen && this.find.normalised !== '') mark(ranges, here);
      await frame();
    }
  }

  #rowOf(id: string): HTMLElement | null {
    const selector = `[data-message="${CSS.escape(id)}"]`;
    return this.#ports.log()?.querySelector<HTMLElement>(selector) ?? null;
  }

  #firstInView(): string | null {
    const log = this.#ports.log();
    const top = log?.getBoundingClientRect().top ?? 0;
    const rows = [...(log?.querySelectorAll<HTMLElement>('[data-message]') ?? [])];
    return rows.find((row) => row.getBoundingClientRect().bottom > top)?.dataset['message'] ?? null;
  }

  #isInView(range: Range | null): boolean {
    const log = this.#ports.log();
    if (range === null || !log) return false;
    const there = range.getBoundingClientRect();
    return [log, ...ancestors(range.startContainer.parentElement, SCROLLERS)].every((scroller) => {
      const room = scroller.getBoundingClientRect();
      const clear = scroller === log ? CLEAR_PX : 0;
      const isAcross = there.left >= room.left && there.right <= room.right;
      return isAcross && there.top >= room.top + clear && there.bottom <= room.bottom - clear;
    });
  }

  #showInView(range: Range): void {
    const log = this.#ports.log();
    if (!log) return;
    // From the inside out: long lines of code, wide tables and the texts of steps scroll on their own.
    for (const scroller of [...ancestors(range.startContainer.parentElement, SCROLLERS), log]) {
      const [there, room] = [range.getBoundingClientRect(), scroller.getBoundingClientRect()];
      const isAcross = there.left >= room.left && there.right <= room.right;
      scroller.scrollBy({
        top: there.top - room.top - room.height / 3,
        left: isAcross ? 0 : there.left - room.left - room.width / 3,
        behavior: 'instant',
      });
    }
  }
}

/** The elements around it, and itself, that match, the innermost first. */
function ancestors(element: Element | null | undefined, selector: string): Element[] {
  const match = element?.closest(selector);
  return match ? [match, ...ancestors(match.parentElement, selector)] : [];
}
