import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { ModelAccess } from '../connections/model-access.ts';
import { addressOf } from '../connections/places.ts';
import type { LoadedModel } from '../connections/providers/provider.ts';
import { RECORDS } from '../connections/providers/index.ts';
import { createModelFetch } from './model-fetch.ts';
import { PATIENCE, type Patience } from './patience.ts';
import { streamPatiently, type PatientModel } from './patient-stream.ts';
import { streamingModel } from './streaming-model.ts';

/**
 * A connected model for one turn. Nothing is loaded or asked before its first call. What goes wrong comes as a ModelError,
 * of a call or within its stream.
 */
export function createConnectedModel(access: ModelAccess, patience: Patience = PATIENCE): LanguageModelV4 {
  const { provider, modelId, apiKey, contextTokens } = access;
  let loading: Promise<LoadedModel> | null = null;
  const load = (): Promise<LoadedModel> =>
    RECORDS[provider].load({
      baseURL: addressOf(access),
      apiKey: apiKey ?? '',
      modelId,
      ...(contextTokens !== undefined && { contextTokens }),
      fetch: createModelFetch(access, (error) => (model.report = { error })),
    });
  const model: PatientModel = {
    access,
    patience,
    load: () => (loading ??= load()),
    report: null,
    takesNoTools: false,
  };
  return streamingModel(provider, modelId, async (options) => ({
    stream: await streamPatiently(model, options),
  }));
}
