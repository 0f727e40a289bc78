/** An open chat follows what happens to it, wherever it happens and whatever becomes of the connection. */
import type { BrowserContext } from '@playwright/test';
import { streamedWords } from '../support/directed-runtime.ts';
import type { TestService } from './support/service.ts';
import { ChatPage, EVENT_STREAM, expect, NETWORK, OWN_PROCESS, test } from './support/test.ts';

const LOST = /No connection to Parley/;

test.use({ directed: true });

/** Another window on a chat. */
async function openWindow(context: BrowserContext, service: TestService, chatId: string): Promise<ChatPage> {
  const page = await context.newPage();
  const chat = new ChatPage(page);
  await chat.open(await service.pageLink());
  await page.goto(`${service.baseUrl}/#/chats/${chatId}`);
  return chat;
}

/** What stands in the reply's text, without what surrounds it. */
const wordsOf = (text: string | null): string => (text?.match(/word\d+/g) ?? []).join(' ');

test('windows on one chat show the same without a reload, more of them than there are streams', async ({
  page,
  browser,
  service,
  chat,
}) => {
  // Five windows take a slow machine a while.
  test.slow();
  const { id } = await service.createChat();
  await chat.open(service.pageUrl);
  await page.goto(`${service.baseUrl}/#/chats/${id}`);
  const elsewhere = await browser.newContext();
  const windows = [
    chat,
    await openWindow(page.context(), service, id),
    await openWindow(page.context(), service, id),
    await openWindow(page.context(), service, id),
    await openWindow(elsewhere, service, id),
  ];
  await windows[1]?.say('stream 150 words at 60/s');
  for (const { replies } of windows) await expect(replies).toContainText('word5');
  for (const { replies } of windows) await expect(replies).toHaveAttribute('data-status', 'complete');
  for (const { replies, mine } of windows) {
    expect(wordsOf(await replies.textContent())).toBe(streamedWords(150));
    await expect(mine).toHaveCount(1);
  }
  const [question] = await service.messages(id);
  await service.call('POST', `/api/v1/chats/${id}/messages/${question?.id ?? ''}/edit`, {
    content: 'say other',
  });
  for (const { replies, mine } of windows) {
    await expect(replies).toContainText('other');
    await expect(replies).toHaveCount(1);
    await expect(mine).toHaveCount(1);
  }
  await windows[4]?.say('say last');
  for (const { replies } of windows) await expect(replies.last()).toContainText('last');
  await elsewhere.close();
});

test(
  'a service killed and restarted in the midst of a reply: it says so, goes on by itself, and nothing is lost or doubled',
  OWN_PROCESS,
  async ({ page, service, chat, watch }) => {
    watch.expected.push(NETWORK);
    await chat.open(service.pageUrl);
    await chat.say('say first');
    await expect(chat.replies).toContainText('first');
    await chat.say('stream 400 words at 100/s');
    await expect(chat.replies.last()).toContainText('word40');
    await service.kill();
    await expect(page.getByText(LOST)).toBeVisible();
    await expect(chat.stop).toBeHidden();
    await expect(chat.log).toHaveAttribute('aria-busy', 'false');
    await service.restart();
    await expect(page.getByText(LOST)).toBeHidden();
    await expect(chat.replies.last()).toHaveAttribute('data-status', 'complete');
    expect(wordsOf(await chat.replies.last().textContent())).toBe(streamedWords(400));
    await expect(chat.replies).toHaveCount(2);
    await expect(chat.mine).toHaveCount(2);
    await chat.say('say after');
    await expect(chat.replies.last()).toContainText('after');
  },
);

test(
  'where no stream can be had, replies arrive all the same and nothing is said to be lost',
  { tag: '@firefox' },
  async ({ page, chat, service, watch }) => {
    watch.expected.push(NETWORK);
    let refused = 0;
    await page.route(EVENT_STREAM, (route) => {
      refused += 1;
      return route.abort('connectionreset');
    });
    await chat.open(service.pageUrl);
    await chat.say('stream 120 words at 60/s');
    await expect(chat.replies).toContainText('word5');
    await expect(chat.replies).toHaveAttribute('data-status', 'complete');
    expect(wordsOf(await chat.replies.textContent())).toBe(streamedWords(120));
    expect(refused).toBeGreaterThan(0);
    await expect(page.getByText(LOST)).toHaveCount(0);
  },
);

