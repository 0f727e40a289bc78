import { existsSync } from 'node:fs';

/**
 * Debian's headless Chromium where it is installed, else its whole Chromium; undefined: neither is, so Playwright's own is used, which is
 * headless too. A page opens in the headless one for half the processor time. Debian's script `chromium` would make the whole one draw on
 * an imitated graphics card.
 */
export const SYSTEM_CHROMIUM = ['chromium-headless-shell', 'chromium']
  .map((name) => `/usr/lib/chromium/${name}`)
  .find((path) => existsSync(path));

/**
 * Chromium draws the popups of its address bar as web pages, which it loads with each window, and again with each
 * navigation: half a second of processor time for every window of a test, and nobody sees them.
 */
export const ADDRESS_BAR_PAGES = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'PreloadTopChromeWebUI',
];
