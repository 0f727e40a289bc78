import type { FastifySchema } from 'fastify';
import type { ApiErrorCode } from '../../../shared/errors.ts';
import { AppError } from '../../errors.ts';
import { openAiErrorOf } from '../../plugins/openai-error.ts';
import { OpenAiErrorAnswer } from '../openai/schemas.ts';
import type { Json } from './components.ts';
import { headerRefs } from './error-answers.ts';

const WORDS = 'An error as in OpenAI’s API; `message` says what to do.';

/** The answers of these errors, and of those that only this route has, by status, as everything under `/v1` tells them. */
export function openAiErrorAnswers(
  codes: readonly ApiErrorCode[],
  shared: Json,
  { openAiErrors = {} }: FastifySchema,
): Json {
  const byStatus: Record<number, string[]> = {};
  const add = (status: number, code: string): void => void (byStatus[status] ??= []).push(code);
  for (const code of codes) {
    const error = openAiErrorOf(new AppError(code));
    add(error.status, error.code);
  }
  for (const [status, own] of Object.entries(openAiErrors)) for (const code of own) add(Number(status), code);
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, all]) => {
      const names = [...new Set(all)];
      const name = ['openai', status, ...names].join('.');
      shared[name] ??= {
        description: `${WORDS} \`code\` is one of ${names.map((code) => `\`${code}\``).join(', ')}.`,
        headers: headerRefs([
          'X-Request-Id',
          ...(status === '401' ? ['WWW-Authenticate'] : []),
          ...(status === '429' ? ['Retry-After'] : []),
        ]),
        content: {
          'application/json': {
            schema: OpenAiErrorAnswer,
            examples: Object.fromEntries(
              names.map((code) => [code, { value: exampleOf(Number(status), code) }]),
            ),
          },
        },
      };
      return [status, { $ref: `#/components/responses/${name}` }];
    }),
  );
}

const exampleOf = (status: number, code: string): Json => ({
  error: {
    message: 'What went wrong, and what to do.',
    type: status >= 500 ? 'server_error' : status === 429 ? 'rate_limit_error' : 'invalid_request_error',
    param: null,
    code,
  },
});
