/**
 * Ollama's library passes over what it can't read in an answer, also when it is Ollama's report of an error: such a line
 * ends the answer here, and is told as the error that it is.
 */
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import { addressOf } from '../connections/providers.ts';
import type { ModelAccess } from './connected.ts';
import { UnreadableError } from './model-fault.ts';
import { createModelFetch } from './model-fetch.ts';

/** A model of an Ollama server. */
export async function createOllamaModel(access: ModelAccess): Promise<LanguageModelV4> {
  const { createOllama } = await import('ollama-ai-provider-v2');
  const plainFetch = createModelFetch(access);
  const headers = access.apiKey === null ? {} : { authorization: `Bearer ${access.apiKey}` };
  const make = (fetch: typeof globalThis.fetch): LanguageModelV4 =>
    createOllama({ baseURL: `${addressOf(access)}/api`, headers, fetch })(access.modelId);
  const model = make(plainFetch);
  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: (options) => model.doGenerate(withContext(options, access)),
    async doStream(options) {
      let fault: { error: unknown } | null = null;
      const checked = make(async (input, init) => {
        const response = await plainFetch(input, init);
        if (!response.ok || response.body === null) return response;
        const lines = response.body.pipeThrough(checkLines((error) => (fault = { error })));
        return new Response(lines, response);
      });
      const { stream, ...rest } = await checked.doStream(withContext(options, access));
      const told = stream.pipeThrough(
        new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
          transform(part, out) {
            if (part.type === 'finish' && fault !== null) out.enqueue({ type: 'error', error: fault.error });
            out.enqueue(part);
          },
        }),
      );
      return { ...rest, stream: told };
    },
  };
}

/** Without a number of its own a server reads less than is reckoned with, and drops the rest in silence. */
const withContext = (
  options: LanguageModelV4CallOptions,
  { contextTokens }: ModelAccess,
): LanguageModelV4CallOptions =>
  contextTokens === undefined
    ? options
    : {
        ...options,
        providerOptions: { ...options.providerOptions, ollama: { options: { num_ctx: contextTokens } } },
      };

/** Passes JSON lines on, up to the first that can't be read or reports an error: it is told, and the stream ends. */
function checkLines(onFault: (error: unknown) => void): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = '';
  return new TransformStream({
    transform(bytes, out) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const fault = faultOf(line);
        if (fault !== null) {
          onFault(fault.error);
          out.terminate();
          return;
        }
        out.enqueue(encoder.encode(`${line}\n`));
      }
    },
    flush(out) {
      const fault = faultOf(rest);
      if (fault !== null) onFault(fault.error);
      else out.enqueue(encoder.encode(rest));
    },
  });
}

function faultOf(line: string): { error: unknown } | null {
  if (line.trim() === '') return null;
  try {
    const data: unknown = JSON.parse(line);
    const isReport = typeof data === 'object' && data !== null && 'error' in data;
    return isReport ? { error: data } : null;
  } catch {
    return { error: new UnreadableError() };
  }
}
