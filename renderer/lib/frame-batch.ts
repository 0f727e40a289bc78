/** Longest wait for a frame, in milliseconds: a page that isn't drawn gets no frames. */
const LONGEST_WAIT_MS = 200;

/** Collects items and passes them on together to `take`, in order, once per frame. */
export function createFrameBatch<T>(take: (items: T[]) => void) {
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
    add(item: T): void {
      items.push(item);
      if (timer !== undefined) return;
      timer = setTimeout(flush, LONGEST_WAIT_MS);
      frame = requestAnimationFrame(flush);
    },
    /** Passes on what has been collected now. */
    flush,
    /** Drops what has been collected. */
    clear(): void {
      cancel();
      items = [];
    },
  };
}
