/** How the system knows the app: its name, its links, its about panel. */
import type { App } from 'electron';
import { VERSION } from '../server/lib/version.ts';
import { LINK_SCHEME } from './deep-links.ts';
import { words } from './words.ts';

/** As in electron-builder.yml; Windows uses it to link notifications to the installed app. */
const APP_ID = 'app.parley.desktop';
/**
 * For a checkout. For notifications Electron creates a start-menu entry under the app's name that leads to Electron's own
 * program: it must not replace that of an installed Parley.
 */
const DEVELOPMENT = { id: `${APP_ID}.development`, name: `${words.app} (development)` };

/** The app's name for the system; set it before Electron is ready. */
export const appName = (app: Pick<App, 'isPackaged'>, platform: NodeJS.Platform): string =>
  platform === 'win32' && !app.isPackaged ? DEVELOPMENT.name : words.app;

/** Registers the app with the system; Electron has to be ready. */
export function setupIdentity(
  app: Pick<App, 'isPackaged' | 'setAppUserModelId' | 'setAboutPanelOptions'>,
  platform: NodeJS.Platform,
): void {
  if (platform === 'win32') app.setAppUserModelId(app.isPackaged ? APP_ID : DEVELOPMENT.id);
  app.setAboutPanelOptions({
    applicationName: words.app,
    applicationVersion: VERSION,
    copyright: words.about.copyright,
    credits: words.about.credits,
  });
}

/**
 * Registers an installed Parley for its links; this takes a moment. Not on Linux, where the package's desktop entry does it:
 * Electron would run xdg-settings, which before version 1.2 also makes Parley the default program for HTML files.
 */
export function registerLinks(
  app: Pick<App, 'isPackaged' | 'setAsDefaultProtocolClient'>,
  platform: NodeJS.Platform,
): void {
  // A checkout would register Electron itself, which doesn't know where Parley is.
  if (app.isPackaged && platform !== 'linux') app.setAsDefaultProtocolClient(LINK_SCHEME);
}
