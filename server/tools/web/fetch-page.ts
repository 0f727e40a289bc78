/** Fetching a page, from its address to its text. Loaded when the first page is fetched. */
import { fetchGuarded, inTime, type WebOptions } from './fetch-guarded.ts';
import { readHtmlApart } from './html-reader.ts';
import { decodePage } from './page-text.ts';
import type { PageAnswer } from './request-page.ts';
import { isSameSite } from './web-address.ts';

const MAX_BYTES = 2_000_000;
/** Most of a page that one answer holds, in UTF-16 code units. */
const MAX_TEXT_CHARACTERS = 60_000;
const ACCEPT = 'text/html,application/xhtml+xml,text/*;q=0.9,application/json;q=0.8,*/*;q=0.1';

/** What a fetch tells; where the page has moved to another site, that instead of a text. */
type FetchedPage =
  | { url: string; title: string | null; text: string; cut: boolean; note?: string }
  | { url: string; moved_to: string; note: string };

/** Fetches a page. Rejects with ToolError in words, or as the signal does. */
export async function fetchPage(
  address: string,
  { timeoutMs, maxBytes = MAX_BYTES, ...rules }: WebOptions,
  signal: AbortSignal,
): Promise<FetchedPage> {
  return inTime({ what: 'The page', timeoutMs, signal }, async (until) => {
    const fetched = await fetchGuarded({
      ...rules,
      address,
      accept: ACCEPT,
      maxBytes,
      follows: isSameSite,
      signal: until,
    });
    return 'movedTo' in fetched
      ? movedTo(fetched.url, fetched.movedTo)
      : read(fetched.url, fetched.answer, until);
  });
}

const movedTo = (from: URL, to: URL): FetchedPage => ({
  url: from.href,
  moved_to: to.href,
  note: 'The page is at another site now. To read it there, call fetch_page with that address: the person is asked again.',
});

async function read(
  url: URL,
  { contentType, body, isCut }: PageAnswer,
  signal: AbortSignal,
): Promise<FetchedPage> {
  const page = body.length === 0 ? { kind: 'text', text: '' } : decodePage(contentType, body);
  const { title, text } =
    page.kind === 'html'
      ? await readHtmlApart(
          { html: page.text, address: url.href, maxCharacters: MAX_TEXT_CHARACTERS + 1 },
          { signal },
        )
      : { title: null, text: page.text };
  const isLong = text.length > MAX_TEXT_CHARACTERS;
  return {
    url: url.href,
    title,
    text: (isLong ? text.slice(0, MAX_TEXT_CHARACTERS) : text).toWellFormed(),
    cut: isCut || isLong,
    ...((isCut || isLong) && { note: 'The page goes on; only its beginning is here.' }),
  };
}
