import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ChatService } from '../../chats/chat-service.ts';
import { AppError } from '../../errors.ts';
import type { StoredMessage } from '../../store/message-repository.ts';
import { isUnderWay, type Exchange, type ExchangeTarget } from '../../events/exchanges.ts';
import { OpenAiError } from '../../plugins/openai-error.ts';
import { absentBodyIsEmpty, type App } from '../../plugins/route.ts';
import { sendAnswer, type Answering } from './answering.ts';
import { ask, requireAnswerer, type AskDeps, type Question } from './ask.ts';
import { exchangeAnswer, follow, keep, targetOf, wantedChat, type KeepDeps, type KeepPlace } from './kept.ts';
import { RESPONSE_FIELDS } from './field-names.ts';
import { readInput } from './read-input.ts';
import { refuseFields } from './refused-fields.ts';
import {
  createResponseStream,
  failedStanding,
  toAnsweredResponse,
  toResponse,
  type ResponseHead,
} from './response-format.ts';
import {
  ANSWER_ERRORS,
  DeletedResponse,
  KEEPING_ERRORS,
  REQUEST_HEADERS,
  ResponseBody,
  ResponseObject,
  ResponseParams,
  ResponseQuery,
  streamedAnswer,
} from './schemas.ts';
import { readWishes } from './wishes.ts';

/** What the endpoints of responses work with. */
export interface ResponseDeps extends AskDeps, KeepDeps {
  chats: Pick<ChatService, 'admitTo' | 'send' | 'stop' | 'deleteMessage'>;
}

const PREFIX = 'resp_';
const PLACE_ERRORS = ['workspace_forbidden', 'workspace_not_found'] as const;
const ERRORS = { 400: ['invalid_request'], 404: ['response_not_found'] };

/** Of one that was kept, the id says where it is: in which chat, and which message was answered. */
const idOf = ({ chatId, messageId }: Pick<ExchangeTarget, 'chatId' | 'messageId'>): string =>
  `${PREFIX}${chatId}_${messageId}`;

function placeOf(id: string, param: string): Pick<ExchangeTarget, 'chatId' | 'messageId'> {
  const [chatId, messageId, ...more] = id.slice(PREFIX.length).split('_');
  if (!id.startsWith(PREFIX) || chatId === undefined || messageId === undefined || more.length > 0)
    throw notFound(id, param);
  return { chatId, messageId };
}

const notFound = (id: string, param: string): OpenAiError =>
  new OpenAiError(
    404,
    `There is no response “${id}”; only those can be found that were kept, as with "store": true.`,
    { param, code: 'response_not_found' },
  );

/** What the client reads again as it sent it. */
const ECHOED = ['instructions', 'max_output_tokens', 'temperature', 'tool_choice', 'tools', 'top_p'] as const;
const echoOf = (body: ResponseBody): Record<string, unknown> =>
  Object.fromEntries(ECHOED.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])));

