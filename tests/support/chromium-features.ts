/**
 * Chromium draws what drops down from its address bar as web pages, which it loads with each window, and again as it goes
 * anywhere: half a second of processor for every window of a test, and nobody sees them.
 */
export const ADDRESS_BAR_PAGES = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'PreloadTopChromeWebUI',
];
