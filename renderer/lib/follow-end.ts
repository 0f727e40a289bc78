import type { Attachment } from 'svelte/attachments';

/** Closer to the end than this counts as reading the end, in CSS pixels. */
const NEAR_PX = 48;

/**
 * Keeps a scrolling element at its end while the reader is there, and leaves it alone when not. Its first child is
 * what grows. `onMoved` hears whether the end is in view; while `isIdle` says so there is nothing to follow.
 */
export function followEnd(onMoved: (atEnd: boolean) => void, isIdle: () => boolean): Attachment<HTMLElement> {
  return (scroller) => {
    let following = true;
    let lastTop = 0;
    const toEnd = (): void => {
      if (!isIdle()) scroller.scrollTop = scroller.scrollHeight;
    };
    const noteScroll = (): void => {
      const { scrollTop } = scroller;
      const atEnd = scroller.scrollHeight - scrollTop - scroller.clientHeight < NEAR_PX;
      // Growth alone also takes the end out of view; only moving up means that the reader wants to stay.
      if (atEnd) following = true;
      else if (scrollTop < lastTop) following = false;
      lastTop = scrollTop;
      onMoved(following);
    };
    const sizes = new ResizeObserver(() => {
      if (following) toEnd();
      else noteScroll();
    });
    sizes.observe(scroller);
    if (scroller.firstElementChild) sizes.observe(scroller.firstElementChild);
    scroller.addEventListener('scroll', noteScroll, { passive: true });
    toEnd();
    return () => {
      sizes.disconnect();
      scroller.removeEventListener('scroll', noteScroll);
    };
  };
}
