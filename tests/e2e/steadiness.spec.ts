/** What a page does over hours of use, and when things go wrong at the worst moment. */
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { rehearse } from './support/rehearse.ts';
import { ChatPage, EVENT_STREAM, expect, NETWORK, OWN_PROCESS, test } from './support/test.ts';

const A_WHILE_MS = 1_500;

// What is left behind is counted.
test.use({ isFresh: true });

const openChat = (page: Page, chatId: string): Promise<void> =>
  page.evaluate((id) => {
    location.hash = `#/chats/${id}`;
  }, chatId);

test('a mark as read that is refused is not asked for again and again', async ({
  page,
  service,
  chat,
  watch,
}) => {
  watch.expected.push(NETWORK);
  let asked = 0;
  await page.route('**/api/v1/chats/*', async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue();
    asked += 1;
    const error = { code: 'storage_full', message: 'Full.', requestId: 'r' };
    await route.fulfill({ status: 507, json: { error } });
  });
  await chat.open(service.pageUrl);
  await chat.say('What is 2 + 3?');
  await expect(chat.replies).toContainText('5');
  await expect.poll(() => asked).toBeGreaterThan(0);
  await page.waitForTimeout(A_WHILE_MS);
  expect(asked).toBeLessThanOrEqual(2);
});

test(
  'a message the service has taken stays in view when the service dies at that moment',
  OWN_PROCESS,
  async ({ page, service, chat, watch }) => {
    watch.expected.push(NETWORK);
    // A stream might have told of the message in time.
    await page.route(EVENT_STREAM, (route) => route.abort());
    await chat.open(service.pageUrl);
    await chat.say('What is 2 + 3?');
    await expect(chat.replies).toContainText('5');
    await page.route('**/messages', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      const response = await route.fetch();
      await service.kill();
      await route.fulfill({ response });
    });
    await chat.say('What is 40 + 2?');
    await expect(page.getByText(/No connection to Parley/)).toBeVisible();
    await expect(chat.mine.last()).toContainText('What is 40 + 2?');
    await expect(chat.mine.last()).not.toContainText('Not sent');
    await page.unroute('**/messages');
    await service.restart();
    await expect(chat.replies.last()).toContainText('42');
    await expect(chat.mine).toHaveCount(2);
  },
);

test(
  'a message that a closed tab could not send is sent by the tab that is left',
  OWN_PROCESS,
  async ({ page, context, service, chat, watch }) => {
    watch.expected.push(NETWORK);
    await chat.open(service.pageUrl);
    const other = new ChatPage(await context.newPage());
    await other.page.goto(`${service.baseUrl}/`);
    await expect(other.message).toBeVisible();

    await service.kill();
    await other.say('What is 40 + 2?');
    await expect(other.mine).toContainText('Not sent yet');
    await other.page.close();
    await service.restart();
    await page.bringToFront();
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await expect(chat.chats.getByRole('link')).toContainText('What is 40 + 2?');
  },
);

test(
  'a new chat whose message is not sent yet is found again',
  OWN_PROCESS,
  async ({ service, chat, watch }) => {
    watch.expected.push(NETWORK);
    await chat.open(service.pageUrl);
    await chat.say('What is 2 + 3?');
    await expect(chat.replies).toContainText('5');
    await chat.newChat.first().click();
    await service.kill();
    await chat.say('What is 40 + 2?');
    await expect(chat.mine).toContainText('Not sent yet');
    await chat.chats.getByRole('link').first().click();
    await expect(chat.mine).toHaveCount(0);
    await chat.newChat.first().click();
    await expect(chat.mine).toContainText('What is 40 + 2?');
    await service.restart();
    await expect(chat.replies).toContainText('42');
  },
);

