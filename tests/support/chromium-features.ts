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
