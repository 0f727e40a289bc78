/** Bodies that come and go piece by piece, and downloads. */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { text } from '../../shared/api/common.ts';
import { attachment } from '../data/file-names.ts';
import { AppError } from '../errors.ts';

/** The bytes of a file, in the API's document. */
export const FileBytes = text('The file.');

/** Headers of every download, in the API's document. */
export const DOWNLOAD_HEADERS = { 'Content-Disposition': '`attachment`, with the file’s name.' };

/** Headers of every event stream. */
export const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // A proxy that buffers responses would make a stream useless.
  'x-accel-buffering': 'no',
};

/** Sends a file that came from elsewhere: browsers save it, and nothing may open it as a page of this origin. */
export const sendDownload = (
  reply: FastifyReply,
  { name, mediaType }: { name: string; mediaType: string },
  data: Buffer | Readable,
): FastifyReply =>
  reply
    .type(mediaType)
    .header('x-content-type-options', 'nosniff')
    .header('content-disposition', attachment(name))
    .header('content-security-policy', "sandbox; default-src 'none'")
    .header('cache-control', 'no-store')
    .send(data);

/** Sends a text piece by piece; each is produced once the client has read those before. */
export function sendText(reply: FastifyReply, text: AsyncIterable<string>): FastifyReply {
  if (reply.request.method === 'HEAD') return reply.send(Readable.from([]));
  return reply.send(Readable.from(text, { objectMode: false }));
}

/** Fires, with that reason, when the client has disconnected or has received the whole response. */
export function signalDeparture(reply: FastifyReply, reason: Error): AbortSignal {
  const controller = new AbortController();
  const leave = (): void => controller.abort(reason);
  if (reply.raw.destroyed) leave();
  reply.raw.once('close', leave);
  return controller.signal;
}

/** The bytes of a request's body as they come. AppError `invalid_request` with these words if it breaks off. */
export async function* bodyPieces(
  { body, raw }: FastifyRequest,
  incomplete: string,
): AsyncGenerator<Buffer, void> {
  if (body === undefined) return;
  try {
    // When the reader stops early, the request stays open for the response.
    yield* raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } catch (error) {
    throw new AppError('invalid_request', incomplete, { cause: error });
  } finally {
    raw.resume();
  }
}
