import { ask, type AskLimits } from './ask.ts';
import { headersFor } from './formats.ts';
import { countOf, fieldsOf } from './json.ts';
import type { Server } from './list-models.ts';
import { addressOf } from './providers.ts';

/** What a llama.cpp server tells of itself beside its list of models. */
export interface LlamaProps {
  /** Tokens that it was started to read, which can be far fewer than its model could; null: it doesn't say. */
  contextTokens: number | null;
  /** It answers nobody without a key, though it lists its models to everybody. */
  needsKey: boolean;
}

/** Asks a llama.cpp server for its properties, which stand beside the endpoints at its address. */
export async function propsOf(server: Server, limits: AskLimits): Promise<LlamaProps> {
  const url = `${addressOf(server).replace(/\/v1$/, '')}/props`;
  const answer = await ask({ url, headers: headersFor(server), limits });
  if (answer.state !== 'answered') return { contextTokens: null, needsKey: false };
  const needsKey = answer.status === 401 || answer.status === 403;
  if (answer.status !== 200) return { contextTokens: null, needsKey };
  const settings = fieldsOf(fieldsOf(answer.json)['default_generation_settings']);
  return { contextTokens: countOf(settings['n_ctx']), needsKey };
}
