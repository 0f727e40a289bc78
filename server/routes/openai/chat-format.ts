/** Formats responses as chat completions. */
import type { Answered, CallProgress, StreamFormat } from './answering.ts';
import { openAiErrorObject } from '../../plugins/openai-error.ts';
import type { ChatCompletion } from './schemas.ts';

/** What identifies a completion; `model` is as the client named it. */
type CompletionHead = Pick<ChatCompletion, 'id' | 'created' | 'model'>;

type Choice = ChatCompletion['choices'][number];

const finishOf = ({ stopReason, calls, isRefusal }: Answered): Choice['finish_reason'] => {
  if (stopReason === 'content_filter') return isRefusal ? 'stop' : 'content_filter';
  if (stopReason === 'length' || stopReason === 'step_limit') return 'length';
  return calls.length > 0 ? 'tool_calls' : 'stop';
};

/** Many clients expect numbers here: 0 if the model reports nothing. */
function usageOf({
  usage: { inputTokens = 0, outputTokens = 0 },
  counts,
}: Answered): ChatCompletion['usage'] {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: counts?.cachedTokens ?? 0 },
    completion_tokens_details: { reasoning_tokens: counts?.reasoningTokens ?? 0 },
  };
}

/** A complete response. */
export function toCompletion(head: CompletionHead, answered: Answered): ChatCompletion {
  const { text, reasoning, calls, isRefusal = false } = answered;
  return {
    ...head,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: isRefusal || (text === '' && calls.length > 0) ? null : text,
          refusal: isRefusal ? text : null,
          ...(reasoning !== '' && { reasoning_content: reasoning }),
          ...(calls.length > 0 && {
            tool_calls: calls.map(({ id, name, input, isCustom }) =>
              isCustom === true
                ? { id, type: 'custom' as const, custom: { name, input } }
                : { id, type: 'function' as const, function: { name, arguments: input } },
            ),
          }),
        },
        logprobs: null,
        finish_reason: finishOf(answered),
      },
    ],
    usage: usageOf(answered),
  };
}

const sse = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;

const toolCall = ({ index, id, name, isNew, input, isCustom }: CallProgress): object => ({
  index,
  ...(isNew && { id, type: isCustom === true ? 'custom' : 'function' }),
  ...(isCustom === true
    ? { custom: { ...(isNew && { name }), input } }
    : { function: { ...(isNew && { name }), arguments: input } }),
});

/** The format of a stream; `withUsage`: it ends with the token usage. */
export function createChatStream(head: CompletionHead, withUsage: boolean): StreamFormat {
  const start = { ...head, object: 'chat.completion.chunk' };
  const chunk = (delta: object, finish: Choice['finish_reason'] | null = null): string =>
    sse({
      ...start,
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...(withUsage && { usage: null }),
    });
  return {
    begin: () => chunk({ role: 'assistant', content: '' }),
    more: ({ text, reasoning, calls, isRefusal }) =>
      [
        reasoning === '' ? '' : chunk({ reasoning_content: reasoning }),
        text === '' ? '' : chunk(isRefusal ? { refusal: text } : { content: text }),
        calls.length === 0 ? '' : chunk({ tool_calls: calls.map(toolCall) }),
      ].join(''),
    end: (answered) =>
      [
        chunk({}, finishOf(answered)),
        withUsage ? sse({ ...start, choices: [], usage: usageOf(answered) }) : '',
        'data: [DONE]\n\n',
      ].join(''),
    fail: (error) => sse(openAiErrorObject(error)),
  };
}
