import { contentText, isRecord, recordsIn, textOf, REPORTED_USAGE } from './wire.ts';
import type { Answer, Asked, Json, Wire } from './wire.ts';

export const sse = (data: unknown): string =>
  `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
const ROLES: Record<string, 'system' | 'user' | 'assistant'> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
};
export const usageOf = ({ tokens = REPORTED_USAGE }: Answer): Json => ({
  prompt_tokens: tokens.inputTokens,
  completion_tokens: tokens.outputTokens,
  total_tokens: tokens.inputTokens + tokens.outputTokens,
  ...('cachedTokens' in tokens && { prompt_tokens_details: { cached_tokens: tokens.cachedTokens } }),
  ...('reasoningTokens' in tokens && {
    completion_tokens_details: { reasoning_tokens: tokens.reasoningTokens },
  }),
});

/** OpenAI's chat completions at such a path. */
export const openAiWireAt = (basePath: string): Wire => ({
  basePath,
  contentType: 'text/event-stream',
  read(path, body) {
    if (path !== `${basePath}/chat/completions` || !isRecord(body)) return null;
    const messages = recordsIn(body['messages']);
    const lastUser = messages.findLastIndex(({ role }) => role === 'user');
    return {
      model: textOf(body['model']),
      stream: body['stream'] === true,
      messages: messages.flatMap(({ role, content }) => {
        const known = ROLES[textOf(role)];
        return known === undefined ? [] : [{ role: known, text: contentText(content) }];
      }),
      tools: recordsIn(body['tools']).map((tool) =>
        isRecord(tool['function']) ? textOf(tool['function']['name']) : '',
      ),
      toolResults: messages
        .slice(lastUser + 1)
        .filter(({ role }) => role === 'tool')
        .map(({ content }) => contentText(content)),
      calls: messages
        .flatMap((message) => recordsIn(message['tool_calls']))
        .map((call) => (isRecord(call['function']) ? call['function'] : {}))
        .map((called) => ({ name: textOf(called['name']), args: textOf(called['arguments']) })),
    };
  },
  describe: (path, models, _body, contextTokens) =>
    path === `${basePath}/models`
      ? {
          object: 'list',
          data: models.map((id) => ({
            id,
            object: 'model',
            created: 0,
            owned_by: 'fake',
            ...(contextTokens !== undefined && { context_length: contextTokens }),
          })),
        }
      : null,
  pieces(asked, answer) {
    const chunk = (delta: Json, finish: string | null = null): string =>
      sse({ ...head(asked, 'chat.completion.chunk'), choices: [{ index: 0, delta, finish_reason: finish }] });
    return {
      pieces: [
        ...(answer.reasoning ?? []).map((text) => chunk({ reasoning_content: text })),
        ...(answer.text ?? []).map((content) => chunk({ content })),
        ...(answer.refusal ?? []).map((refusal) => chunk({ refusal })),
        // The arguments come in two parts, as they do from real servers.
        ...(answer.calls ?? []).flatMap(({ name, args }, index) => [
          chunk({
            tool_calls: [
              { index, id: `c${index}`, type: 'function', function: { name, arguments: args.slice(0, 3) } },
            ],
          }),
          chunk({ tool_calls: [{ index, function: { arguments: args.slice(3) } }] }),
        ]),
      ],
      end: [
        chunk({}, finishOf(answer)),
        ...(answer.isUncounted === true
          ? []
          : [sse({ ...head(asked, 'chat.completion.chunk'), choices: [], usage: usageOf(answer) })]),
        sse('[DONE]'),
      ],
    };
  },
  whole: (asked, answer) => ({
    ...head(asked, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: (answer.text ?? []).join(''),
          ...(answer.reasoning !== undefined && { reasoning_content: answer.reasoning.join('') }),
          ...(answer.calls !== undefined && {
            tool_calls: answer.calls.map(({ name, args }, index) => ({
              id: `c${index}`,
              type: 'function',
              function: { name, arguments: args },
            })),
          }),
        },
        finish_reason: finishOf(answer),
      },
    ],
    usage: usageOf(answer),
  }),
  malformed: 'data: {"choices": [{"delta": {"content": "half a\n\n',
  fault: sse({ error: { message: 'The engine ran into an internal fault.', type: 'server_error' } }),
  refusal: (status, message) => ({
    error: {
      message,
      type: status >= 500 ? 'server_error' : 'invalid_request_error',
      param: null,
      code: null,
    },
  }),
});

/** The format as OpenAI's own and most other servers speak it. */
export const OPENAI_WIRE = openAiWireAt('/v1');

export const head = ({ model }: Asked, object: string): Json => ({
  id: 'chatcmpl-1',
  object,
  created: 0,
  model,
});

export function finishOf({ isCut, isFiltered, calls }: Answer): string {
  if (isFiltered === true) return 'content_filter';
  if (isCut === true) return 'length';
  return calls === undefined ? 'stop' : 'tool_calls';
}
