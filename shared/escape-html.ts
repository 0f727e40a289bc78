/** A text as HTML shows it, in an element or in the quotes of an attribute. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&"<>]/g, (mark) => `&#${mark.charCodeAt(0)};`);
