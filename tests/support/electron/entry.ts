/** The name of the global symbol with the callback that {@link entryEvaluated} waits for. */
export const ENTRY_EVALUATED = 'parley.stand-in.entry-evaluated';

/**
 * Resolves when the app's entry, its top-level awaits included, has been evaluated. A main process that awaits
 * `app.whenReady()` at its top level therefore hangs here as it does in Electron.
 */
export const entryEvaluated = new Promise<void>((resolve) => {
  Object.defineProperty(globalThis, Symbol.for(ENTRY_EVALUATED), { value: resolve });
});
