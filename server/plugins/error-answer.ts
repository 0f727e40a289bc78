/** The only module that writes an error's body and headers, both for Fastify's answers and for answers sent without it. */
import type { ServerResponse } from 'node:http';
import type { ErrorBody } from '../../shared/api/common.ts';
import type { AppError } from '../errors.ts';
import { openAiBody, openAiErrorOf } from './openai-error.ts';
import type { Area } from './request-path.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** The body of an error answer, as JSON text, in the format of that area. */
export function errorBody(error: AppError, requestId: string, area: Area): string {
  if (area === 'openai') return openAiBody(openAiErrorOf(error));
  const body: ErrorBody = {
    error: {
      code: error.code,
      message: error.message,
      requestId,
      ...(error.details === undefined ? {} : { details: error.details }),
    },
  };
  return JSON.stringify(body);
}

/** The headers that go with an error answer. */
export function errorHeaders(error: AppError, requestId: string): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': JSON_TYPE, 'x-request-id': requestId };
  if (error.status === 401) headers['www-authenticate'] = 'Bearer';
  if (error.retryAfterSeconds !== undefined) headers['retry-after'] = String(error.retryAfterSeconds);
  return headers;
}

/** Sends an error without Fastify; headers set before are kept. */
export function writeErrorAnswer(
  response: ServerResponse,
  error: AppError,
  requestId: string,
  area: Area,
): void {
  const body = errorBody(error, requestId, area);
  response.writeHead(error.status, {
    ...errorHeaders(error, requestId),
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

/** A complete error response for a socket without a valid request; the connection is closed after it. */
export function rawErrorAnswer(error: AppError, requestId: string): string {
  const body = errorBody(error, requestId, 'open');
  const headers = {
    ...errorHeaders(error, requestId),
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `HTTP/1.1 ${error.status} Error\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}
