import { expect, test as base, type Locator, type Page } from '@playwright/test';
import { NO_FIREFOX } from './firefox.ts';
import { clearSharedTab, dropSharedTab, takeSharedTab } from './shared-page.ts';
import { startTestService, type TestService, type TestServiceOptions } from './service.ts';

/** Errors in a page that nobody would see. */
export interface Watch {
  /** Console errors and uncaught exceptions; a violation of the page's policy is a console error. */
  errors: string[];
  /** Requests that left the service's origin. */
  strays: string[];
  /** Errors that a test causes on purpose. */
  expected: RegExp[];
}

/** The page's console message for a failed request; for {@link Watch.expected}. */
export const NETWORK = /Failed to load resource/;

/** The address of a window's event stream; without a stream, it polls the same one. */
export const EVENT_STREAM = /\/api\/v1\/events(?!.*once=true)/;

/** `test(title, OWN_PROCESS, …)`, or for a group: its service is the built program, which can be killed and restarted. */
export const OWN_PROCESS = { annotation: { type: 'own process' } };

/** Lets a page use the clipboard; resolves with what reads the text that was copied. */
export async function allowClipboard(page: Page): Promise<() => Promise<string>> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  return () => page.evaluate(() => navigator.clipboard.readText());
}

interface Fixtures {
  /** `test.use({ directed: true })`: replies do what the messages say; see tests/support/directed-runtime.ts. */
  directed: boolean;
  /** `test.use({ asking: { approvalMs: null } })`: there are tools that ask first; see tests/support/recording-source.ts. */
  asking: NonNullable<TestServiceOptions['asking']> | null;
  /** `test.use({ isFresh: true })`: the page is the browser’s only one, with nothing in caches. */
  isFresh: boolean;
  /** Skips a test whose browser isn't there, before it is started. */
  hasBrowser: undefined;
  service: TestService;
  /** Checked after each test. */
  watch: Watch;
  chat: ChatPage;
}

/** The page's parts, by the names that people and screen readers use. */
export class ChatPage {
  readonly page: Page;
  readonly message: Locator;
  readonly send: Locator;
  readonly stop: Locator;
  readonly newChat: Locator;
  readonly chats: Locator;
  readonly log: Locator;
  readonly mine: Locator;
  readonly replies: Locator;

  constructor(page: Page) {
    this.page = page;
    this.message = page.getByRole('textbox', { name: 'Message' });
    this.send = page.getByRole('button', { name: 'Send' });
    this.stop = page.getByRole('button', { name: /^Stop( all)?$/ });
    this.newChat = page.getByRole('button', { name: 'New chat', exact: true });
    this.chats = page.getByRole('list', { name: 'Chats' });
    this.log = page.getByRole('log', { name: 'Conversation' });
    this.mine = this.log.getByRole('article', { name: 'You' });
    this.replies = this.log.getByRole('article', { name: 'Assistant' });
  }

  /** Opens a sign-in link and waits until the page can be used. */
  async open(pageUrl: string): Promise<void> {
    await this.page.goto(pageUrl);
    await expect(this.message).toBeVisible();
  }

  /** Runs the palette's best match for these letters, once there is one: what it searches may still be loading. */
  async choose(letters: string): Promise<void> {
    await this.page.keyboard.press('ControlOrMeta+k');
    await this.page.getByRole('combobox', { name: 'Command palette' }).fill(letters);
    const found = this.page.getByRole('option', { selected: true });
    await expect(found).toContainText(letters, { ignoreCase: true });
    // That entry is always there.
    await expect(found).not.toContainText('Search messages for');
    await this.page.keyboard.press('Enter');
  }

  /** Sends a message, once the chat that was just opened is ready for one. */
  async say(text: string): Promise<void> {
    await this.message.fill(text);
    await expect(this.send.or(this.stop).first()).toBeEnabled();
    await this.message.press('Enter');
  }
}

/** Each test has a service, and a page that is watched for errors and for requests to other origins. */
export const test = base.extend<Fixtures>({
  directed: [false, { option: true }],
  asking: [null, { option: true }],
  isFresh: [false, { option: true }],
  // A test that is tried again has a page of its own, too.
  context: async (
    { browser, browserName, isFresh, viewport, colorScheme, permissions, contextOptions, service },
    use,
    info,
  ) => {
    if (isFresh || browserName !== 'chromium' || info.retry > 0) {
      await dropSharedTab();
      const context = await browser.newContext();
      await use(context);
      return context.close();
    }
    const look = { viewport, colorScheme, permissions, reducedMotion: contextOptions.reducedMotion ?? null };
    const tab = await takeSharedTab(browser, look);
    await use(tab.context);
    if (info.status !== info.expectedStatus || tab.isSpent || tab.page.isClosed()) return dropSharedTab();
    // A service that was killed, or a page that hangs.
    await clearSharedTab(tab, look, service.baseUrl).catch(dropSharedTab);
  },
  page: async ({ context }, use) => {
    await use(context.pages()[0] ?? (await context.newPage()));
  },
  service: async ({ directed, asking }, use, { annotations }) => {
    const hosted = !annotations.some(({ type }) => type === OWN_PROCESS.annotation.type);
    const service = await startTestService({ directed, asking, hosted });
    await use(service);
    await service.close();
  },
  hasBrowser: [
    async ({ browserName }, use, info) => {
      info.skip(browserName === 'firefox' && NO_FIREFOX !== null, NO_FIREFOX ?? '');
      await use(undefined);
    },
    { auto: true },
  ],
  watch: [
    async ({ page, service }, use) => {
      const watch: Watch = { errors: [], strays: [], expected: [] };
      page.on('console', (message) => {
        if (message.type() === 'error') watch.errors.push(message.text());
      });
      page.on('pageerror', (error) => watch.errors.push(String(error)));
      page.on('request', (request) => {
        // A blob of the page itself isn't a request to anyone.
        const url = request.url().replace(/^blob:/, '');
        const isOwn = url.startsWith(`${service.baseUrl}/`);
        // By its other name Firefox gives the frame a process of its own.
        const isFrame = url.startsWith(`${service.baseUrl.replace('127.0.0.1', 'localhost')}/sealed/`);
        // Chromium's PDF viewer is an extension of its own.
        const isViewer = /^chrome(-extension)?:/.test(url);
        if (!isOwn && !isFrame && !isViewer) watch.strays.push(request.url());
      });
      await use(watch);
      expect(watch.strays, 'requests to another origin').toEqual([]);
      const unexpected = watch.errors.filter((text) => !watch.expected.some((known) => known.test(text)));
      expect(unexpected, 'errors in the page').toEqual([]);
    },
    { auto: true },
  ],
  chat: async ({ page }, use) => {
    await use(new ChatPage(page));
  },
});

export { expect };
