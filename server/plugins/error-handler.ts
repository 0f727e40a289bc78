import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { OUT_OF_FILES, isOutOfFiles } from '../lib/out-of-files.ts';
import { errorBody, errorHeaders } from './error-answer.ts';
import type { KnownRoutes } from './known-routes.ts';
import { OpenAiError, openAiBody } from './openai-error.ts';
import { areaOf } from './request-path.ts';
import { validationRefusal } from './validation-words.ts';

/** Called with internal errors; clients only get the request's id. */
export type OnError = (error: unknown, requestId: string) => void;

const BY_FRAMEWORK_CODE: Readonly<Record<string, () => AppError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new AppError('body_too_large'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new AppError('unsupported_media_type'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new AppError(
      'invalid_request',
      'The body length doesn’t match Content-Length. Correct it and send it again.',
    ),
  FST_ERR_BAD_URL: () =>
    new AppError(
      'invalid_request',
      'The address is not properly percent-encoded; correct it and send it again.',
    ),
};

/** How the codes of Node's errors about packed bodies begin: gzip and deflate, zstd, Brotli. */
const UNPACKING = /^(?:Z_|ZSTD_|ERR__ERROR_)/;

/** The error that a client gets for anything thrown. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  // Anything can be thrown, null included.
  const { code, statusCode, validation, validationContext } = (error ?? {}) as Partial<FastifyError>;
  if (validation !== undefined) return validationRefusal(validationContext ?? '', validation);
  const known = BY_FRAMEWORK_CODE[code ?? ''];
  if (known !== undefined) return known();
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new AppError(
      'invalid_request',
      UNPACKING.test(code ?? '')
        ? 'The body can’t be unpacked: it isn’t what Content-Encoding says. Leave that header out, or pack the body.'
        : 'The request could not be read. Check its format.',
    );
  }
  if (isOutOfFiles(error)) return new AppError('storage_unavailable', OUT_OF_FILES, { cause: error });
  return new AppError('internal_error', undefined, { cause: error });
}

/** One handler for everything thrown before a response, and one for unknown paths and methods. */
export function setupErrorHandler(
  app: FastifyInstance,
  routes: Pick<KnownRoutes, 'methodsAt'>,
  onError: OnError,
): void {
  app.setErrorHandler((thrown, request, reply) => sendError(thrown, request, reply, onError));
  const answerUnknown = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const methods = routes.methodsAt(request.raw.url ?? '');
    if (methods.length === 0) return sendError(new AppError('not_found'), request, reply, onError);
    const allow = [...methods, 'OPTIONS'].join(', ');
    reply.header('allow', allow);
    if (request.method === 'OPTIONS') return reply.code(204).send();
    const message = `This address does not support ${request.method}. Use one of ${allow}.`;
    return sendError(new AppError('method_not_allowed', message), request, reply, onError);
  };
  app.setNotFoundHandler(answerUnknown);
  // Before a body is read, which may never arrive.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) answerUnknown(request, reply);
    else done();
  });
}

/** Sends the error for `thrown`. */
export function sendError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  onError: OnError,
): FastifyReply {
  if (thrown instanceof OpenAiError) {
    const { status, headers } = thrown;
    return reply
      .code(status)
      .headers(headers)
      .type('application/json; charset=utf-8')
      .send(openAiBody(thrown));
  }
  const error = toAppError(thrown);
  if (error.code === 'internal_error') onError(error.cause ?? error, request.id);
  // Fastify would hang up on a body that is too large, and the client might never read why. Node reads and drops the rest.
  if (error.code === 'body_too_large') reply.removeHeader('connection');
  return reply
    .code(error.status)
    .headers(errorHeaders(error, request.id))
    .send(errorBody(error, request.id, areaOf(request.raw.url ?? '')));
}