/** The endpoints of responses. */
export function setupResponseRoutes(app: App, deps: ResponseDeps): void {
  const { chats, exchanges } = deps;

  /** The chat that a response goes into, and the id of the one before it. */
  async function placeFor(
    request: FastifyRequest<{ Body: ResponseBody }>,
  ): Promise<{ place: KeepPlace | null; previousId: string | null }> {
    const { store, background, previous_response_id: previousId = null } = request.body;
    const refuse = (words: string, param: string): never => {
      throw new OpenAiError(400, words, { param });
    };
    if (store === false && background === true) refuse(BACKGROUND_IS_KEPT, 'store');
    if (previousId === null) {
      const wanted = wantedChat(request, store === true || background === true);
      return { place: wanted === null ? null : { wanted }, previousId };
    }
    if (store === false) refuse(NEXT_IS_KEPT, 'store');
    const param = 'previous_response_id';
    const { chatId, messageId } = placeOf(previousId, param);
    const previous = await exchanges.find(targetOf(deps, request, { chatId, messageId }));
    if (previous === null || isGone(previous)) throw notFound(previousId, param);
    return { place: { wanted: chatId, after: messageId }, previousId };
  }

  /** `answering` is null for a response that is to be asked for. */
  async function begin(
    request: FastifyRequest<{ Body: ResponseBody }>,
    reply: FastifyReply,
  ): Promise<{ head: ResponseHead; answering: Answering | null; isRepeat?: boolean }> {
    const { body } = request;
    const isBackground = body.background === true;
    refuseFields(body, REFUSED);
    const question: Question = {
      answerer: requireAnswerer(deps, request, body.model),
      conversation: readInput(body.input, body.instructions),
      wishes: readWishes(
        { ...body, format: body.text?.format, effort: body.reasoning?.effort },
        RESPONSE_FIELDS,
      ),
      fields: RESPONSE_FIELDS,
    };
    const { place, previousId } = await placeFor(request);
    const kept = place === null ? null : await keep(deps, request, reply, question, place).catch(asLate);
    const head: ResponseHead = {
      id: kept === null ? `${PREFIX}${randomUUID().replaceAll('-', '')}` : idOf(kept),
      createdAt: Math.floor(Date.now() / 1000),
      model: body.model,
      isKept: kept !== null,
      isBackground,
      previousId,
      echo: echoOf(body),
    };
    if (kept === null) return { head, answering: ask(deps, request, reply, question) };
    const isAskedFor = isBackground && body.stream !== true;
    const answering = isAskedFor ? null : follow(deps, reply, kept, RESPONSE_FIELDS);
    return { head, answering, isRepeat: kept.isRepeat };
  }

  async function requireExchange(
    request: FastifyRequest,
    responseId: string,
  ): Promise<{ target: ExchangeTarget; exchange: Exchange }> {
    const target = targetOf(deps, request, placeOf(responseId, 'response_id'));
    const exchange = await exchanges.find(target);
    if (exchange === null) throw notFound(responseId, 'response_id');
    return { target, exchange };
  }

  app.post(
    '/v1/responses',
    {
      schema: {
        operationId: 'createResponse',
        tags: ['OpenAI'],
        summary: 'Answer an input',
        description:
          'As POST /v1/chat/completions, in the format of OpenAI’s responses. Unlike there, nothing is kept unless "store" is true: then it is a ' +
          'chat, and the response can be asked for, gone on with ("previous_response_id"), cancelled and deleted. "background": true keeps it, too, and answers at once.',
        body: ResponseBody,
        response: { 200: ResponseObject },
        answers: { 200: streamedAnswer(ResponseObject) },
        requestHeaders: REQUEST_HEADERS,
        errors: KEEPING_ERRORS,
        openAiErrors: ANSWER_ERRORS,
      },
      preValidation: absentBodyIsEmpty,
    },
    async (request, reply) => {
      const { head, answering, isRepeat = false } = await begin(request, reply);
      if (answering === null && isRepeat)
        return storedResponse(head.id, (await requireExchange(request, head.id)).exchange);
      if (answering === null) return toResponse(head, { status: 'queued' });
      if (request.body.stream === true)
        return sendAnswer(reply, answering, createResponseStream(head), deps.onError);
      return toAnsweredResponse(head, await answering.end);
    },
  );

  app.get(
    '/v1/responses/:responseId',
    {
      schema: {
        operationId: 'getResponse',
        tags: ['OpenAI'],
        summary: 'Read a response that was kept',
        params: ResponseParams,
        querystring: ResponseQuery,
        response: { 200: ResponseObject },
        errors: PLACE_ERRORS,
        openAiErrors: ERRORS,
      },
    },
    async (request) => {
      if (request.query.stream === 'true') {
        const words =
          'A response can be streamed only by who made it; ask for it again until its "status" is "completed".';
        throw new OpenAiError(400, words, { param: 'stream' });
      }
      const { exchange } = await requireExchange(request, request.params.responseId);
      return storedResponse(request.params.responseId, exchange);
    },
  );

  app.post(
    '/v1/responses/:responseId/cancel',
    {
      schema: {
        operationId: 'cancelResponse',
        tags: ['OpenAI'],
        summary: 'Stop a response that is being written',
        description: 'Stops all that its chat is doing. One that is done stays as it is.',
        params: ResponseParams,
        response: { 200: ResponseObject },
        errors: PLACE_ERRORS,
        openAiErrors: ERRORS,
      },
    },
    async (request) => {
      const { responseId } = request.params;
      const { target, exchange } = await requireExchange(request, responseId);
      if (!isUnderWay(exchange)) return storedResponse(responseId, exchange);
      await chats.stop(target.chatId, target.workspaceId);
      return storedResponse(responseId, (await requireExchange(request, responseId)).exchange);
    },
  );

  app.delete(
    '/v1/responses/:responseId',
    {
      schema: {
        operationId: 'deleteResponse',
        tags: ['OpenAI'],
        summary: 'Delete a response that was kept',
        description:
          'Deletes the message and its reply; the chat stays, and in Parley they can be restored for 30 days.',
        params: ResponseParams,
        response: { 200: DeletedResponse },
        errors: [...PLACE_ERRORS, 'chat_busy', 'message_not_found', 'chat_not_found'],
        openAiErrors: ERRORS,
      },
    },
    async (request) => {
      const { responseId } = request.params;
      const { target } = await requireExchange(request, responseId);
      await chats.deleteMessage(target);
      return { id: responseId, object: 'response' as const, deleted: true as const };
    },
  );
}

