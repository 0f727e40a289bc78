import { contentText, isRecord, recordsIn, textOf, REPORTED_USAGE } from './wire.ts';
import type { Answer, Asked, Json, Wire } from './wire.ts';

const sse = (data: Json & { type: string }): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

/** Anthropic's messages. */
export const ANTHROPIC_WIRE: Wire = {
  basePath: '/v1',
  contentType: 'text/event-stream',
  read(path, body) {
    if (path !== '/v1/messages' || !isRecord(body)) return null;
    const messages = recordsIn(body['messages']);
    const resultsIn = (message: Json): Json[] =>
      recordsIn(message['content']).filter(({ type }) => type === 'tool_result');
    const lastUser = messages.findLastIndex(
      (message) => message['role'] === 'user' && resultsIn(message).length === 0,
    );
    const system = contentText(body['system']);
    return {
      model: textOf(body['model']),
      stream: body['stream'] === true,
      messages: [
        ...(system === '' ? [] : [{ role: 'system' as const, text: system }]),
        ...messages.map(({ role, content }) => ({
          role: role === 'assistant' ? ('assistant' as const) : ('user' as const),
          text: contentText(content),
        })),
      ],
      tools: recordsIn(body['tools']).map(({ name }) => textOf(name)),
      toolResults: messages
        .slice(lastUser + 1)
        .flatMap((message) => resultsIn(message).map(({ content }) => contentText(content))),
    };
  },
  describe: (path, models) =>
    path === '/v1/models'
      ? {
          data: models.map((id) => ({
            type: 'model',
            id,
            display_name: id,
            created_at: '2026-01-01T00:00:00Z',
          })),
          has_more: false,
        }
      : null,
  pieces(asked, answer) {
    const pieces: string[] = [];
    let index = 0;
    const block = (start: Json, deltas: Json[]): void => {
      const opening = sse({ type: 'content_block_start', index, content_block: start });
      deltas.forEach((delta, at) =>
        pieces.push((at === 0 ? opening : '') + sse({ type: 'content_block_delta', index, delta })),
      );
      pieces.push(sse({ type: 'content_block_stop', index }));
      index += 1;
    };
    if (answer.reasoning !== undefined) {
      const deltas = answer.reasoning.map((thinking) => ({ type: 'thinking_delta', thinking }));
      block({ type: 'thinking', thinking: '' }, [
        ...deltas,
        { type: 'signature_delta', signature: `signed-${answer.reasoning.join('')}` },
      ]);
    }
    if (answer.text !== undefined) {
      block(
        { type: 'text', text: '' },
        answer.text.map((text) => ({ type: 'text_delta', text })),
      );
    }
    for (const { name, args } of answer.calls ?? []) {
      const deltas = [args.slice(0, 3), args.slice(3)].map((partial_json) => ({
        type: 'input_json_delta',
        partial_json,
      }));
      block({ type: 'tool_use', id: `toolu_${asked.toolResults.length}_${index}`, name, input: {} }, deltas);
    }
    const start = sse({
      type: 'message_start',
      message: {
        ...head(asked),
        content: [],
        stop_reason: null,
        usage: { input_tokens: REPORTED_USAGE.inputTokens, output_tokens: 1 },
      },
    });
    return {
      pieces: [start, ...pieces],
      end: [
        sse({
          type: 'message_delta',
          delta: { stop_reason: stopOf(answer), stop_sequence: null },
          usage: { output_tokens: REPORTED_USAGE.outputTokens },
        }),
        sse({ type: 'message_stop' }),
      ],
    };
  },
  whole: (asked, answer) => ({
    ...head(asked),
    content: [
      ...(answer.text === undefined ? [] : [{ type: 'text', text: answer.text.join('') }]),
      ...(answer.calls ?? []).map(({ name, args }, index) => ({
        type: 'tool_use',
        id: `toolu_${index}`,
        name,
        input: JSON.parse(args) as unknown,
      })),
    ],
    stop_reason: stopOf(answer),
    usage: { input_tokens: REPORTED_USAGE.inputTokens, output_tokens: REPORTED_USAGE.outputTokens },
  }),
  malformed: 'event: content_block_delta\ndata: {"type": "content_block_delta", "ind\n\n',
  fault: sse({
    type: 'error',
    error: { type: 'api_error', message: 'The engine ran into an internal fault.' },
  }),
  refusal: (status, message) => ({ type: 'error', error: { type: KINDS[status] ?? 'api_error', message } }),
};

const KINDS: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

const head = ({ model }: Asked): Json => ({ id: 'msg_1', type: 'message', role: 'assistant', model });

function stopOf({ isCut, calls }: Answer): string {
  if (isCut === true) return 'max_tokens';
  return calls === undefined ? 'end_turn' : 'tool_use';
}
