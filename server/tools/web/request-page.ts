/**
 * One request for a page, to addresses that were checked, bounded in size. No cookies, nothing kept. A proxy is given the checked
 * address, too: it would resolve a name again, and might find one in its own network.
 */
import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { Route } from '../../net/route.ts';
import { send } from '../../net/send.ts';
import { codeIn, describeTrouble, troubleOf } from '../../net/trouble.ts';
import { readBody } from '../../net/unpacked.ts';
import { ToolError } from '../tool.ts';

/** What came back. */
export interface PageAnswer {
  status: number;
  /** Where it says the page is instead; null: it doesn't. */
  location: string | null;
  contentType: string;
  body: Buffer;
  /** The page is longer than what was read of it. */
  isCut: boolean;
}

/** How a request is made. */
export interface WebPageRequest {
  url: URL;
  addresses: readonly LookupAddress[];
  route: Route;
  /** The header `accept`. */
  accept: string;
  maxBytes: number;
  signal: AbortSignal;
}

const HEADERS = {
  'user-agent': 'Mozilla/5.0 (compatible; Parley)',
  'accept-encoding': 'gzip, deflate, br',
};

/** Asks for the page. Rejects with ToolError in words, or as the signal does. */
export async function requestPage({
  url,
  addresses,
  route,
  accept,
  maxBytes,
  signal,
}: WebPageRequest): Promise<PageAnswer> {
  try {
    const answer = await send(url, {
      method: 'GET',
      headers: { ...HEADERS, accept },
      body: null,
      route,
      lookup: lookupIn(addresses),
      signal,
    });
    const { statusCode: status = 0, headers } = answer;
    const location = status >= 300 && status < 400 ? (headers.location ?? null) : null;
    const contentType = headers['content-type'] ?? '';
    if (location !== null || status >= 400) {
      answer.destroy();
      return { status, location, contentType, body: Buffer.alloc(0), isCut: false };
    }
    const { body, isCut } = await readBody(answer, maxBytes);
    return { status, location, contentType, body, isCut };
  } catch (error) {
    signal.throwIfAborted();
    throw inWords(error, url);
  }
}

/** Resolves to the checked addresses, whatever the name resolves to by now. */
export const lookupIn =
  (addresses: readonly LookupAddress[]): LookupFunction =>
  (_host, { all }, callback) => {
    const [first] = addresses;
    if (first === undefined) callback(new Error('There are no addresses.'), []);
    else if (all === true) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };

function inWords(error: unknown, { href }: URL): unknown {
  const code = error instanceof ToolError ? null : codeIn(error);
  if (code === null) return error;
  if (/^(?:Z_|ZSTD_|ERR__ERROR)/.test(code)) return new ToolError('The response is damaged.');
  if (code === 'ERR_PROXY_PLAIN') {
    return new ToolError('Through the proxy of this network only pages at “https://…” can be fetched.');
  }
  const trouble = troubleOf(code);
  const { what, todo } = describeTrouble(trouble, href);
  const isFixedHere = trouble === 'certificate' || trouble === 'proxy';
  return new ToolError(`${what}${isFixedHere ? `; ${todo}` : ''} (${code}).`);
}
