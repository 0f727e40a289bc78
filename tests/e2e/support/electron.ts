/** Finds or fetches Electron for the desktop specs, before any runs. */
export { prepareRuntime as default } from '../../support/electron/runtime.ts';
