/** What the desktop specs run on: the stand-in for Electron, or Electron itself. */
export type DesktopRuntime = 'stand-in' | 'electron';

/** Set by the projects in playwright.config.ts. */
export interface DesktopOptions {
  runtime: DesktopRuntime;
}