test(
  'settings that can’t be loaded say so, and come when the service is back',
  OWN_PROCESS,
  async ({ page, service, chat, watch }) => {
    watch.expected.push(NETWORK);
    await chat.open(service.pageUrl);
    await chat.message.fill('still writing this');
    await service.kill();
    await page.evaluate(() => {
      location.hash = '#/settings/appearance';
    });
    const again = page.getByRole('button', { name: 'Try again' });
    await expect(page.getByText('The settings could not be loaded')).toBeVisible();
    await expect(again).toBeDisabled();
    await page.getByRole('button', { name: 'Back to the chat' }).click();
    await expect(chat.message).toHaveValue('still writing this');
    await page.goBack();
    await service.restart();
    await again.click();
    await expect(page.getByRole('heading', { name: 'Appearance' })).toBeVisible();
    await page
      .getByRole('link', { name: 'Back to the chat' })
      .or(page.getByRole('button', { name: 'Back to the chat' }))
      .first()
      .click();
    await expect(chat.message).toHaveValue('still writing this');
  },
);

test(
  'while the disk takes nothing, a reply can be stopped, says what it waits for, and is stopped once it does',
  OWN_PROCESS,
  async ({ page, service, chat, watch }) => {
    test.skip(process.platform !== 'linux', 'Only Linux can limit the files of a process that runs.');
    watch.expected.push(NETWORK);
    await chat.open(service.pageUrl);
    const words = Array.from({ length: 600 }, (_, index) => `w${index}`).join(' ');
    const id = await rehearse(service, 'Long', '::speed 20', words);
    await page.goto(`${service.baseUrl}/#/chats/${id}`);
    await expect(chat.replies).toContainText('w5');
    const found = await readFile(join(service.dataDir, 'connection.json'), 'utf8');
    const { pid } = JSON.parse(found) as { pid: number };
    const limitFiles = (bytes: string): unknown =>
      execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`]);
    limitFiles('0');
    await expect(async () => {
      await chat.stop.click();
      await expect(page.getByText(/^The stop could not be completed. The reply has ended/)).toBeVisible();
    }).toPass();
    await expect(chat.replies).toContainText('It will be saved once the disk can be written to again.');
    await expect(chat.replies).not.toContainText('Writing…');
    limitFiles('unlimited');
    await expect(chat.replies).toContainText('Stopped here.');
    await expect(chat.replies).toContainText('w5');
    await expect(page.getByText('The reply has ended')).toHaveCount(0);
  },
);

test('what was written for a chat that is gone can be taken to a new one', async ({
  page,
  service,
  chat,
  watch,
}) => {
  watch.expected.push(NETWORK);
  await chat.open(service.pageUrl);
  await chat.say('What is 2 + 3?');
  await expect(chat.replies).toContainText('5');
  await chat.message.fill('a long text');
  const id = /chats\/([^/]+)/.exec(page.url())?.[1] ?? '';
  await service.call('DELETE', `/api/v1/chats/${id}`);
  await page.getByRole('button', { name: 'Move your draft to a new chat' }).click();
  await expect(chat.message).toHaveValue('a long text');
  await chat.message.press('Enter');
  await expect(chat.mine).toContainText('a long text');
});

test('eighty chats opened in a row leave nothing behind', async ({ page, service, chat }) => {
  await chat.open(service.pageUrl);
  const ids: string[] = [];
  for (let count = 0; count < 40; count += 1) ids.push((await service.createChat()).id);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable');
  const measure = async (): Promise<Record<string, number>> => {
    await cdp.send('HeapProfiler.collectGarbage');
    const { metrics } = await cdp.send('Performance.getMetrics');
    return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
  };
  const openAll = async (times: number): Promise<void> => {
    for (let round = 0; round < times; round += 1) {
      for (const id of ids) await openChat(page, id);
    }
    await expect(chat.log).toHaveAttribute('aria-busy', 'false');
    await page.waitForTimeout(A_WHILE_MS);
  };
  await openAll(1);
  const before = await measure();
  await openAll(2);
  const after = await measure();
  expect(after['JSEventListeners'] ?? 0).toBeLessThan((before['JSEventListeners'] ?? 0) + 20);
  expect(after['Nodes'] ?? 0).toBeLessThan((before['Nodes'] ?? 0) + 200);
  expect(after['JSHeapUsedSize'] ?? 0).toBeLessThan((before['JSHeapUsedSize'] ?? 0) + 2_000_000);
  const held = await page.evaluate(async () => (await navigator.locks.query()).held?.length ?? 0);
  expect(held).toBeLessThanOrEqual(1);
});
