/** Fetching from the public internet: each address on the way is checked, and time, size and redirects are bounded. */
import { STATUS_CODES } from 'node:http';
import { count } from '../../../shared/numbers.ts';
import { ToolError } from '../tool.ts';
import { findDirect, type FindRoute } from '../../net/route.ts';
import { unlessAborted } from '../../lib/unless-aborted.ts';
import { findAddresses, type AddressRules } from './public-address.ts';
import { requestPage, type PageAnswer } from './request-page.ts';
import { socketHostOf, readAddress } from './web-address.ts';

/** How it is fetched, where that differs. */
export interface WebOptions extends AddressRules {
  /** How long it may take in all, in milliseconds; 20 seconds unless given. */
  timeoutMs?: number;
  /** How much is read, in bytes, unpacked; what each caller says unless given. */
  maxBytes?: number;
  /** Finds the way to an address; direct unless given. */
  findRoute?: FindRoute;
}

/** What is asked for. */
export interface Wanted extends Pick<WebOptions, 'resolve' | 'isAllowed' | 'findRoute'> {
  address: string;
  /** The header `accept`. */
  accept: string;
  maxBytes: number;
  /** Whether a redirect is followed; one that isn't is told instead. */
  follows: (from: URL, to: URL) => boolean;
  signal: AbortSignal;
}

/** The result; `movedTo`: a redirect that was not followed. */
type Fetched = { url: URL; answer: PageAnswer } | { url: URL; movedTo: URL };

const TIMEOUT_MS = 20_000;
const MAX_REDIRECTS = 5;

/** Fetches what stands at an address; the answer is a success. Rejects with ToolError in words, or as the signal does. */
export async function fetchGuarded({
  address,
  accept,
  maxBytes,
  follows,
  signal,
  findRoute = findDirect,
  ...rules
}: Wanted): Promise<Fetched> {
  let url = readAddress(address);
  for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
    // Resolving a name can't be cancelled, but nobody has to wait for it.
    const addresses = await unlessAborted(signal, findAddresses(socketHostOf(url), rules));
    const route = await findRoute(url);
    const answer = await requestPage({ url, addresses, route, accept, maxBytes, signal });
    if (answer.location === null) {
      checkStatus(url, answer);
      return { url, answer };
    }
    const next = readRedirect(answer.location, url);
    if (!follows(url, next)) return { url, movedTo: next };
    url = next;
  }
  throw new ToolError(`“${url.host}” redirects too many times.`);
}

/** Runs `work` with a signal, and aborts it with an error in words when its time is over. `what` begins the sentence. */
export async function inTime<T>(
  {
    what,
    timeoutMs = TIMEOUT_MS,
    signal,
  }: { what: string; timeoutMs: number | undefined; signal: AbortSignal },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = AbortSignal.timeout(timeoutMs);
  try {
    return await work(AbortSignal.any([signal, late]));
  } catch (error) {
    if (late.aborted && !signal.aborted && !(error instanceof ToolError)) {
      throw new ToolError(
        `${what} took longer than ${count(Math.ceil(timeoutMs / 1_000), 'second')}, so it was given up.`,
      );
    }
    throw error;
  }
}

function readRedirect(location: string, from: URL): URL {
  const next = URL.parse(location, from.href);
  if (next === null) throw new ToolError(`“${from.host}” redirects to an invalid address.`);
  return readAddress(next.href);
}

function checkStatus({ host }: URL, { status }: PageAnswer): void {
  if (status >= 400) {
    throw new ToolError(`“${host}” answered ${[status, STATUS_CODES[status]].filter(Boolean).join(' ')}.`);
  }
  if (status < 200 || status >= 300) throw new ToolError(`“${host}” answered ${status} and sent no page.`);
}
