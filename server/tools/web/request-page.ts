/** One request for a page, to addresses that were checked, bounded in size. No cookies, no proxy, nothing kept. */
import type { LookupAddress } from 'node:dns';
import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { ToolError } from '../tool.ts';
import { codeOf } from '../files/file-words.ts';

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
export interface PageRequest {
  url: URL;
  addresses: readonly LookupAddress[];
  maxBytes: number;
  signal: AbortSignal;
}

const HEADERS = {
  'user-agent': 'Mozilla/5.0 (compatible; Parley)',
  accept: 'text/html,application/xhtml+xml,text/*;q=0.9,application/json;q=0.8,*/*;q=0.1',
  'accept-encoding': 'gzip, deflate, br',
};
const UNPACKERS: Readonly<Record<string, () => NodeJS.ReadWriteStream & Readable>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};
const MAX_HEADER_BYTES = 32 * 1024;
const MAX_NOTICES = 20;

/** Asks for the page. Rejects with ToolError in words, or as the signal does. */
export async function requestPage({ url, addresses, maxBytes, signal }: PageRequest): Promise<PageAnswer> {
  try {
    const answer = await ask(url, addresses, signal);
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
    throw inWords(error, url.host);
  }
}

function ask(url: URL, addresses: readonly LookupAddress[], signal: AbortSignal): Promise<IncomingMessage> {
  const isSecure = url.protocol === 'https:';
  const options: RequestOptions = {
    // An agent of its own: no connection that others opened is used, none is left open, and no proxy is asked.
    agent: isSecure ? new HttpsAgent({ keepAlive: false }) : new HttpAgent({ keepAlive: false }),
    lookup: lookupIn(addresses),
    headers: HEADERS,
    maxHeaderSize: MAX_HEADER_BYTES,
    signal,
  };
  return new Promise((resolve, reject) => {
    const request = isSecure ? httpsRequest(url, options) : httpRequest(url, options);
    const refuse = (): void => {
      reject(noWebServer(url.host));
      request.destroy();
    };
    let notices = 0;
    request.on('response', resolve);
    request.on('error', reject);
    // Nobody asked for another protocol; the connection isn't the request's any more then, and nothing else would end it.
    request.on('upgrade', (_answer, socket) => {
      socket.destroy();
      refuse();
    });
    // Before the answer there may be notices (100 to 199), of which the library counts none.
    request.on('information', () => {
      notices += 1;
      if (notices > MAX_NOTICES) refuse();
    });
    request.end();
  });
}

/** Answers with what was checked, whatever the name leads to by now. */
const lookupIn =
  (addresses: readonly LookupAddress[]): LookupFunction =>
  (_host, { all }, callback) => {
    const [first] = addresses;
    if (first === undefined) callback(new Error('There are no addresses.'), []);
    else if (all === true) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };

async function readBody(
  answer: IncomingMessage,
  maxBytes: number,
): Promise<{ body: Buffer; isCut: boolean }> {
  const coding = (answer.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const unpacker = UNPACKERS[coding];
  if (unpacker === undefined && coding !== 'identity' && coding !== '') {
    answer.destroy();
    throw new ToolError(`The page is packed in a way that can’t be read (${coding.slice(0, 40)}).`);
  }
  // Errors on the way come out of the last stream, which is read below.
  const stream: Readable = unpacker === undefined ? answer : pipeline(answer, unpacker(), () => undefined);
  const chunks: Buffer[] = [];
  let total = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    total += chunk.length;
    // Leaving the loop ends the stream, and with it the connection.
    if (total > maxBytes) break;
  }
  answer.destroy();
  return { body: Buffer.concat(chunks).subarray(0, maxBytes), isCut: total > maxBytes };
}

const noWebServer = (host: string): ToolError =>
  new ToolError(`“${host}” doesn’t answer as a web server does.`);

function inWords(error: unknown, host: string): unknown {
  if (error instanceof ToolError) return error;
  const code = codeOf(error);
  if (code === null) return error;
  if (/CERT|SSL|TLS|ALTNAME|SELF_SIGNED|UNABLE_TO/.test(code)) {
    return new ToolError(
      `“${host}” could not show that it is who it says (${code}), so nothing was fetched.`,
    );
  }
  if (code.startsWith('HPE_')) return noWebServer(host);
  if (code.startsWith('Z_') || code.startsWith('ERR__ERROR')) return new ToolError('The page came damaged.');
  return new ToolError(`“${host}” could not be reached, or broke off (${code}).`);
}
