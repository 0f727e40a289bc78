import { expect, test } from '@playwright/test';
import { Button, By, Key, until, type WebDriver, type WebElement } from 'selenium-webdriver';
import type { ExportFile, ImportResult } from '../../shared/api/data.ts';
import type { Message } from '../../shared/api/message.ts';
import { startTestService, type TestService } from './support/service.ts';
import { NO_WEBKIT, openWebKit } from './support/webkit.ts';

// One window, used by one test after the other.
test.describe.configure({ mode: 'serial' });
test.skip(NO_WEBKIT !== null, NO_WEBKIT ?? '');

let service: TestService;
let driver: WebDriver;
let close: () => Promise<void>;

test.beforeAll(async () => {
  service = await startTestService({ directed: true, hosted: true });
  ({ driver, close } = await openWebKit());
  await driver.get(service.pageUrl);
});

test.afterAll(async () => {
  await close();
  await service.close();
});

const MESSAGE = By.id('message');
const LOG = By.css('[role="log"]');
const REPLY = '[role="log"] article[aria-label="Assistant"][data-status]';
const LONG = 'words that go on and on '.repeat(40);

const shown = (locator: By): Promise<WebElement> => driver.wait(until.elementLocated(locator), 15_000);
const textOf = async (locator: By): Promise<string> => (await shown(locator)).getText();
const heightOf = async (locator: By): Promise<number> => (await (await shown(locator)).getRect()).height;
const run = <T>(script: string, ...args: unknown[]): Promise<T> => driver.executeScript<T>(script, ...args);

/** A chat with such a reply, opened once that is complete: what still streams is drawn anew. */
async function openReply(content: string): Promise<void> {
  const { id } = await service.createChat();
  await service.send(id, `say ${content}`);
  await expect.poll(async () => (await service.messages(id)).at(-1)?.status).toBe('complete');
  await goTo(id);
  await shown(By.css(`[data-message="${(await service.messages(id)).at(-1)?.id ?? ''}"]`));
}

const goTo = (chatId: string): Promise<unknown> => run(`location.hash = '#/chats/${chatId}'`);

const show = async (language: string, text: string): Promise<void> => {
  await openReply(`\`\`\`${language}\n${text}\n\`\`\``);
  await (await shown(By.xpath('//article//button[normalize-space(.)="Show"]'))).click();
};

test('a link signs in', async () => {
  await shown(MESSAGE);
  expect(await driver.getCurrentUrl()).toBe(`${service.baseUrl}/#/`);
});

test('a message is sent, and answered', async () => {
  await (await shown(MESSAGE)).sendKeys('say Good morning', Key.ENTER);
  await expect.poll(() => textOf(LOG)).toMatch(/Good morning[^]*Good morning/);
});

test('the box grows with wrapped text, and shrinks when it is sent', async () => {
  const before = await heightOf(MESSAGE);
  await (await shown(MESSAGE)).sendKeys(`say ${LONG.slice(0, 600)}`);
  await expect.poll(() => heightOf(MESSAGE)).toBeGreaterThan(before * 2);
  await (await shown(MESSAGE)).sendKeys(Key.ENTER);
  await expect.poll(() => heightOf(MESSAGE)).toBe(before);
});

test('a message that is edited is shown whole', async () => {
  await expect
    .poll(() => run(`return document.querySelectorAll('${REPLY}[data-status="complete"]').length`))
    .toBe(2);
  await (await shown(MESSAGE)).sendKeys(Key.ARROW_UP);
  const box = By.css('textarea[aria-label="Edited text"]');
  await shown(box);
  await expect.poll(() => heightOf(box)).toBeGreaterThan(100);
  await (await shown(box)).sendKeys(Key.ESCAPE);
});

test('however many chats are opened one after the other, each is shown', async () => {
  const ids: string[] = [];
  for (const name of ['one', 'two', 'three']) {
    const { id } = await service.createChat();
    await service.send(id, `say This is ${name}`);
    ids.push(id);
  }
  for (let time = 0; time < 30; time += 1) {
    const at = time % ids.length;
    await goTo(ids[at] ?? '');
    await expect
      .poll(() => textOf(LOG), { intervals: [50] })
      .toContain(`This is ${['one', 'two', 'three'][at]}`);
  }
});

