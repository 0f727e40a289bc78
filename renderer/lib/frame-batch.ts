/** Longest wait for a frame, in milliseconds: a page that isn't drawn gets no frames. */
const LONGEST_WAIT_MS = 200;

/** Collects things and passes them on together, once per frame. */
export interface FrameBatch<T> {
  add(item: T): void;
  /** Passes on what has been collected now. */
  flush(): void;
  /** Drops what has been collected. */
  clear(): void;
}

/** A batch whose items go to `take`, in order. */
export function createFrameBatch<T>(take: (items: T[]) => void): FrameBatch<T> {
  let items: T[] = [];
  let frame: number | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function cancel(): void {
    if (frame !== null) cancelAnimationFrame(frame);
    frame = null;
    clearTimeout(timer);
    timer = undefined;
  }

  function flush(): void {
    cancel();
    const taken = items;
    items = [];
    if (taken.length > 0) take(taken);
  }

  return {
    add(item) {
      items.push(item);
      if (timer !== undefined) return;
      timer = setTimeout(flush, LONGEST_WAIT_MS);
      frame = requestAnimationFrame(flush);
    },
    flush,
    clear() {
      cancel();
      items = [];
    },
  };
}
