import type { LanguageModelV4 } from '@ai-sdk/provider';
import { OFFLINE_MODEL_NAME } from '../../shared/models.ts';
import { createOfflineModel } from './offline/model.ts';

/** What a model may know of the turn it is made for. */
export interface ModelContext {
  /** The moment that counts as "now". */
  now: Date;
  /** The person's IANA time zone. */
  timeZone: string;
}

const MODELS: ReadonlyMap<string, (context: ModelContext) => LanguageModelV4> = new Map([
  [OFFLINE_MODEL_NAME, createOfflineModel],
]);

/** Names of the models there are. */
export const MODEL_NAMES: readonly string[] = [...MODELS.keys()];

/** Makes a model of that name for one turn; null when there is none. Cheap. */
export function createModel(name: string, context: ModelContext): LanguageModelV4 | null {
  return MODELS.get(name)?.(context) ?? null;
}
