import { parseExactly } from '../../../server/lib/exact-json.ts';
import { contentText, isRecord, recordsIn, textOf, REPORTED_USAGE } from './wire.ts';
import type { Answer, Json, Wire } from './wire.ts';

const sse = (data: unknown): string => `data: ${JSON.stringify(data)}\r\n\r\n`;
const PATH = /^\/v1beta\/models\/([^:]+):(streamGenerateContent|generateContent)$/;
const USAGE = {
  promptTokenCount: REPORTED_USAGE.inputTokens,
  candidatesTokenCount: REPORTED_USAGE.outputTokens,
  totalTokenCount: REPORTED_USAGE.inputTokens + REPORTED_USAGE.outputTokens,
};

/** Google's generateContent. */
export const GOOGLE_WIRE: Wire = {
  basePath: '/v1beta',
  contentType: 'text/event-stream',
  read(path, body) {
    const match = PATH.exec(path);
    if (match === null || !isRecord(body)) return null;
    const contents = recordsIn(body['contents']);
    const resultsIn = (content: Json): Json[] =>
      recordsIn(content['parts']).flatMap(({ functionResponse }) =>
        isRecord(functionResponse) ? [functionResponse] : [],
      );
    const lastUser = contents.findLastIndex(
      (content) => content['role'] === 'user' && resultsIn(content).length === 0,
    );
    const system = isRecord(body['systemInstruction']) ? contentText(body['systemInstruction']['parts']) : '';
    return {
      model: decodeURIComponent(match[1] ?? ''),
      stream: match[2] === 'streamGenerateContent',
      messages: [
        ...(system === '' ? [] : [{ role: 'system' as const, text: system }]),
        ...contents.map(({ role, parts }) => ({
          role: role === 'model' ? ('assistant' as const) : ('user' as const),
          text: contentText(parts),
        })),
      ],
      tools: recordsIn(body['tools']).flatMap(({ functionDeclarations }) =>
        recordsIn(functionDeclarations).map(({ name }) => textOf(name)),
      ),
      toolResults: contents
        .slice(lastUser + 1)
        .flatMap((content) => resultsIn(content).map(({ response }) => JSON.stringify(response))),
    };
  },
  describe: (path, models) =>
    path === '/v1beta/models'
      ? {
          models: models.map((id) => ({
            name: `models/${id}`,
            displayName: id,
            inputTokenLimit: 8192,
            supportedGenerationMethods: ['generateContent'],
          })),
        }
      : null,
  pieces: (_asked, answer) => ({
    pieces: partsOf(answer).map((part) =>
      sse({ candidates: [{ index: 0, content: { role: 'model', parts: [part] } }] }),
    ),
    end: [
      sse({
        candidates: [{ index: 0, content: { role: 'model', parts: [] }, finishReason: finishOf(answer) }],
        usageMetadata: USAGE,
      }),
    ],
  }),
  whole: (_asked, answer) => ({
    candidates: [
      { index: 0, content: { role: 'model', parts: partsOf(answer) }, finishReason: finishOf(answer) },
    ],
    usageMetadata: USAGE,
  }),
  malformed: 'data: {"candidates": [{"content\r\n\r\n',
  fault: sse({ error: { code: 500, message: 'The engine ran into an internal fault.', status: 'INTERNAL' } }),
  refusal: (code, message) => ({
    error: { code, message, status: code >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT' },
  }),
};

const finishOf = ({ isCut }: Answer): string => (isCut === true ? 'MAX_TOKENS' : 'STOP');

function partsOf({ reasoning = [], text = [], calls = [] }: Answer): Json[] {
  return [
    ...reasoning.map((piece) => ({ text: piece, thought: true })),
    ...text.map((piece) => ({ text: piece })),
    // Only the first call of a response is signed.
    ...calls.map(({ name, args }, index) => ({
      functionCall: { name, args: parsed(args) },
      ...(index === 0 && reasoning.length > 0 && { thoughtSignature: `signed-${reasoning.join('')}` }),
    })),
  ];
}

/** This format has arguments as an object; what is no JSON can't be said in it, and becomes none. */
function parsed(json: string): unknown {
  try {
    return parseExactly(json);
  } catch {
    return {};
  }
}
