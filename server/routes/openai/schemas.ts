/** Schemas of requests and responses under `/v1`. Fields without a schema are ignored, or refused by the endpoint. */
import { Type, type Static, type TSchema } from 'typebox';
import { choice, flag, list, object, orNull, text, whole, WorkspaceId } from '../../../shared/api/common.ts';
import { MAX_SEND_BYTES } from '../../../shared/limits.ts';

/** A field that may be absent or null. */
const given = <S extends TSchema>(schema: S, description: string, expected = description) =>
  Type.Optional(Type.Union([schema, Type.Null()], { description, expected }));

const penalty = Type.Number({ minimum: -2, maximum: 2 });
const toggle = (description: string) =>
  given(Type.Boolean(), `${description}: true, false or null`, 'true, false or null');

const ModelName = Type.String({
  minLength: 1,
  maxLength: 400,
  expected: 'the name of a model, such as "offline-assistant", or of an agent, such as "agent:writer"',
});
const Tools = given(Type.Array(Type.Object({}), { maxItems: 10_000 }), 'a list of functions, or null');
const Temperature = given(Type.Number({ minimum: 0, maximum: 2 }), 'a number from 0 to 2, or null');
const TopP = given(Type.Number({ minimum: 0, maximum: 1 }), 'a number from 0 to 1, or null');
const MaxTokens = given(
  Type.Integer({ minimum: -1 }),
  'a whole number; null, 0 and -1 set no limit',
  'a whole number from -1, or null',
);
const Message = Type.Object(
  { role: text('a role, such as "user"') },
  { expected: 'a message with a "role" and a "content"' },
);
const Anything = Type.Optional(Type.Unknown());

/** Body of `POST /v1/chat/completions`. */
export const ChatCompletionBody = Type.Object({
  model: ModelName,
  messages: list(Message, 'a list of messages with a "role" and a "content" each', { minItems: 1 }),
  stream: toggle('whether to stream the response'),
  stream_options: given(
    Type.Object({ include_usage: toggle('whether the stream ends with the token usage') }),
    'an object such as {"include_usage": true}, or null',
  ),
  tools: Tools,
  tool_choice: Anything,
  temperature: Temperature,
  top_p: TopP,
  max_tokens: MaxTokens,
  max_completion_tokens: MaxTokens,
  stop: given(Type.Union([Type.String(), Type.Array(Type.String())]), 'a text, a list of texts, or null'),
  seed: given(Type.Integer(), 'a whole number, or null'),
  presence_penalty: given(penalty, 'a number from -2 to 2, or null'),
  frequency_penalty: given(penalty, 'a number from -2 to 2, or null'),
  response_format: Anything,
  reasoning_effort: Anything,
  store: toggle('whether the exchange becomes a chat in Parley, by default not'),
  n: given(Type.Integer(), '1, or null'),
  logit_bias: given(
    Type.Record(Type.String(), Type.Number({ minimum: -100, maximum: 100 })),
    'an object with a number from -100 to 100 for each token, or null',
  ),
  parallel_tool_calls: toggle('whether the model may call several tools at once'),
  metadata: Anything,
  workspaceId: Type.Optional(WorkspaceId),
});
export type ChatCompletionBody = Static<typeof ChatCompletionBody>;

const Count = Type.Integer({ minimum: 0 });
const Time = whole('seconds since 1970');

/** Response of `POST /v1/chat/completions`, unless it is a stream. */
export const ChatCompletion = Type.Object({
  id: Type.String(),
  object: Type.Literal('chat.completion'),
  created: Time,
  model: Type.String(),
  choices: Type.Array(
    Type.Object({
      index: Count,
      message: Type.Object({
        role: Type.Literal('assistant'),
        content: orNull(Type.String()),
        refusal: orNull(Type.String(), 'a text instead of `content`'),
        reasoning_content: Type.Optional(text('the model’s reasoning, if it sends any')),
        tool_calls: Type.Optional(
          Type.Array(
            Type.Object({
              id: Type.String(),
              type: choice(['function', 'custom']),
              function: Type.Optional(Type.Object({ name: Type.String(), arguments: Type.String() })),
              custom: Type.Optional(Type.Object({ name: Type.String(), input: Type.String() })),
            }),
          ),
        ),
      }),
      logprobs: Type.Null(),
      finish_reason: choice(['stop', 'length', 'tool_calls', 'content_filter']),
    }),
  ),
  usage: object('0 if the model reports nothing', {
    prompt_tokens: Count,
    completion_tokens: Count,
    total_tokens: Count,
    prompt_tokens_details: Type.Object({ cached_tokens: Count }),
    completion_tokens_details: Type.Object({ reasoning_tokens: Count }),
  }),
  metadata: Type.Optional(Type.Unknown({ description: 'that of the request' })),
});
export type ChatCompletion = Static<typeof ChatCompletion>;

/** A model or agent. */
export const OpenAiModel = Type.Object({
  id: text('the value for "model"'),
  object: Type.Literal('model'),
  created: whole('always 0: unknown'),
  owned_by: text('the connection it comes from, or "parley"'),
});
export type OpenAiModel = Static<typeof OpenAiModel>;

/** Response of `GET /v1/models`. */
export const OpenAiModelList = Type.Object({ object: Type.Literal('list'), data: Type.Array(OpenAiModel) });

