import type { Attachment } from 'svelte/attachments';

/**
 * Has the element run as its text does, from the left or from the right. Set once its content stands: Chromium looks for the
 * direction anew at each element that is put into one with `dir="auto"`, which takes minutes for thousands of them.
 */
export const autoDirection: Attachment<HTMLElement> = (element) => {
  element.dir = 'auto';
};
