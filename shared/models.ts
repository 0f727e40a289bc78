/** Name of the built-in model that answers with no network and nothing installed. */
export const OFFLINE_MODEL_NAME = 'offline-assistant';
