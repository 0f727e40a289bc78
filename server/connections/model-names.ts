/** Which models there are, apart from the code that makes them, which is too heavy for the service's own thread. */
import { OFFLINE_MODEL_NAME, REHEARSAL_MODEL_NAME } from '../../shared/models.ts';

/** Names of the models that are built in, the default first. */
export const MODEL_NAMES = [OFFLINE_MODEL_NAME, REHEARSAL_MODEL_NAME] as const;

/** A name of {@link MODEL_NAMES}. */
export type ModelName = (typeof MODEL_NAMES)[number];

/** Whether there is a model of that name. */
export const isModelName = (name: string): name is ModelName => MODEL_NAMES.some((known) => known === name);
