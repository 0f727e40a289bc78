import type { LanguageModelV4 } from '@ai-sdk/provider';
import { OFFLINE_MODEL_NAME, REHEARSAL_MODEL_NAME } from '../../shared/models.ts';
import type { ModelAccess } from '../connections/model-access.ts';
import { createConnectedModel } from './connected-model.ts';
import { isModelName, type ModelName } from '../connections/model-names.ts';
import { createOfflineModel } from './offline/model.ts';
import type { RehearsalCue } from './rehearsal/cue.ts';
import { createRehearsalModel } from './rehearsal/model.ts';

export { MODEL_NAMES } from '../connections/model-names.ts';

/** What a model may know of the turn it is made for. */
export interface ModelContext {
  /** The moment that counts as "now". */
  now: Date;
  /** The person's IANA time zone. */
  timeZone: string;
  /** Where the chat's rehearsal stands; absent: at the beginning of the sample script. */
  rehearsal?: RehearsalCue;
  /** How to reach a connected model; absent: it is built in. */
  access?: ModelAccess;
}

const MODELS: Readonly<Record<ModelName, (context: ModelContext) => LanguageModelV4>> = {
  [OFFLINE_MODEL_NAME]: createOfflineModel,
  [REHEARSAL_MODEL_NAME]: ({ rehearsal }) => createRehearsalModel(rehearsal ?? { opening: '', turn: 0 }),
};

/** Makes a model for one turn, a connected one or a built-in one of that name; null when there is none. Cheap. */
export function createModel(name: string, context: ModelContext): LanguageModelV4 | null {
  if (context.access !== undefined) return createConnectedModel(context.access);
  return isModelName(name) ? MODELS[name](context) : null;
}
