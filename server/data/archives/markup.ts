/** What several apps' texts have in common: elements in them, and names that become Markdown. */
import { decodeHTMLStrict } from 'entities/decode';

/** The attributes of an element, with their entities decoded. */
export const attributesOf = (inTag: string): Map<string, string> =>
  new Map(
    [...inTag.matchAll(/([\w-]{1,40})="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      decodeHTMLStrict(value),
    ]),
  );

/** A title as Markdown that shows it as it is, on one line. */
export const titleInMarkdown = (title: string): string =>
  title
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]<>]/g, '\\$&');
