/** Puts Electron for the tests into the cache, if it isn't there. Why it can't be had, the end-to-end tests say. */
import { findOrFetch } from '../electron/runtime.ts';

await findOrFetch().catch(() => undefined);
