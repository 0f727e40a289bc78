import type { Locator, Page } from '@playwright/test';
import type { ExportFile, ImportResult } from '../../shared/api/data.ts';
import type { Message } from '../../shared/api/message.ts';
import { expect, test, type ChatPage } from './support/test.ts';
import type { TestService } from './support/service.ts';

test.use({ directed: true });

const MANY = 5_000;
/** However long a chat is, no more of it is drawn than is near the view. */
const MOST_DRAWN = 100;
const A_DAY_MS = 24 * 60 * 60 * 1000;

const WORDS = 'plain words of a message that is of no great length and yet longer than a line'.split(' ');
const wordsOf = (index: number): string => WORDS.slice(0, 3 + (index % 12)).join(' ');

/** A chat of questions and answers of various heights, the last from now, with a day between `perDay` of them; `times` as long. */
async function importChat(service: TestService, count: number, perDay = MANY, times = 1): Promise<string> {
  const begin = Date.now() - Math.floor((count - 1) / perDay) * A_DAY_MS;
  const time = (index: number): string =>
    new Date(begin + Math.floor(index / perDay) * A_DAY_MS - (count - index)).toISOString();
  const messages = Array.from({ length: count }, (_, index): Message => {
    const shared = { id: `m${index}`, createdAt: time(index), status: 'complete' as const };
    const content = `Message ${index}. ${`${wordsOf(index)} `.repeat(times)}`.trim();
    if (index % 2 === 0) return { ...shared, role: 'user', mode: 'agent', content };
    const long = index % 10 === 1 ? `\n\n${'- an item of a list\n'.repeat(20)}` : '';
    return {
      ...shared,
      role: 'assistant',
      content: content + long,
      replyTo: `m${index - 1}`,
      stopReason: 'end',
    };
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

const open = async (page: Page, chat: ChatPage, service: TestService, chatId: string): Promise<void> => {
  await chat.open(service.pageUrl);
  await page.goto(`${service.baseUrl}/#/chats/${chatId}`);
};

const article = (chat: ChatPage, index: number): Locator =>
  chat.log.getByRole('article').filter({ hasText: new RegExp(`Message ${index}\\. `) });

/** How far the end is below the view, in pixels. */
const leftBelow = (chat: ChatPage): Promise<number> =>
  chat.log.evaluate((log) => Math.round(log.scrollHeight - log.clientHeight - log.scrollTop));

/** How much of the view's height is covered by messages. */
const shownPixels = (chat: ChatPage): Promise<number> =>
  chat.log.evaluate((log) => {
    const view = log.getBoundingClientRect();
    return [...log.querySelectorAll('article')].reduce((sum, article) => {
      const { top, bottom } = article.getBoundingClientRect();
      return sum + Math.max(0, Math.min(bottom, view.bottom) - Math.max(top, view.top));
    }, 0);
  });

const topOf = async (locator: Locator): Promise<number> =>
  Math.round((await locator.boundingBox())?.y ?? -1e6);

test('a chat of 5,000 messages opens at its end, and only what is near the view is drawn', async ({
  page,
  service,
  chat,
}) => {
  const id = await importChat(service, MANY);
  await open(page, chat, service, id);
  await expect(article(chat, MANY - 1)).toBeInViewport();
  expect(await leftBelow(chat)).toBe(0);
  // The conversation scrolls, not the page.
  expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0);
  const articles = chat.log.getByRole('article');
  expect(await articles.count()).toBeLessThan(MOST_DRAWN);

  await chat.log.press('Home');
  await expect(article(chat, 0)).toBeInViewport();
  expect(await articles.count()).toBeLessThan(MOST_DRAWN);
  await chat.log.press('End');
  await expect(article(chat, MANY - 1)).toBeInViewport();
  expect(await leftBelow(chat)).toBe(0);

  await chat.log.press('PageUp');
  await expect(page.getByRole('button', { name: 'Jump to latest' })).toBeVisible();
  await page.getByRole('button', { name: 'Jump to latest' }).click();
  await expect.poll(() => leftBelow(chat)).toBe(0);
  await expect(page.getByRole('button', { name: 'Jump to latest' })).toBeHidden();
});

test('scrolling through a long chat shows every message in order, and none moves by itself', async ({
  page,
  service,
  chat,
}) => {
  const id = await importChat(service, 120);
  await open(page, chat, service, id);
  await expect(article(chat, 119)).toBeInViewport();
  const seen = new Set<number>();
  await chat.log.hover();
  while (!seen.has(0)) {
    const drawn = await chat.log.evaluate((log) =>
      [...log.querySelectorAll('article')].map((each) => Number(/Message (\d+)/.exec(each.textContent)?.[1])),
    );
    expect(drawn, 'in order and without gaps').toEqual(drawn.map((_, index) => (drawn[0] ?? 0) + index));
    for (const index of drawn) seen.add(index);
    const anchor = await topmost(chat);
    const [before, scrolled] = [await topOf(anchor), await chat.log.evaluate((log) => log.scrollTop)];
    await page.mouse.wheel(0, -500);
    await expect.poll(() => chat.log.evaluate((log) => log.scrollTop)).not.toBe(scrolled);
    const moved = (await topOf(anchor)) - before;
    if (!seen.has(0)) expect(Math.abs(moved - 500), `moved by ${moved}`).toBeLessThanOrEqual(3);
  }
  expect(seen.size).toBe(120);
});

/** The first article that is wholly in view. */
async function topmost(chat: ChatPage): Promise<Locator> {
  const index = await chat.log.evaluate((log) => {
    const { top } = log.getBoundingClientRect();
    const found = [...log.querySelectorAll('article')].find(
      (each) => each.getBoundingClientRect().top >= top,
    );
    return Number(/Message (\d+)/.exec(found?.textContent ?? '')?.[1]);
  });
  return article(chat, index);
}

test('an address that names a message leads to it', async ({ page, service, chat, watch }) => {
  watch.expected.push(/404/);
  const id = await importChat(service, MANY);
  await chat.open(service.pageUrl);
  await page.goto(`${service.baseUrl}/#/chats/${id}/m2501`);
  const target = article(chat, 2501);
  await expect(target).toBeInViewport();
  await expect(page.locator('[data-message="m2501"]')).toBeFocused();
  const [top, logTop] = [await topOf(target), await topOf(chat.log)];
  expect(top - logTop).toBeGreaterThanOrEqual(0);
  expect(top - logTop).toBeLessThan(80);
  await page.evaluate((chatId) => (location.hash = `#/chats/${chatId}/m100`), id);
  await expect(article(chat, 100)).toBeInViewport();
  await page.evaluate((chatId) => (location.hash = `#/chats/${chatId}/nobody`), id);
  await expect(page.getByText('This message is no longer in the chat.')).toBeVisible();
  await expect(article(chat, 100)).toBeInViewport();
});

test('a message of a hidden version is brought out and gone to', async ({ page, service, chat }) => {
  const { id } = await service.createChat();
  await service.send(id, 'say first version');
  await expect.poll(async () => (await service.messages(id))[1]?.status).toBe('complete');
  const [question, reply] = await service.messages(id);
  await service.call('POST', `/api/v1/chats/${id}/messages/${question?.id}/edit`, {
    content: 'say second version',
  });
  await expect.poll(async () => (await service.messages(id)).at(-1)?.content).toBe('second version');
  await chat.open(service.pageUrl);
  await page.goto(`${service.baseUrl}/#/chats/${id}`);
  await expect(chat.replies).toContainText('second version');
  await page.evaluate(
    ([chatId, messageId]) => (location.hash = `#/chats/${chatId}/${messageId}`),
    [id, reply?.id],
  );
  await expect(chat.replies).toContainText('first version');
  await expect(page.locator(`[data-message="${reply?.id}"]`)).toBeFocused();
});

test('the reader’s place in a chat is kept while other chats are open', async ({ page, service, chat }) => {
  const id = await importChat(service, 300);
  const { id: other } = await service.createChat();
  await open(page, chat, service, `${id}/m151`);
  await expect(article(chat, 151)).toBeInViewport();
  await chat.log.hover();
  await page.mouse.wheel(0, 120);
  await expect.poll(() => topOf(article(chat, 151))).toBeLessThan(0 + (await topOf(chat.log)));
  const before = await topOf(article(chat, 152));
  await page.evaluate((chatId) => (location.hash = `#/chats/${chatId}`), other);
  await expect(chat.log.getByRole('article')).toHaveCount(0);
  await page.evaluate((chatId) => (location.hash = `#/chats/${chatId}`), id);
  await expect(article(chat, 152)).toBeInViewport();
  expect(Math.abs((await topOf(article(chat, 152))) - before)).toBeLessThanOrEqual(2);
});

test('days are told apart', async ({ page, service, chat }) => {
  const id = await importChat(service, 6, 2);
  await open(page, chat, service, id);
  await expect(chat.log.getByText('Today', { exact: true })).toBeVisible();
  await expect(chat.log.getByText('Yesterday', { exact: true })).toBeVisible();
  await expect(chat.log.locator('time', { hasText: /^\w+day,? \d+ \w+$/ })).toHaveCount(1);
});

test('the end is followed while a reply streams, without a jump', async ({ page, service, chat }) => {
  const id = await importChat(service, 60);
  await open(page, chat, service, id);
  await expect(article(chat, 59)).toBeInViewport();
  await page.evaluate(() => {
    const log = document.querySelector('[role=log]');
    const end = log?.firstElementChild?.lastElementChild;
    const seen: boolean[] = [];
    // Told of each frame as it is painted, which is what a reader sees.
    const watcher = new IntersectionObserver(
      (entries) => seen.push(...entries.map((each) => each.isIntersecting)),
      {
        root: log,
      },
    );
    if (end) watcher.observe(end);
    Object.assign(window, { endSeen: () => seen });
  });
  await chat.say('stream 500 words at 200/s');
  await expect(chat.replies.last()).toContainText('word500', { timeout: 20_000 });
  await expect(chat.replies.last()).toHaveAttribute('data-status', 'complete');
  const endSeen = await page.evaluate(() => (window as unknown as { endSeen: () => boolean[] }).endSeen());
  expect(endSeen.length).toBeGreaterThan(0);
  expect(endSeen, 'the end was in view in every frame').not.toContain(false);
  expect(await leftBelow(chat)).toBe(0);
});

test('scrolling up stops the following at once, and nothing moves under the reader', async ({
  page,
  service,
  chat,
}) => {
  const id = await importChat(service, 60);
  await open(page, chat, service, id);
  await expect(article(chat, 59)).toBeInViewport();
  await chat.say('stream 900 words at 200/s');
  await expect(chat.replies.last()).toContainText('word60 ');
  await chat.log.hover();
  await page.mouse.wheel(0, -30);
  await expect(page.getByRole('button', { name: 'Jump to latest' })).toBeVisible();
  const reply = chat.replies.last();
  const before = await topOf(reply);
  await expect(reply).toContainText('word300 ');
  expect(await topOf(reply)).toBe(before);
  await expect(page.getByRole('button', { name: 'Jump to latest: new messages' })).toBeVisible();

  await page.getByRole('button', { name: 'Jump to latest' }).click();
  await expect.poll(() => leftBelow(chat)).toBeLessThanOrEqual(2);
  await page.mouse.wheel(0, -400);
  await expect(page.getByRole('button', { name: 'Jump to latest' })).toBeVisible();
  await expect(async () => {
    await page.mouse.wheel(0, 5_000);
    await expect(page.getByRole('button', { name: 'Jump to latest' })).toBeHidden({ timeout: 500 });
  }).toPass();
  await expect(reply).toContainText('word900', { timeout: 20_000 });
  await expect.poll(() => leftBelow(chat)).toBe(0);
});

test('sending leads to the end from anywhere', async ({ page, service, chat }) => {
  const id = await importChat(service, 300);
  await open(page, chat, service, `${id}/m20`);
  await expect(article(chat, 20)).toBeInViewport();
  await chat.say('say at the end');
  await expect(chat.replies.last()).toContainText('at the end');
  await expect(chat.replies.last()).toBeInViewport();
  await expect.poll(() => leftBelow(chat)).toBe(0);
});

test('a changed width keeps the reader’s place', async ({ page, service, chat }) => {
  const id = await importChat(service, 300);
  await open(page, chat, service, `${id}/m150`);
  const row = article(chat, 150);
  await expect(row).toBeInViewport();
  const before = await topOf(row);
  await page.setViewportSize({ width: 800, height: 800 });
  await expect.poll(async () => Math.abs((await topOf(row)) - before)).toBeLessThanOrEqual(40);
  await page.setViewportSize({ width: 1280, height: 600 });
  await expect.poll(async () => Math.abs((await topOf(row)) - before)).toBeLessThanOrEqual(40);
});

test(
  'a window made narrow still shows the messages, wherever the reader is',
  { tag: '@firefox' },
  async ({ page, service, chat }) => {
    await page.setViewportSize({ width: 1024, height: 800 });
    const id = await importChat(service, 300, MANY, 12);
    await open(page, chat, service, `${id}/m150`);
    await expect(article(chat, 150)).toBeInViewport();
    await page.mouse.move(700, 400);
    await page.mouse.wheel(0, -3_000);
    for (const width of [400, 1024, 400]) {
      await page.setViewportSize({ width, height: 800 });
      await expect.poll(() => shownPixels(chat)).toBeGreaterThan(400);
    }
  },
);
