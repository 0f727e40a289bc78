/** Name of the built-in model that answers with no network and nothing installed. */
export const OFFLINE_MODEL_NAME = 'offline-assistant';

/** Name of the built-in model that plays a script, for demos and for people who write clients. */
export const REHEARSAL_MODEL_NAME = 'rehearsal';

/** The names of the ready rehearsal scripts, in display order. */
export const READY_REHEARSALS = [
  'formatting',
  'thinking',
  'tools',
  'approval',
  'failure',
  'lost-connection',
  'length-limit',
  'long',
] as const;
export type ReadyRehearsal = (typeof READY_REHEARSALS)[number];

const READY_PREFIX = `${REHEARSAL_MODEL_NAME}:`;

/** The ready script that a model plays, e.g. `tools` of `rehearsal:tools`; null: it is no such model. */
export function readyRehearsalOf(model: string): ReadyRehearsal | null {
  if (!model.startsWith(READY_PREFIX)) return null;
  return READY_REHEARSALS.find((name) => name === model.slice(READY_PREFIX.length)) ?? null;
}

/** The name of the model that plays a ready script. */
export const readyRehearsalModel = (name: ReadyRehearsal): `rehearsal:${ReadyRehearsal}` =>
  `rehearsal:${name}`;

/** Whether a model plays a script: its chat's own, or a ready one. */
export const isRehearsal = (model: string): boolean =>
  model === REHEARSAL_MODEL_NAME || readyRehearsalOf(model) !== null;
