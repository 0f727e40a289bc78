import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { MAX_BODY_BYTES } from '../../shared/limits.ts';
import { AppError } from '../errors.ts';
import { areaOf } from './request-path.ts';

const JSON_TYPES = /^application\/(?:[\w.-]+\+)?json(?:\s*;|$)/i;
const BYTE_ORDER_MARK = '\ufeff';

const ZIP_TYPES = /^application\/(?:zip|x-zip-compressed|gzip|x-gzip|octet-stream)(?:\s*;|$)/i;

/** What exports have besides: it is refused by what it is. */
const OTHER_EXPORT_TYPES = /^(?:text\/html|application\/(?:x-)?(?:jsonl|ndjson))(?:\s*;|$)/i;

/** Gives routes of this part of the app a body of JSON, or a ZIP archive or backup, as a stream. */
export function setupStreamedBodies(app: FastifyInstance): void {
  app.removeContentTypeParser(JSON_TYPES);
  for (const types of [JSON_TYPES, ZIP_TYPES, OTHER_EXPORT_TYPES])
    app.addContentTypeParser(types, (_request, body, done) => done(null, body));
}

/** Gives routes of this part of the app every body as a stream, whatever its type. */
export function setupAnyBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, body, done) => done(null, body));
  app.addHook('onRequest', (request, _reply, done) => {
    // Fastify would refuse a malformed type.
    request.headers['content-type'] = 'application/octet-stream';
    done();
  });
}

/** How much of a large body may be anything but long strings: parsing 28 MB of small values would take seconds and gigabytes. */
interface Allowance {
  /** In bytes. */
  most: number;
  /** Of a string that is longer, in bytes, … */
  longer: number;
  /** … this much counts. */
  counts: number;
}

/** Of a message with files: each is one long string. */
const WITH_FILES: Allowance = { most: MAX_BODY_BYTES, longer: 4_096, counts: 0 };
/** Of a conversation in OpenAI's format: any of its texts may be long. */
const CONVERSATION: Allowance = { most: 2 * MAX_BODY_BYTES, longer: 128, counts: 128 };

/** What a body may have beside long strings; null: it must be small. */
function allowanceOf(url: string, body: Buffer): Allowance | null {
  if (areaOf(url) === 'openai') return CONVERSATION;
  return body.includes('"attachments"') ? WITH_FILES : null;
}

const QUOTE = '"'.charCodeAt(0);
const BACKSLASH = '\\'.charCodeAt(0);

/** Whether a JSON body keeps to the allowance. */
function isWithin(body: Buffer, { most, longer, counts }: Allowance): boolean {
  let bytes = 0;
  for (let offset = 0; bytes <= most;) {
    const opening = body.indexOf(QUOTE, offset);
    const closing = opening === -1 ? -1 : endOfString(body, opening + 1);
    if (closing === -1) return bytes + body.length - offset <= most;
    const length = closing - opening;
    bytes += opening - offset + (length > longer ? counts : length);
    offset = closing + 1;
  }
  return false;
}

/** The closing quote of the string whose text begins at `start`; -1: none. */
function endOfString(body: Buffer, start: number): number {
  let closing = body.indexOf(QUOTE, start);
  while (closing !== -1 && isEscaped(body, closing)) closing = body.indexOf(QUOTE, closing + 1);
  return closing;
}

function isEscaped(body: Buffer, offset: number): boolean {
  let first = offset;
  while (body[first - 1] === BACKSLASH) first -= 1;
  return (offset - first) % 2 === 1;
}

/**
 * JSON bodies and no others. An empty body is no body, whatever its type says. `JSON.parse` alone is safe here: it
 * makes `__proto__` a plain property, and nothing of a body is ever merged into anything.
 */
export function setupBodyParser(app: FastifyInstance): void {
  const add = (types: RegExp | '*', read: (body: Buffer, url: string) => unknown): void =>
    app.addContentTypeParser(
      types,
      { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES },
      async ({ is404, raw }: FastifyRequest, body: Buffer) =>
        body.length === 0 || is404 ? undefined : read(body, raw.url ?? ''),
    );
  app.removeAllContentTypeParsers();
  add(JSON_TYPES, (body, url) => {
    const allowance = body.length <= MAX_BODY_BYTES ? undefined : allowanceOf(url, body);
    if (allowance === null || (allowance && !isWithin(body, allowance))) throw new AppError('body_too_large');
    return parse(body);
  });
  add('*', () => {
    throw new AppError('unsupported_media_type');
  });
}

function parse(body: Buffer): unknown {
  // Decoding would replace broken bytes with U+FFFD, and store a message that nobody sent.
  if (!isUtf8(body))
    throw new AppError(
      'invalid_json',
      'The request body is not valid UTF-8; encode it as UTF-8 and send it again.',
    );
  const text = body.toString('utf8');
  try {
    return JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
  } catch {
    throw new AppError('invalid_json');
  }
}
