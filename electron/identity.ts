/** How the system knows the app: its name, its links, its about panel. */
import type { App } from 'electron';
import { VERSION } from '../server/version.ts';
import { LINK_SCHEME } from './deep-links.ts';
import { words } from './words.ts';

/** As in electron-builder.yml, by which Windows ties notifications to the installed app. */
const APP_ID = 'app.parley.desktop';

/** Tells the system of the app; Electron has to be ready. */
export function setupIdentity(
  app: Pick<App, 'isPackaged' | 'setAppUserModelId' | 'setAsDefaultProtocolClient' | 'setAboutPanelOptions'>,
  platform: NodeJS.Platform,
): void {
  if (platform === 'win32') app.setAppUserModelId(APP_ID);
  // A checkout would register Electron itself, which knows nothing of where Parley is.
  if (app.isPackaged) app.setAsDefaultProtocolClient(LINK_SCHEME);
  app.setAboutPanelOptions({
    applicationName: words.app,
    applicationVersion: VERSION,
    copyright: words.about.copyright,
    credits: words.about.credits,
  });
}
