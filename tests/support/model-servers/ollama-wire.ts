import { parseExactly } from '../../../server/lib/exact-json.ts';
import { isRecord, recordsIn, textOf, REPORTED_USAGE } from './wire.ts';
import type { Answer, Asked, Json, Wire } from './wire.ts';

const line = (data: unknown): string => `${JSON.stringify(data)}\n`;

/** Ollama's own format: a JSON object a line. */
export const OLLAMA_WIRE: Wire = {
  basePath: '',
  contentType: 'application/x-ndjson',
  read(path, body) {
    if (path !== '/api/chat' || !isRecord(body)) return null;
    const messages = recordsIn(body['messages']);
    const lastUser = messages.findLastIndex(({ role }) => role === 'user');
    return {
      model: textOf(body['model']),
      stream: body['stream'] !== false,
      messages: messages.flatMap(({ role, content }) =>
        role === 'system' || role === 'user' || role === 'assistant' ? [{ role, text: textOf(content) }] : [],
      ),
      tools: recordsIn(body['tools']).map((tool) =>
        isRecord(tool['function']) ? textOf(tool['function']['name']) : '',
      ),
      toolResults: messages
        .slice(lastUser + 1)
        .filter(({ role }) => role === 'tool')
        .map(({ content }) => textOf(content)),
    };
  },
  describe(path, models, body, contextTokens = 8192) {
    if (path === '/api/version') return { version: '0.12.0' };
    if (path === '/api/tags') {
      return {
        models: models.map((name) => ({
          name,
          model: name,
          modified_at: '2026-01-01T00:00:00Z',
          size: 1,
          digest: 'd',
          details: { family: 'fake' },
        })),
      };
    }
    if (path !== '/api/show' || !isRecord(body)) return null;
    const name = textOf(body['model']) || textOf(body['name']);
    if (!models.includes(name)) return null;
    return {
      details: { family: 'fake' },
      model_info: { 'general.architecture': 'fake', 'fake.context_length': contextTokens },
      capabilities: ['completion', 'tools', ...(name.includes('vision') ? ['vision'] : [])],
    };
  },
  pieces: (asked, answer) => ({
    pieces: [
      ...(answer.reasoning ?? []).map((thinking) => line(part(asked, { content: '', thinking }))),
      ...(answer.text ?? []).map((content) => line(part(asked, { content }))),
      ...(answer.calls === undefined
        ? []
        : [line(part(asked, { content: '', tool_calls: callsOf(answer) }))]),
    ],
    end: [line(end(asked, answer, { content: '' }))],
  }),
  whole: (asked, answer) =>
    end(asked, answer, {
      content: (answer.text ?? []).join(''),
      ...(answer.reasoning !== undefined && { thinking: answer.reasoning.join('') }),
      ...(answer.calls !== undefined && { tool_calls: callsOf(answer) }),
    }),
  malformed: '{"model": "half a\n',
  fault: line({ error: 'The engine ran into an internal fault.' }),
  refusal: (_status, message) => ({ error: message }),
};

const part = ({ model }: Asked, message: Json): Json => ({
  model,
  created_at: '2026-01-01T00:00:00Z',
  message: { role: 'assistant', ...message },
  done: false,
});

const end = (asked: Asked, { isCut }: Answer, message: Json): Json => ({
  ...part(asked, message),
  done: true,
  done_reason: isCut === true ? 'length' : 'stop',
  prompt_eval_count: REPORTED_USAGE.inputTokens,
  eval_count: REPORTED_USAGE.outputTokens,
});

/** This format has arguments as an object; what is no JSON can't be said in it, and becomes none. */
function callsOf({ calls = [] }: Answer): Json[] {
  return calls.map(({ name, args }) => ({ function: { name, arguments: parsed(args) } }));
}

function parsed(json: string): unknown {
  try {
    return parseExactly(json);
  } catch {
    return {};
  }
}
