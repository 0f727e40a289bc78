import type { Attachment } from 'svelte/attachments';

const FITS_ITSELF = CSS.supports('field-sizing', 'content');

/** Keeps a box as tall as its text where the browser can't (`field-sizing`, in Safari since 26.2). Null: its height is set otherwise. */
export const fitText =
  (text: () => string | null): Attachment<HTMLTextAreaElement> =>
  (box) => {
    if (FITS_ITSELF) return;
    const fit = (): void => {
      box.style.height = '';
      box.style.height = `${box.scrollHeight + box.offsetHeight - box.clientHeight}px`;
    };
    box.style.height = '';
    if (text() === null) return;
    // Its first call fits it, and the others follow its width.
    const sizes = new ResizeObserver(fit);
    sizes.observe(box);
    return () => sizes.disconnect();
  };
