import { defineConfig } from '@playwright/test';
import { FIREFOX, FIREFOX_PREFERENCES } from './tests/e2e/support/firefox.ts';
import { ADDRESS_BAR_PAGES, SYSTEM_CHROMIUM } from './tests/support/system-chromium.ts';

/** Specs of the desktop app; the others have the service and a browser. */
const DESKTOP = /desktop[^/]*\.spec\.ts$/;

/** A Mac's own keys are for the unit tests of shortcuts: these specs press Control, so the page shall not find itself on one. */
const AS_ELSEWHERE = { userAgent: 'Mozilla/5.0 (X11; Linux x86_64)' };

/** What Playwright has switched off, for Chromium heeds the last such list alone, and what else is of no use here. */
const WITHOUT = [
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'AimEnabled',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  // Another process for each page, for one that isn't opened.
  'SpareRendererForSitePerProcess',
  'TcpPortRandomizationWin',
  'ThirdPartyStoragePartitioning',
  ...ADDRESS_BAR_PAGES,
];

export default defineConfig({
  testDir: 'tests/e2e',
  fullyParallel: true,
  // Of the two cores that they are made for, each test leaves one idle a third of the time.
  workers: 3,
  timeout: 60_000,
  // A browser on a busy machine: what passes only when tried again is told by the test command, by name.
  retries: 2,
  expect: { timeout: 15_000 },
  forbidOnly: true,
  reporter: 'list',
  globalSetup: ['./tests/e2e/support/electron.ts', './tests/e2e/support/bundle.ts'],
  projects: [
    {
      name: 'window',
      testIgnore: DESKTOP,
      use: {
        ...(process.platform === 'darwin' && AS_ELSEWHERE),
        // Each click waits until nothing moves, and each frame is drawn by the processor. The other projects have motion.
        contextOptions: { reducedMotion: 'reduce' },
      },
    },
    {
      name: 'firefox',
      // The specs that say most; WebKit has one of its own.
      grep: /@firefox/,
      // Starting it takes as long as several of them.
      workers: 1,
      use: {
        browserName: 'firefox',
        channel: 'moz-firefox',
        launchOptions: { executablePath: FIREFOX, firefoxUserPrefs: FIREFOX_PREFERENCES },
      },
    },
    // Skipped, and said so, where there is no Electron.
    { name: 'desktop', testMatch: DESKTOP },
  ],
  use: {
    locale: 'en-GB',
    viewport: { width: 1280, height: 800 },
    // Recording every test would cost a tenth of the time.
    trace: 'on-first-retry',
    launchOptions: {
      ...(SYSTEM_CHROMIUM !== undefined && { executablePath: SYSTEM_CHROMIUM }),
      // Chromium must not call home: the tests assert that nothing leaves the service's origin.
      args: [
        '--no-sandbox',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // Sealed frames have a process of their own, as in the whole Chromium; a new page needs no second one.
        '--site-per-process',
        '--renderer-process-limit=1',
        `--disable-features=${WITHOUT.join(',')}`,
      ],
    },
  },
});
