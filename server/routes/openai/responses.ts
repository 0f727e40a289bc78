import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { definedFields } from '../../lib/defined-fields.ts';
import { OpenAiError, invalidParam } from '../../plugins/openai-error.ts';
import { createEndpoints, type App } from '../../plugins/endpoints.ts';
import { sendAnswer, type Answering } from './answering.ts';
import { startAnswer, requireAnswerer, type ParsedRequest } from './ask.ts';
import type { OpenAiDeps } from './deps.ts';
import { follow, keep, wantedChat, type KeepTarget } from './kept.ts';
import { readInput } from './read-input.ts';
import { createRecentItems } from './recent-items.ts';
import {
  createResponseStream,
  toAnsweredResponse,
  toResponse,
  type ResponseEcho,
  type ResponseHead,
} from './response-format.ts';
import { ANSWERS, ResponseBody, ResponseObject, streamedAnswer } from './schemas.ts';
import { responseIdOf, PREFIX, readResponse, requireReply } from './stored-response.ts';
import { readOptions } from './request-options.ts';
import { refuseFields, RESPONSE_FIELDS } from './fields.ts';

/** The client's own fields that the response repeats. */
const ECHOED =
  'instructions max_output_tokens max_tool_calls metadata parallel_tool_calls prompt_cache_key reasoning safety_identifier temperature text tool_choice tools top_p truncation user'.split(
    ' ',
  );
const echoOf = (body: ResponseBody & Readonly<Record<string, unknown>>): ResponseEcho => ({
  model: body.model,
  background: body.background === true,
  ...definedFields(
    body,
    ECHOED.filter((name) => body[name] !== null),
  ),
});

/** `POST /v1/responses`. */
export function setupResponseRoutes(app: App, deps: OpenAiDeps): void {
  const api = createEndpoints(app, 'OpenAI');
  const recent = createRecentItems();
  const holderOf = ({ headers }: FastifyRequest): string =>
    deps.authenticator.watch(headers.authorization).holder;
  /** Where to keep a response, and the id of the previous one. */
  async function keepTargetFor(
    request: FastifyRequest<{ Body: ResponseBody }>,
  ): Promise<{ target: KeepTarget | null; previousId: string | null }> {
    const { store, background, previous_response_id: previousId = null } = request.body;
    if (store === false && background === true) throw invalidParam('store', BACKGROUND_IS_KEPT);
    if (previousId === null) {
      const wanted = wantedChat(request, store === true || background === true);
      return { target: wanted === null ? null : { wanted }, previousId };
    }
    if (store === false) throw invalidParam('store', NEXT_IS_KEPT);
    const param = 'previous_response_id';
    const { target } = await requireReply(deps, request, previousId, param);
    return { target: { wanted: target.chatId, after: target.messageId }, previousId };
  }

  /** `answering` is null for a background response, which the client reads later. */
  async function begin(
    request: FastifyRequest<{ Body: ResponseBody }>,
    reply: FastifyReply,
  ): Promise<{ head: ResponseHead; answering: Answering | null; isRepeat?: boolean }> {
    const { body } = request;
    refuseFields(body, REFUSED);
    const parsed: ParsedRequest = {
      answerer: requireAnswerer(deps, request, body.model),
      conversation: readInput(body.input, body.instructions, (id) => recent.find(holderOf(request), id)),
      options: readOptions(
        { ...body, format: body.text?.format, effort: body.reasoning?.effort },
        RESPONSE_FIELDS,
      ),
      fields: RESPONSE_FIELDS,
    };
    const { target, previousId } = await keepTargetFor(request);
    const echo = echoOf(body);
    const kept = target && (await keep(deps, request, reply, parsed, { ...target, echo }).catch(asLate));
    const head: ResponseHead = {
      id: kept === null ? `${PREFIX}${randomUUID().replaceAll('-', '')}` : responseIdOf(kept),
      createdAt: Math.floor(Date.now() / 1000),
      isKept: kept !== null,
      previousId,
      echo,
    };
    if (kept === null) return { head, answering: startAnswer(deps, request, reply, parsed) };
    const isReadLater = echo.background && body.stream !== true;
    const answering = isReadLater ? null : follow(deps, reply, kept, RESPONSE_FIELDS);
    return { head, answering, isRepeat: kept.isRepeat };
  }

  api.post('/v1/responses', 'createResponse', 'Answer an input', {
    description:
      'Like POST /v1/chat/completions, in the format of OpenAI’s responses. Unlike OpenAI, Parley keeps nothing unless "store" is true: then it is a ' +
      'chat, and the response can be read, continued ("previous_response_id"), cancelled and deleted. "background": true also keeps it, and returns at once.',
    body: ResponseBody,
    response: { 200: ResponseObject },
    answers: { 200: streamedAnswer(ResponseObject) },
    ...ANSWERS,
    handle: async ({ body, request, reply }) => {
      const { head, answering, isRepeat = false } = await begin(request, reply);
      if (answering === null && isRepeat)
        return readResponse(await requireReply(deps, request, head.id, 'response_id'));
      if (answering === null) return toResponse(head, { status: 'queued' });
      const remember = ({ output }: Pick<ResponseObject, 'output'>): void => {
        if (body.store !== false) recent.add(holderOf(request), output);
      };
      if (body.stream === true) {
        const format = createResponseStream(head, { onEnd: remember });
        return sendAnswer(reply, answering, format, deps.onError);
      }
      const response = toAnsweredResponse(head, await answering.end);
      remember(response);
      return response;
    },
  });
}

/** Translates the conflict of a chat that has continued since the previous response. */
function asLate(error: unknown): never {
  const isLate = error instanceof AppError && error.code === 'conflict';
  throw isLate ? new OpenAiError(400, NOT_THE_LAST, { param: 'previous_response_id' }) : error;
}

/** Fields of OpenAI's API that are refused, and why. */
const REFUSED = {
  conversation: 'OpenAI’s conversations are not available here; continue with "previous_response_id".',
  prompt: 'OpenAI’s prompts are not available here; send "input" and "instructions".',
  top_logprobs: 'Log probabilities are not available; leave "top_logprobs" out.',
};

const BACKGROUND_IS_KEPT =
  'Background responses are always kept, so that they can be read; leave "store" out.';
const NEXT_IS_KEPT = 'A response that continues another is kept in its chat; leave "store" out.';
const NOT_THE_LAST =
  'The chat has continued since that response; continue with its last response, or in a new chat.';
