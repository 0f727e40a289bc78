/** The endpoints about one stored response. */
import { isUnsettled } from '../../../shared/choices.ts';
import { isUnderWay } from '../../events/exchanges.ts';
import { invalidParam } from '../../plugins/openai-error.ts';
import { createEndpoints, type App } from '../../plugins/endpoints.ts';
import { sendAnswer } from './answering.ts';
import type { OpenAiDeps } from './deps.ts';
import { follow } from './kept.ts';
import { createResponseStream } from './response-format.ts';
import {
  DeletedResponse,
  InputItemList,
  InputItemsQuery,
  ResponseObject,
  ResponseQuery,
  streamedAnswer,
} from './schemas.ts';
import {
  headOf,
  readResponse,
  requireReply,
  requireResponse,
  type StoredResponse,
} from './stored-response.ts';
import { RESPONSE_FIELDS } from './fields.ts';

/** What these endpoints have in common. */
const ABOUT = {
  errors: ['workspace_forbidden', 'workspace_not_found'],
  openAiErrors: { 400: ['invalid_request'], 404: ['response_not_found'] },
} as const;
const PARAM = 'response_id';

/** Adds these endpoints. */
export function setupStoredResponseRoutes(app: App, deps: OpenAiDeps): void {
  const api = createEndpoints(app, 'OpenAI');
  const { chats, chatChanges, exchanges } = deps;

  api.get('/v1/responses/:responseId', 'getResponse', 'Read a stored response', {
    description:
      '`stream=true` streams its events, from the first one or from after the number `starting_after`, even while it is being written. ' +
      'The model’s reasoning comes at the end of such a stream.',
    ...ABOUT,
    query: ResponseQuery,
    response: { 200: ResponseObject },
    answers: { 200: streamedAnswer(ResponseObject) },
    handle: async ({ params, query, request, reply }) => {
      const { stream, starting_after: after } = query;
      const response = await requireReply(deps, request, params.responseId, PARAM);
      if (stream !== 'true') return readResponse(response);
      const format = createResponseStream(
        headOf(response),
        after === undefined ? {} : { after: Number(after) },
      );
      const answering = follow(deps, reply, response.target, RESPONSE_FIELDS);
      return sendAnswer(reply, answering, format, deps.onError, true);
    },
  });

  api.get('/v1/responses/:responseId/input_items', 'listInputItems', 'List the input of a response', {
    description:
      'The user message it answers. Earlier messages belong to the previous response (`previous_response_id`).',
    ...ABOUT,
    query: InputItemsQuery,
    response: { 200: InputItemList },
    handle: async ({ params, query, request }) => {
      const { exchange } = await requireResponse(deps, request, params.responseId, PARAM);
      const { id: messageId, content } = exchange.question;
      const item: InputItemList['data'][number] = {
        id: `msg_${messageId}`,
        type: 'message',
        role: 'user',
        status: 'completed',
        content: [{ type: 'input_text', text: content }],
      };
      const { after } = query;
      if (after !== undefined && after !== item.id)
        throw invalidParam('after', `"after" must be the id of an item of the list.`);
      const data = after === undefined ? [item] : [];
      const id = data[0]?.id ?? null;
      return { object: 'list' as const, data, first_id: id, last_id: id, has_more: false };
    },
  });

  api.post('/v1/responses/:responseId/cancel', 'cancelResponse', 'Cancel a response', {
    description: 'Stops everything its chat is doing. A finished response stays as it is.',
    ...ABOUT,
    response: { 200: ResponseObject },
    handle: async ({ params, request }) => {
      const find = (): Promise<StoredResponse> => requireReply(deps, request, params.responseId, PARAM);
      const response = await find();
      const { target, exchange } = response;
      if (!isUnderWay(exchange)) return readResponse(response);
      await chats.stop(target.chatId, target.workspaceId);
      return readResponse(await find());
    },
  });

  /** Whether its chat was created for it and holds nothing else. */
  async function isAlone({ target, exchange }: StoredResponse): Promise<boolean> {
    const { chat, question, previousId } = exchange;
    // Both were created in one transaction, with one time.
    const isItsChat = chat.createdAt === question.createdAt && previousId === null;
    if (!isItsChat || isUnsettled(chat.status)) return false;
    const last = await exchanges.findLast(target.chatId, target.workspaceId);
    return last?.question.id === question.id;
  }

  api.delete('/v1/responses/:responseId', 'deleteResponse', 'Delete a stored response', {
    description:
      'Deletes the message and its reply, or the chat if it was created for them and holds nothing else. They can be restored in Parley for 30 days.',
    ...ABOUT,
    response: { 200: DeletedResponse },
    errors: [...ABOUT.errors, 'chat_busy', 'message_not_found', 'chat_not_found'],
    handle: async ({ params, request }) => {
      const { responseId } = params;
      const response = await requireResponse(deps, request, responseId, PARAM);
      if (await isAlone(response)) await chatChanges.remove(response.target);
      else await chats.deleteMessage(response.target);
      return { id: responseId, object: 'response' as const, deleted: true as const };
    },
  });
}
