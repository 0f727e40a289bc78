/** Turning a page into text that reads well. Runs in a thread (html-thread.ts): pages may be made to take forever. */
import { compile } from 'html-to-text';

/** A page as text. */
export interface ReadPage {
  /** Null: it has none. */
  title: string | null;
  text: string;
}

const MAX_TITLE_CHARACTERS = 300;
const PLAIN = { wordwrap: false, limits: { maxDepth: 200 } } as const;

/** Reads a page, `maxCharacters` of it at most; links in it are absolute. The page can make it take arbitrarily long. */
export function readHtml(html: string, address: string, maxCharacters = Infinity): ReadPage {
  let left = maxCharacters;
  const skip = (selector: string) => ({ selector, format: 'skip' });
  const absolute = (href: string): string => {
    // A link may be a few characters and its address thousands; what comes after so many is cut off anyway.
    if (left <= 0) return '';
    const url = URL.parse(href, address);
    if (url === null || !/^https?:$/.test(url.protocol)) return '';
    left -= url.href.length;
    return url.href;
  };
  const toText = compile({
    ...PLAIN,
    selectors: [
      ...['script', 'style', 'noscript', 'template', 'svg', 'img', 'iframe', 'title', 'select', 'button'].map(
        skip,
      ),
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
        selector,
        options: { uppercase: false },
      })),
      {
        selector: 'a',
        options: {
          linkBrackets: ['(', ')'],
          hideLinkHrefIfSameAsText: true,
          ignoreHref: false,
          noAnchorUrl: true,
          pathRewrite: absolute,
        },
      },
      { selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false } },
    ],
  });
  const [, inner = ''] = /<title[^>]{0,200}>([^<]{0,2000})/i.exec(html) ?? [];
  const title = compile({ ...PLAIN })(inner)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_TITLE_CHARACTERS);
  return {
    title: title === '' ? null : title.toWellFormed(),
    text: toText(html).trim().slice(0, maxCharacters),
  };
}
