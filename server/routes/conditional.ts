/** Responses that a client already has: `ETag`, `If-None-Match` and 304. */
import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify';

/** These headers in the API's document. */
export const IF_NONE_MATCH = {
  'If-None-Match': 'An `ETag` from an earlier response. If nothing has changed since, the response is a 304.',
};
export const ETAG = { ETag: 'Identifies this response. It changes whenever the response would.' };
export const NOT_MODIFIED = {
  description:
    'Nothing has changed since the response with the `ETag` sent as `If-None-Match`. There is no body.',
  headers: ETAG,
};

/** The tags in `If-None-Match`, weak or not; `*` stands for any. */
export const knownTags = ({ headers }: FastifyRequest): string[] =>
  (headers['if-none-match'] ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, '').replaceAll('"', ''))
    .filter((tag) => tag !== '');

/** Sets the `ETag`; true if the client has it already, so that the response should be a 304. */
export function sendTag(request: FastifyRequest, reply: FastifyReply, tag: string): boolean {
  reply.header('etag', `"${tag}"`);
  if (request.headers['if-none-match'] === undefined) return false;
  const known = knownTags(request);
  return known.includes(tag) || known.includes('*');
}

/** Sends JSON text. */
export const sendJson = (reply: FastifyReply, json: string): FastifyReply =>
  reply.type('application/json; charset=utf-8').send(json);

/** Sends a 304. */
export const sendNotModified = (reply: FastifyReply): FastifyReply => reply.code(304).send();

/** A route's `onSend` that makes the tag from the body: for small responses that depend on many things. */
export const tagByBody: onSendHookHandler = (request, reply, payload, done) => {
  const isWhole = reply.statusCode === 200 && typeof payload === 'string';
  if (!isWhole || !sendTag(request, reply, hash('sha1', payload, 'base64url'))) {
    done(null, payload);
    return;
  }
  reply.code(304).removeHeader('content-type');
  // For a HEAD request, Fastify removes the body itself and sends its length.
  done(null, request.method === 'HEAD' ? payload : null);
};
