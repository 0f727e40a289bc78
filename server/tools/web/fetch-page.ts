/** Fetching a page, from its address to its text. Loaded when the first page is fetched. */
import { STATUS_CODES } from 'node:http';
import { ToolError } from '../tool.ts';
import { unlessAborted } from '../../lib/unless-aborted.ts';
import { readHtmlApart } from './html-reader.ts';
import { decodePage } from './page-text.ts';
import { findAddresses, type AddressRules } from './public-address.ts';
import { requestPage, type PageAnswer } from './request-page.ts';
import { hostOf, isSameSite, readAddress } from './web-address.ts';

/** How pages are fetched, where that differs. */
export interface WebOptions extends AddressRules {
  /** How long a page may take in all, in milliseconds; 20 seconds unless given. */
  timeoutMs?: number;
  /** How much of a page is read, in bytes, unpacked; 2 MB unless given. */
  maxBytes?: number;
}

const TIMEOUT_MS = 20_000;
const MAX_BYTES = 2_000_000;
const MAX_REDIRECTS = 5;
/** Most of a page that one answer holds, in UTF-16 code units. */
const MAX_TEXT_CHARACTERS = 60_000;

/** What a fetch tells; where the page has moved to another site, that instead of a text. */
export type FetchedPage =
  | { url: string; title: string | null; text: string; cut: boolean; note?: string }
  | { url: string; moved_to: string; note: string };

/** Fetches a page. Rejects with ToolError in words, or as the signal does. */
export async function fetchPage(
  address: string,
  options: WebOptions,
  signal: AbortSignal,
): Promise<FetchedPage> {
  const { timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES } = options;
  const late = AbortSignal.timeout(timeoutMs);
  const either = AbortSignal.any([signal, late]);
  try {
    let url = readAddress(address);
    for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
      // Resolving a name can't be stopped; nobody needs to wait for it, though.
      const addresses = await unlessAborted(either, findAddresses(hostOf(url), options));
      const answer = await requestPage({ url, addresses, maxBytes, signal: either });
      if (answer.location === null) return await read(url, answer, either);
      const next = readRedirect(answer.location, url);
      if (!isSameSite(url, next)) return movedTo(url, next);
      url = next;
    }
    throw new ToolError(`“${url.host}” sends on from page to page without an end.`);
  } catch (error) {
    if (late.aborted && !signal.aborted && !(error instanceof ToolError)) {
      throw new ToolError(
        `The page took longer than ${Math.ceil(timeoutMs / 1_000)} seconds, so it was given up.`,
      );
    }
    throw error;
  }
}

function readRedirect(location: string, from: URL): URL {
  const next = URL.parse(location, from.href);
  if (next === null) throw new ToolError(`“${from.host}” sends on to an address that is none.`);
  return readAddress(next.href);
}

const movedTo = (from: URL, to: URL): FetchedPage => ({
  url: from.href,
  moved_to: to.href,
  note: 'The page is at another site now. To read it there, call fetch_page with that address: the person is asked again.',
});

async function read(url: URL, answer: PageAnswer, signal: AbortSignal): Promise<FetchedPage> {
  const { status, contentType, body, isCut } = answer;
  if (status >= 400) {
    throw new ToolError(
      `“${url.host}” answered ${[status, STATUS_CODES[status]].filter(Boolean).join(' ')}.`,
    );
  }
  if (status < 200 || status >= 300) throw new ToolError(`“${url.host}” answered ${status}, and no page.`);
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
