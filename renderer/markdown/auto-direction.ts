import type { Attachment } from 'svelte/attachments';

/**
 * Sets the element's text direction from its text, once its content is there: Chromium recomputes the
 * direction for each element that is added to one with `dir="auto"`, which takes minutes for thousands of them.
 */
export const autoDirection: Attachment<HTMLElement> = (element) => {
  element.dir = 'auto';
};
