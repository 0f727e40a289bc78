import { finishOf, head, openAiWireAt, sse, usageOf } from './openai-wire.ts';
import type { Answer, Wire } from './wire.ts';

const FORMAT = openAiWireAt('/v1');
const TYPES: Readonly<Record<number, string>> = { 400: 'invalid_model', 429: 'rate_limited' };

const thought = (text: string): object => ({ type: 'thinking', thinking: [{ type: 'text', text }] });

/** Calls come whole, with ids of nine letters and digits. */
const callsOf = ({ calls = [] }: Answer): object[] =>
  calls.map(({ name, args }, index) => ({
    index,
    id: `abcdefgh${index}`,
    function: { name, arguments: args },
  }));

/** Mistral's: like OpenAI's, but for thoughts, calls and errors. */
export const MISTRAL_WIRE: Wire = {
  ...FORMAT,
  describe: (path, models) =>
    path === '/v1/models'
      ? {
          object: 'list',
          data: [
            ...models.map((id) => ({
              id,
              object: 'model',
              capabilities: { completion_chat: true },
              max_context_length: 131_072,
            })),
            { id: 'mistral-embed', object: 'model', capabilities: { completion_chat: false } },
          ],
        }
      : null,
  pieces(asked, answer) {
    const { reasoning = [], text = [] } = answer;
    const { pieces } = FORMAT.pieces(asked, { kind: 'answer', text });
    const chunk = (delta: object, finish: string | null = null, more = {}): string =>
      sse({
        ...head(asked, 'chat.completion.chunk'),
        choices: [{ index: 0, delta, finish_reason: finish }],
        ...more,
      });
    const calls = callsOf(answer);
    return {
      pieces: [
        ...reasoning.map((text) => chunk({ content: [thought(text)] })),
        ...pieces,
        ...(calls.length > 0 ? [chunk({ tool_calls: calls })] : []),
      ],
      // The last piece of the reply contains the usage; there is no separate one.
      end: [chunk({ content: '' }, finishOf(answer), { usage: usageOf(answer) }), sse('[DONE]')],
    };
  },
  refusal: (status, message) =>
    status === 401
      ? { detail: message }
      : {
          object: 'error',
          message,
          type: TYPES[status] ?? 'server_error',
          param: null,
          code: String(status),
        },
  noModel: (model) => ({ status: 400, message: `Invalid model: ${model}` }),
};