/** The same of a response that was kept. */
function echoOfQuestion({ parameters }: StoredMessage): Record<string, unknown> {
  const { temperature, topP, maxOutputTokens, instructions } = parameters ?? {};
  return {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(maxOutputTokens !== undefined && { max_output_tokens: maxOutputTokens }),
    ...(instructions !== undefined && { instructions }),
  };
}

/** Its reply was deleted. */
const isGone = (exchange: Exchange): boolean => exchange.reply === null && !isUnderWay(exchange);

/** A chat that has gone on since the response before is told as that. */
function asLate(error: unknown): never {
  const isLate = error instanceof AppError && error.code === 'conflict';
  throw isLate ? new OpenAiError(400, NOT_THE_LAST, { param: 'previous_response_id' }) : error;
}

/** A response as its rows tell of it. Throws OpenAiError when its reply was deleted. */
function storedResponse(id: string, exchange: Exchange): ResponseObject {
  const { chat, question, reply, previousId } = exchange;
  const head: ResponseHead = {
    id,
    createdAt: Math.floor(Date.parse(question.createdAt) / 1000),
    model: reply?.model ?? chat.model,
    isKept: true,
    isBackground: true,
    previousId: previousId === null ? null : idOf({ chatId: chat.id, messageId: previousId }),
    echo: echoOfQuestion(question),
  };
  if (isUnderWay(exchange)) return toResponse(head, { status: reply === null ? 'queued' : 'in_progress' });
  if (reply?.error) return toResponse(head, failedStanding(reply.error, []));
  const answered = toAnsweredResponse(head, exchangeAnswer(exchange, RESPONSE_FIELDS));
  return reply?.stopReason === 'stopped' ? { ...answered, status: 'cancelled' } : answered;
}

/** Why a field is refused that is there in OpenAI's API, by the field. */
const REFUSED = {
  conversation: 'There are no conversations of OpenAI’s here; go on with "previous_response_id".',
  prompt: 'There are no prompts of OpenAI’s here; send "input" and "instructions".',
  top_logprobs: 'How likely the words were is not told; leave "top_logprobs" out.',
} as const satisfies Partial<Record<keyof ResponseBody, string>>;

const BACKGROUND_IS_KEPT =
  'What is answered in the background is kept, so that it can be asked for; leave "store" out.';
const NEXT_IS_KEPT = 'What goes on with a response is kept in its chat; leave "store" out.';
const NOT_THE_LAST = 'The chat has gone on since that response; go on with its last one, or in a new chat.';
