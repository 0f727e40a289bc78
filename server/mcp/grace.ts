/** How long a program may take to end by itself, and again when it was asked to, before it is killed; in milliseconds. */
export const GRACE_MS = 1_000;
/** The same while the whole service stops, which has five seconds for everything. */
export const STOP_GRACE_MS = 400;
