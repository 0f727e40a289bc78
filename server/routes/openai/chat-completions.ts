import { randomUUID } from 'node:crypto';
import { createEndpoints, type App } from '../../plugins/endpoints.ts';
import { sendAnswer } from './answering.ts';
import { startAnswer, requireAnswerer, type ParsedRequest } from './ask.ts';
import { createChatStream, toCompletion } from './chat-format.ts';
import type { OpenAiDeps } from './deps.ts';
import { follow, keep, wantedChat } from './kept.ts';
import { readMessages } from './read-messages.ts';
import { ANSWERS, ChatCompletion, ChatCompletionBody, streamedAnswer } from './schemas.ts';
import { readOptions } from './request-options.ts';
import { CHAT_FIELDS, refuseFields } from './fields.ts';

/** Fields of OpenAI's API that are refused, and why. */
const REFUSED = {
  n: 'Each response has one choice. Leave "n" out, and send another request for another choice.',
  logprobs: 'Log probabilities are not available; leave "logprobs" out.',
  top_logprobs: 'Log probabilities are not available; leave "top_logprobs" out.',
  modalities: 'Responses are text only; leave "modalities" out.',
  audio: 'Responses are text only; leave "audio" out.',
  functions: '"functions" is not supported; use "tools" with the type "function".',
  function_call: '"function_call" is not supported; use "tool_choice".',
};

/** The endpoint of chat completions. */
export function setupChatCompletionRoute(app: App, deps: OpenAiDeps): void {
  const api = createEndpoints(app, 'OpenAI');
  api.post('/v1/chat/completions', 'createChatCompletion', 'Answer a conversation', {
    description:
      'As in OpenAI’s API; "stream": true streams server-sent events. A connected model gets the conversation and your tools as they ' +
      'are, and its calls of them come back as "tool_calls". Agents and the offline assistant only use their own tools that contact nothing ' +
      'and ask nobody, and ignore yours. Nothing is kept, and the work ends when the client disconnects, unless the header X-Parley-Chat ' +
      'is "new" or the id of a chat, or "store" is true (the same as "new"): then the last message is added to that chat, which the header X-Parley-Chat of ' +
      'the answer names.',
    body: ChatCompletionBody,
    response: { 200: ChatCompletion },
    answers: { 200: streamedAnswer(ChatCompletion) },
    ...ANSWERS,
    handle: async ({ body, request, reply }) => {
      refuseFields(body, REFUSED);
      const isNewer = (body.max_completion_tokens ?? null) !== null;
      const fields = isNewer ? { ...CHAT_FIELDS, maxTokens: 'max_completion_tokens' as const } : CHAT_FIELDS;
      const { response_format: format, reasoning_effort: effort } = body;
      const parsed: ParsedRequest = {
        answerer: requireAnswerer(deps, request, body.model),
        conversation: readMessages(body.messages),
        options: readOptions({ ...body, format, effort }, fields),
        fields,
      };
      const wanted = wantedChat(request, body.store);
      const kept = wanted === null ? null : await keep(deps, request, reply, parsed, { wanted });
      const answering =
        kept === null ? startAnswer(deps, request, reply, parsed) : follow(deps, reply, kept, fields);
      const head = {
        // A repeat of an exchange that is kept has the same one.
        id: `chatcmpl-${kept?.messageId ?? randomUUID()}`,
        created: Math.floor(Date.now() / 1000),
        model: body.model,
      };
      const given = (body.metadata ?? null) === null ? {} : { metadata: body.metadata };
      if (body.stream !== true) return { ...toCompletion(head, await answering.end), ...given };
      const withUsage = body.stream_options?.include_usage === true;
      return sendAnswer(reply, answering, createChatStream(head, withUsage), deps.onError);
    },
  });
}
