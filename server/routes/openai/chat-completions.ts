import { randomUUID } from 'node:crypto';
import { MAX_SEND_BYTES } from '../../../shared/limits.ts';
import { createEndpoints } from '../../plugins/endpoints.ts';
import type { App } from '../../plugins/route.ts';
import { sendAnswer } from './answering.ts';
import { ask, requireAnswerer, type AskDeps, type Question } from './ask.ts';
import { createChatStream, toCompletion } from './chat-format.ts';
import { CHAT_FIELDS } from './field-names.ts';
import { follow, keep, wantedChat, type KeepDeps } from './kept.ts';
import { readMessages } from './read-messages.ts';
import { refuseFields } from './refused-fields.ts';
import {
  ANSWER_ERRORS,
  ChatCompletion,
  ChatCompletionBody,
  KEEPING_ERRORS,
  REQUEST_HEADERS,
  streamedAnswer,
} from './schemas.ts';
import { readWishes } from './wishes.ts';

/** Why a field is refused that is there in OpenAI's API, by the field. */
const REFUSED = {
  n: 'There is one choice in each answer; leave "n" out, and ask again for another.',
  logprobs: 'How likely the words were is not told; leave "logprobs" out.',
  top_logprobs: 'How likely the words were is not told; leave "top_logprobs" out.',
  logit_bias: 'Single tokens can’t be made likelier; leave "logit_bias" out.',
  modalities: 'Answers are text alone; leave "modalities" out.',
  audio: 'Answers are text alone; leave "audio" out.',
  functions: 'Functions are given as "tools" with the type "function"; use those.',
  function_call: 'Which function is called is said by "tool_choice"; use that.',
} as const satisfies Partial<Record<keyof ChatCompletionBody, string>>;

/** The endpoint of chat completions. */
export function setupChatCompletionRoute(app: App, deps: AskDeps & KeepDeps): void {
  const api = createEndpoints(app, 'OpenAI');
  api.post('/v1/chat/completions', {
    operationId: 'createChatCompletion',
    summary: 'Answer a conversation',
    description:
      'As in OpenAI’s API, streamed (server-sent events) with "stream": true. A connected model gets the conversation and your tools as they ' +
      'are, and its calls of them come back as "tool_calls". Agents and the offline assistant use tools of their own, of which none reaches out ' +
      'or asks, and pass over yours. Nothing is kept, and the work ends when the client goes away, unless the header X-Parley-Chat ' +
      'is "new" or the id of a chat, or "store" is true, as "new": then the last message goes into that chat, which the header X-Parley-Chat of ' +
      'the answer names.',
    body: ChatCompletionBody,
    response: { 200: ChatCompletion },
    answers: { 200: streamedAnswer(ChatCompletion) },
    requestHeaders: REQUEST_HEADERS,
    errors: KEEPING_ERRORS,
    openAiErrors: ANSWER_ERRORS,
    bodyLimit: MAX_SEND_BYTES,
    handle: async ({ body, request, reply }) => {
      refuseFields(body, REFUSED);
      const isNewer = (body.max_completion_tokens ?? null) !== null;
      const fields = isNewer ? { ...CHAT_FIELDS, maxTokens: 'max_completion_tokens' as const } : CHAT_FIELDS;
      const { response_format: format, reasoning_effort: effort } = body;
      const question: Question = {
        answerer: requireAnswerer(deps, request, body.model),
        conversation: readMessages(body.messages),
        wishes: readWishes({ ...body, format, effort }, fields),
        fields,
      };
      const wanted = wantedChat(request, body.store);
      const answering =
        wanted === null
          ? ask(deps, request, reply, question)
          : follow(deps, reply, await keep(deps, request, reply, question, { wanted }), fields);
      const head = {
        id: `chatcmpl-${randomUUID()}`,
        created: Math.floor(Date.now() / 1000),
        model: body.model,
      };
      if (body.stream !== true) return toCompletion(head, await answering.end);
      const withUsage = body.stream_options?.include_usage === true;
      return sendAnswer(reply, answering, createChatStream(head, withUsage), deps.onError);
    },
  });
}
