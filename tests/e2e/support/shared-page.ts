/**
 * One tab for a worker's tests, each of which finds it empty: a renderer that has compiled the window before opens it again in a
 * third of the processor time. The services of a worker have the same port, one after the other, so that this is the same origin.
 */
import type { Browser, BrowserContext, CDPSession, Page } from '@playwright/test';

/** What a test may want otherwise than the one before it; the tab then makes room for another. */
export interface PageLook {
  viewport: { width: number; height: number } | null;
  colorScheme: 'light' | 'dark' | 'no-preference' | null;
  reducedMotion: 'reduce' | 'no-preference' | null;
  permissions: string[] | undefined;
}

interface SharedTab {
  context: BrowserContext;
  page: Page;
  devtools: CDPSession;
  /** {@link PageLook} as text. */
  look: string;
  /** A test changed what can't be undone. */
  isSpent: boolean;
}

/** What pages and contexts do for good. */
const LASTING = ['addInitScript', 'exposeFunction', 'exposeBinding', 'setExtraHTTPHeaders'] as const;
const EVENTS = [
  'console',
  'dialog',
  'download',
  'filechooser',
  'pageerror',
  'popup',
  'request',
  'requestfailed',
  'response',
];

let tab: SharedTab | null = null;

/** The worker's tab, for the time of a test. */
export async function takeSharedTab(browser: Browser, look: PageLook): Promise<SharedTab> {
  const wanted = JSON.stringify(look);
  if (tab !== null && (tab.look !== wanted || tab.isSpent)) await dropSharedTab();
  return (tab ??= await openTab(browser, wanted));
}

/** Closes it: the next test gets another. */
export async function dropSharedTab(): Promise<void> {
  const old = tab;
  tab = null;
  await old?.context.close();
}

/** Leaves nothing of a test in it: it stays with the origin, whose process has the window's code, at a page without scripts. */
export async function clearSharedTab(
  { context, page, devtools }: SharedTab,
  look: PageLook,
  origin: string,
): Promise<void> {
  await Promise.all(context.pages().map(async (other) => other === page || (await other.close())));
  for (const owner of [page, context]) for (const event of EVENTS) owner.removeAllListeners(event);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await page.goto(`${origin}/health`);
  await page.evaluate(() => sessionStorage.clear());
  await devtools.send('Storage.clearDataForOrigin', {
    origin,
    storageTypes: 'cookies,local_storage,indexeddb',
  });
  await page.emulateMedia({ ...look, media: null, contrast: null, forcedColors: null });
  if (look.viewport !== null) await page.setViewportSize(look.viewport);
  await context.clearPermissions();
  if (look.permissions !== undefined) await context.grantPermissions(look.permissions);
  await page.mouse.move(0, 0);
}

async function openTab(browser: Browser, look: string): Promise<SharedTab> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const opened: SharedTab = {
    context,
    page,
    devtools: await context.newCDPSession(page),
    look,
    isSpent: false,
  };
  const spend = (): void => void (opened.isSpent = true);
  for (const owner of [page, context]) {
    for (const name of LASTING) noticeCall(owner, name, spend);
    noticeCall(owner.clock, 'install', spend);
  }
  noticeCall(context, 'setOffline', spend);
  page.once('crash', spend);
  return opened;
}

/** Calls `notice` whenever this method is called. */
function noticeCall(owner: object, name: string, notice: () => void): void {
  const methods = owner as Record<string, (...args: unknown[]) => unknown>;
  const method = methods[name];
  if (method === undefined) throw new Error(`There is no ${name}.`);
  methods[name] = (...args) => {
    notice();
    return method.apply(owner, args);
  };
}