test('a menu of a right click is still there when the button is up', async () => {
  const link = await shown(By.css('[data-chat] a'));
  await driver.actions().move({ origin: link }).press(Button.RIGHT).perform();
  expect(await driver.findElements(By.css('[role="menu"]'))).toEqual([]);
  await driver.actions().release(Button.RIGHT).perform();
  await shown(By.css('[role="menu"]'));
  await driver.actions().sendKeys(Key.ESCAPE).perform();
  await expect.poll(() => driver.findElements(By.css('[role="menu"]'))).toEqual([]);
});

test('pictures and pages of messages are shown', async () => {
  await show(
    'svg',
    '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="120"><rect width="9" height="9"/></svg>',
  );
  await expect.poll(() => heightOf(By.css('iframe[title="Picture"]'))).toBe(120);
  await show('html', '<h1>Still here</h1>');
  await driver.switchTo().frame(await shown(By.css('iframe[title="Web page"]')));
  await driver.switchTo().frame(await shown(By.css('iframe')));
  expect(await textOf(By.css('h1'))).toBe('Still here');
  await driver.switchTo().defaultContent();
});

test('a diagram is drawn, and one with a mistake says where', async () => {
  await show('mermaid', 'graph TD\n  A[Start] --> B{Is it?}');
  await driver.switchTo().frame(await shown(By.css('iframe[title="Diagram"]')));
  await shown(By.css('svg'));
  await expect.poll(() => textOf(By.css('svg'))).toContain('Is it?');
  await driver.switchTo().defaultContent();
  await show('mermaid', 'graph TD\n  A[Start -->');
  expect(await (await shown(By.css('article [role="alert"]'))).getText()).toContain('Parse error on line 3');
});

test('what could stop the window is not drawn', async () => {
  await show('svg', `<svg xmlns="http://www.w3.org/2000/svg">${'<use href="#a"/>'.repeat(30)}</svg>`);
  expect(await (await shown(By.css('article [role="alert"]'))).getText()).toContain(
    'too large for this browser',
  );
  await show('mermaid', `graph TD\n${'  A --> B\n'.repeat(200)}`);
  expect(await (await shown(By.css('article [role="alert"]'))).getText()).toContain(
    'too large for this browser',
  );
});

test('scrolling up in a long chat moves its messages no further than was scrolled', async () => {
  await goTo(await importLong());
  await expect.poll(() => textOf(LOG)).toContain('Message 299.');
  const jumps = await driver.executeAsyncScript<number[]>(`
    const done = arguments[0];
    const log = document.querySelector('[role=log]');
    log.dispatchEvent(new WheelEvent('wheel', { deltaY: -1 }));
    const jumps = [];
    let left = 60;
    let seen = null;
    const step = () => {
      if (seen?.row.isConnected) {
        const moved = seen.row.getBoundingClientRect().top - seen.top;
        if (Math.abs(moved - 90) > 8) jumps.push(Math.round(moved));
      }
      if (left-- === 0) return done(jumps);
      const view = log.getBoundingClientRect();
      const row = [...log.querySelectorAll('[data-message]')].find((row) => row.getBoundingClientRect().top > view.top + 50);
      seen = row ? { row, top: row.getBoundingClientRect().top } : null;
      log.scrollTop -= 90;
      requestAnimationFrame(() => requestAnimationFrame(step));
    };
    step();`);
  expect(jumps).toEqual([]);
});

async function importLong(): Promise<string> {
  const messages = Array.from({ length: 300 }, (_, index): Message => {
    const content = `Message ${index}. ${LONG.slice(0, 40 + (index % 9) * 100)}`;
    const shared = {
      id: `m${index}`,
      createdAt: new Date(Date.now() - (300 - index)).toISOString(),
      content,
    };
    return index % 2 === 0
      ? { ...shared, status: 'complete', role: 'user', mode: 'agent' }
      : { ...shared, status: 'complete', role: 'assistant', replyTo: `m${index - 1}`, stopReason: 'end' };
  });
  const chat = await service.createChat();
  const file: ExportFile = {
    format: 'parley-export',
    version: 1,
    exportedAt: new Date().toISOString(),
    chats: [{ chat: { ...chat, id: `long-${chat.id}` }, titleSource: 'message', messages }],
  };
  const { chatIds } = await service.call<ImportResult>('POST', '/api/v1/import', file);
  return chatIds[0] ?? '';
}
