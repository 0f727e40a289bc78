import { OFFLINE_MODEL_NAME, readyRehearsalOf } from '../../shared/models.ts';
import type { ModelAccess } from '../connections/model-access.ts';
import { createConnectedModel } from './connected-model.ts';
import { isModelName } from '../connections/model-names.ts';
import { createOfflineModel } from './offline/model.ts';
import type { StreamingModel } from './model.ts';
import type { RehearsalCue } from './rehearsal/acts.ts';
import { createRehearsalModel } from './rehearsal/model.ts';

/** What a model may know about its turn. */
export interface ModelContext {
  /** The moment that counts as "now". */
  now: Date;
  /** The person's IANA time zone. */
  timeZone: string;
  /** The chat's position in its rehearsal; absent: the start of the sample script. */
  rehearsal?: RehearsalCue;
  /** How to reach a connected model; absent: it is built in. */
  access?: ModelAccess;
  /** Called now and then while a connected model is waited for, so that the turn isn't taken for stuck: with what for, in words, or empty. */
  onWaiting?: (what: string) => void;
}

/** Makes a model for one turn, a connected one or a built-in one of that name; null when there is none. Cheap. */
export function createModel(name: string, context: ModelContext): StreamingModel | null {
  if (context.access !== undefined) return createConnectedModel(context.access, {}, context.onWaiting);
  if (!isModelName(name)) return null;
  if (name === OFFLINE_MODEL_NAME) return createOfflineModel(context);
  return createRehearsalModel(context.rehearsal ?? { opening: '', turn: 0 }, readyRehearsalOf(name));
}
