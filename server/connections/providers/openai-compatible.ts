import { requestJson, type RequestLimits } from '../../net/request-json.ts';
import { booleanOf, countOf, fieldsOf, listOf, textOf } from '../../lib/fields.ts';
import { OPENAI_FORMAT, REASONING_DETAILS } from './openai-format.ts';
import type { ProviderRecord, ServerInView } from './provider.ts';

export const OPENAI_COMPATIBLE: ProviderRecord = {
  ...OPENAI_FORMAT,
  async addDetails(models, server) {
    if (!hasOneOfLlama(server.list)) return models;
    const { contextTokens, pictures } = await llamaProps(server, server.limits);
    return models.map((model) => ({
      ...model,
      contextTokens: contextTokens ?? model.contextTokens,
      ...(pictures !== null && { pictures }),
    }));
  },
  assumedContextTokens: 32_000,
  rules: { arguments: 'text', thoughts: 'any' },
  async load({ modelId, ...settings }) {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    return createOpenAICompatible({
      name: 'connection',
      ...settings,
      includeUsage: true,
      supportsStructuredOutputs: true,
      transformRequestBody: withFieldsInPlace,
    })(modelId);
  },
};

/** The body with what the library can't put in its place: the details of pictures, and OpenRouter's of reasoning. */
function withFieldsInPlace(body: Record<string, unknown>): Record<string, unknown> {
  for (const message of listOf(body['messages']) ?? []) {
    for (const call of listOf(fieldsOf(message)['tool_calls']) ?? []) {
      const { google } = fieldsOf(fieldsOf(call)['extra_content']);
      const signature = textOf(fieldsOf(google)['thought_signature']);
      if (signature?.startsWith(REASONING_DETAILS) !== true) continue;
      const reasoning_details = JSON.parse(signature.slice(REASONING_DETAILS.length)) as unknown;
      Object.assign(message as object, { reasoning_details });
      delete (call as { extra_content?: unknown }).extra_content;
    }
    for (const part of listOf(fieldsOf(message)['content']) ?? []) {
      const fields = part as { detail?: unknown; image_url?: object };
      if (fields.detail === undefined) continue;
      fields.image_url = { ...fields.image_url, detail: fields.detail };
      delete fields.detail;
    }
  }
  return body;
}

/** Whether this is the list of a llama.cpp server, with the one model that it has loaded. */
function hasOneOfLlama(list: unknown): boolean {
  const entries = listOf(fieldsOf(list)['data']);
  return entries?.length === 1 && fieldsOf(entries[0])['owned_by'] === 'llamacpp';
}

/** What a llama.cpp server reports about itself besides its list of models. */
export interface LlamaProps {
  /** The context size that it was started with, which can be far below the model's maximum; null: it doesn't say. */
  contextTokens: number | null;
  /** Whether it sees pictures; null: it doesn't say. */
  pictures: boolean | null;
  /** It needs a key, though it lists its models to everybody. */
  needsKey: boolean;
}

/** Asks a llama.cpp server for its properties, which are next to the endpoints at its address. */
export async function llamaProps(
  { address, headers }: Pick<ServerInView, 'address' | 'headers'>,
  limits: RequestLimits,
): Promise<LlamaProps> {
  const answer = await requestJson({ url: `${address.replace(/\/v1$/, '')}/props`, headers, limits });
  if (answer.state !== 'answered') return { contextTokens: null, pictures: null, needsKey: false };
  const needsKey = answer.status === 401 || answer.status === 403;
  if (answer.status !== 200) return { contextTokens: null, pictures: null, needsKey };
  const { default_generation_settings: settings, modalities } = fieldsOf(answer.json);
  return {
    contextTokens: countOf(fieldsOf(settings)['n_ctx']),
    pictures: booleanOf(fieldsOf(modalities)['vision']),
    needsKey,
  };
}