test(
  'a reply is shown as it is written, from the stream alone',
  { tag: '@firefox' },
  async ({ page, service, chat }) => {
    const asked: string[] = [];
    const { id } = await service.createChat();
    let lists = 0;
    let lastAt = 0;
    page.on('response', (response) => {
      lastAt = performance.now();
      if (response.url().includes('/chats?page=1&pageSize=100&pinned=false')) lists += 1;
    });
    await chat.open(service.pageUrl);
    const followed = page.waitForRequest((request) => request.url().includes(`/events?chat=${id}`));
    await page.goto(`${service.baseUrl}/#/chats/${id}`);
    await followed;
    // The list is asked for at once, and again, with the projects, when the stream is there.
    await expect.poll(() => lists).toBe(2);
    await expect.poll(() => performance.now() - lastAt).toBeGreaterThan(500);
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.startsWith('/api/') && !/\/(drafts|storage)/.test(pathname)) {
        asked.push(`${request.method()} ${pathname}${search}`);
      }
    });
    await service.send(id, 'wait 300 ms, then stream 60 words at 60/s, then use a tool, then say done');
    await expect(chat.replies).toContainText('word5');
    await expect(chat.replies).toContainText('done');
    await expect(chat.stop).toBeHidden();
    // The mark that it was read, and the question how full the context is by now, are all that goes out; the list is told.
    expect(asked.filter((request) => !/^PATCH|\/context$/.test(request))).toEqual([]);
  },
);

test('typing goes on while a reply streams', async ({ service, chat }) => {
  await chat.open(service.pageUrl);
  await chat.say('stream 600 words at 200/s');
  await expect(chat.replies).toContainText('word10');
  const text = 'meanwhile I write what comes to mind, and all of it is there';
  await chat.message.pressSequentially(text);
  await expect(chat.message).toHaveValue(text);
  await expect(chat.replies).toHaveAttribute('data-status', 'complete');
  await expect(chat.message).toHaveValue(text);
  expect(wordsOf(await chat.replies.textContent())).toBe(streamedWords(600));
});

test('messages sent in a row while a reply streams are each there once, and answered', async ({
  service,
  chat,
}) => {
  await chat.open(service.pageUrl);
  await chat.say('stream 200 words at 100/s');
  await expect(chat.replies).toContainText('word5');
  for (const name of ['one', 'two', 'three']) await chat.say(`say ${name}`);
  await expect(chat.replies).toHaveCount(4);
  await expect(chat.replies.last()).toContainText('three');
  await expect(chat.mine).toHaveCount(4);
});

test('a message that is sent is there once in every frame, from the keystroke on', async ({
  page,
  service,
  chat,
}) => {
  await chat.open(service.pageUrl);
  await chat.say('stream 300 words at 100/s');
  await expect(chat.replies).toContainText('word5');
  await page.evaluate(() => {
    const seen = Object.assign(window, { seen: [] as number[] }).seen;
    const look = (): void => {
      const mine = [...document.querySelectorAll('[role=log] article[aria-label=You]')];
      const count = mine.filter((article) => article.textContent.includes('say again')).length;
      if (count !== seen.at(-1)) seen.push(count);
      requestAnimationFrame(look);
    };
    look();
  });
  for (const count of [1, 2, 3]) {
    await chat.say('say again');
    await expect(chat.mine).toHaveCount(count + 1);
  }
  await expect(chat.replies).toHaveCount(4);
  await expect(chat.replies.last()).toContainText('again');
  expect(await page.evaluate(() => (window as unknown as { seen: number[] }).seen)).toEqual([0, 1, 2, 3]);
});

test('agents, models and projects that another program makes and deletes come and go without a focus', async ({
  page,
  service,
  chat,
  watch,
}) => {
  // A server that isn’t there lists no models.
  watch.expected.push(NETWORK);
  await chat.open(service.pageUrl);
  const project = page.locator('#sidebar').getByRole('button', { name: 'Garden', exact: true });
  const made = await service.call<{ project: { id: string } }>('POST', '/api/v1/projects', {
    name: 'Garden',
  });
  await expect(project).toBeVisible();
  await service.call('DELETE', `/api/v1/projects/${made.project.id}`);
  await expect(project).toBeHidden();
  await service.call('POST', '/api/v1/agents', { agentType: 'poet', name: 'Poet' });
  await page.getByRole('button', { name: 'Agent: Assistant' }).click();
  await expect(page.getByText('Poet')).toBeVisible();
  await service.call('DELETE', '/api/v1/agents/poet');
  await expect(page.getByText('Poet')).toBeHidden();
  await page.keyboard.press('Escape');
  const box = { provider: 'openai_compatible', name: 'Box', baseUrl: 'http://127.0.0.1:9/v1' };
  const { connection } = await service.call<{ connection: { id: string } }>(
    'POST',
    '/api/v1/connections',
    box,
  );
  await page.getByRole('button', { name: 'Model: Offline assistant' }).click();
  await expect(page.getByText('Box doesn’t list its models.')).toBeVisible();
  await service.call('DELETE', `/api/v1/connections/${connection.id}`);
  await expect(page.getByText('Box doesn’t list its models.')).toBeHidden();
});

test('a deleted chat that another window has open says so', async ({ page, service, chat, watch }) => {
  watch.expected.push(NETWORK);
  const { id } = await service.createChat();
  await chat.open(service.pageUrl);
  await page.goto(`${service.baseUrl}/#/chats/${id}`);
  await expect(page.getByRole('heading', { name: 'What can I do for you?' })).toBeVisible();
  await service.call('DELETE', `/api/v1/chats/${id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This chat no longer exists.');
  await page.getByRole('main').getByRole('button', { name: 'New chat' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('New chat');
  await expect(chat.message).toBeVisible();
});
