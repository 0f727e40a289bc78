/** Name of the built-in model that answers with no network and nothing installed. */
export const OFFLINE_MODEL_NAME = 'offline-assistant';

/** Name of the built-in model that plays a script, for demos and for people who write clients. */
export const REHEARSAL_MODEL_NAME = 'rehearsal';