/** Body of `POST /v1/responses`. */
export const ResponseBody = Type.Object({
  model: ModelName,
  input: Type.Union([Type.String(), Type.Array(Type.Object({}))], {
    description: 'a text, or a list of items',
  }),
  instructions: given(Type.String(), 'a text, or null'),
  stream: toggle('whether to stream the response'),
  store: toggle('whether the exchange becomes a chat in Parley, by default not'),
  background: toggle('whether to return at once and read the response later; it becomes a chat'),
  previous_response_id: given(Type.String(), 'the id of a stored response, or null'),
  tools: Tools,
  tool_choice: Anything,
  temperature: Temperature,
  top_p: TopP,
  max_output_tokens: MaxTokens,
  parallel_tool_calls: toggle('whether the model may call several tools at once'),
  text: given(Type.Object({ format: Anything }), 'an object with a "format", or null'),
  reasoning: given(Type.Object({ effort: Anything }), 'an object with an "effort", or null'),
  workspaceId: Type.Optional(WorkspaceId),
});
export type ResponseBody = Static<typeof ResponseBody>;

/** One item of a response's output. */
const OutputItem = Type.Object(
  { type: choice(['reasoning', 'message', 'function_call', 'custom_tool_call']), id: Type.String() },
  { additionalProperties: true },
);
export type OutputItem = Static<typeof OutputItem> & Record<string, unknown>;

/** A response, as its endpoints and the events of its stream send it. */
export const ResponseObject = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('response'),
    created_at: Time,
    status: choice(['queued', 'in_progress', 'completed', 'incomplete', 'failed', 'cancelled']),
    background: Type.Boolean(),
    store: flag('whether it is stored as a chat in Parley'),
    model: Type.String(),
    output: Type.Array(OutputItem),
    error: orNull(Type.Object({ code: Type.String(), message: Type.String() })),
    incomplete_details: orNull(Type.Object({ reason: choice(['max_output_tokens', 'content_filter']) })),
    previous_response_id: orNull(Type.String()),
    usage: orNull(
      Type.Object({
        input_tokens: Count,
        input_tokens_details: Type.Object({ cached_tokens: Count }),
        output_tokens: Count,
        output_tokens_details: Type.Object({ reasoning_tokens: Count }),
        total_tokens: Count,
      }),
    ),
  },
  { additionalProperties: true },
);
export type ResponseObject = Static<typeof ResponseObject>;

/** Query of `GET /v1/responses/{id}`. */
export const ResponseQuery = Type.Object({
  stream: Type.Optional(text('`true`: streams its events, like a new response.')),
  starting_after: Type.Optional(
    text('The `sequence_number` of the last event you have; the stream starts after it.', {
      pattern: '^\\d{1,9}$',
      expected: 'the sequence_number of an event',
    }),
  ),
});

/** Query of `GET /v1/responses/{id}/input_items`. */
export const InputItemsQuery = Type.Object({
  after: Type.Optional(text('Id of an item; lists those after it.')),
  limit: Type.Optional(
    text('The maximum number of items, 1 to 100.', {
      pattern: '^([1-9]\\d?|100)$',
      expected: 'a whole number from 1 to 100',
    }),
  ),
  order: Type.Optional(choice(['asc', 'desc'], '`asc`: oldest first. `desc`: newest first.')),
});

/** Response of `GET /v1/responses/{id}/input_items`. */
export const InputItemList = Type.Object({
  object: Type.Literal('list'),
  data: Type.Array(
    Type.Object({
      id: Type.String(),
      type: Type.Literal('message'),
      role: Type.Literal('user'),
      status: Type.Literal('completed'),
      content: Type.Array(Type.Object({ type: Type.Literal('input_text'), text: Type.String() })),
    }),
  ),
  first_id: orNull(Type.String()),
  last_id: orNull(Type.String()),
  has_more: Type.Boolean(),
});
export type InputItemList = Static<typeof InputItemList>;

/** Response of `DELETE /v1/responses/{id}`. */
export const DeletedResponse = Type.Object({
  id: Type.String(),
  object: Type.Literal('response'),
  deleted: Type.Literal(true),
});

/** Every error response. */
export const OpenAiErrorAnswer = Type.Object({
  error: Type.Object({
    message: text('a sentence that says what to do'),
    type: Type.String(),
    param: orNull(Type.String()),
    code: Type.String(),
  }),
});

/** What both endpoints that answer have in common. */
export const ANSWERS = {
  bodyLimit: MAX_SEND_BYTES,
  requestHeaders: {
    'X-Parley-Chat': 'Makes the exchange part of a chat: `new`, or the id of one.',
    'Idempotency-Key':
      'For exchanges that are kept: 1 to 255 printable characters. For 24 hours, a repeat with the same key returns the same exchange instead of a second one.',
    'X-Workspace-Id': 'The workspace, for a key for all workspaces.',
  },
  /** `reach_required` is only for pictures that are fetched, the others only for exchanges that are kept. */
  errors: [
    'reach_required',
    'workspace_required',
    'workspace_forbidden',
    'workspace_not_found',
    'chat_not_found',
    'queue_full',
    'idempotency_conflict',
  ],
  openAiErrors: {
    400: ['invalid_request', 'unsupported_parameter', 'context_length_exceeded'],
    404: ['model_not_found', 'response_not_found'],
    429: ['model_overloaded'],
    500: ['interrupted', 'agent_crashed', 'server_error'],
    502: ['model_failed', 'model_unreachable', 'model_key_refused'],
    504: ['timed_out'],
  },
} as const;

/** In the API's document, a response that may be a stream. */
export const streamedAnswer = (whole: TSchema) => ({
  description: 'The response, or with `"stream": true` its events, as in OpenAI’s API.',
  content: {
    'application/json': whole,
    'text/event-stream': text('Server-sent events.'),
  },
  headers: { 'X-Parley-Chat': 'The id of the chat it was added to, if any.' },
});
