/** Which models there are, apart from the code that makes them, which is too heavy for the service's own thread. */
import {
  isRehearsal,
  OFFLINE_MODEL_NAME,
  REHEARSAL_MODEL_NAME,
  type ReadyRehearsal,
} from '../../shared/models.ts';

/** Names of the models that are built in and listed, the default first. */
export const MODEL_NAMES = [OFFLINE_MODEL_NAME, REHEARSAL_MODEL_NAME] as const;

/** A name of {@link MODEL_NAMES}, or of a rehearsal with a ready script. */
export type ModelName = (typeof MODEL_NAMES)[number] | `rehearsal:${ReadyRehearsal}`;

/** Whether a model of that name is built in. */
export const isModelName = (name: string): name is ModelName =>
  name === OFFLINE_MODEL_NAME || isRehearsal(name);
