import { expect, NETWORK, OWN_PROCESS, test } from './support/test.ts';

const LOST = /No connection to Parley/;

test(
  'a service killed and restarted under the page: it says so, comes back by itself, and nothing is lost',
  OWN_PROCESS,
  async ({ page, service, chat, watch }) => {
    watch.expected.push(NETWORK);
    await chat.open(service.pageUrl);
    await chat.say('What is 2 + 3?');
    await expect(chat.replies).toContainText('5');

    await page.goto(`${service.baseUrl}/#/settings/data`);
    await expect(page.getByRole('heading', { name: 'Backups' })).toBeVisible();
    await service.kill();
    await expect(page.getByText(LOST)).toBeVisible();
    await page.getByRole('link', { name: 'Back to the chat' }).click();
    await expect(page.getByText(LOST)).toBeVisible();
    await expect(chat.stop).toBeHidden();
    for (const question of ['What is 40 + 2?', 'What is 50 + 3?']) {
      await chat.say(question);
      await expect(chat.mine.last()).toContainText('Not sent yet');
    }
    await chat.message.fill('still writing this');

    await service.restart();
    await expect(chat.replies).toHaveCount(3);
    await expect(chat.message).toHaveValue('still writing this');
    await expect(chat.replies.last()).toContainText('53');
    await expect(chat.mine).toHaveCount(3);
    await expect(page.getByText(LOST)).toBeHidden();
  },
);

test(
  'a page that may not come back after a restart asks for a fresh link, and nothing is lost',
  OWN_PROCESS,
  async ({ page, service, chat, watch }) => {
    watch.expected.push(NETWORK);
    await chat.open(service.pageUrl);
    // Some browsers keep no keys over the end of a page.
    await page.evaluate(() => void indexedDB.deleteDatabase('parley'));
    await service.kill();
    await chat.say('What is 40 + 2?');
    await expect(chat.mine.last()).toContainText('Not sent yet');
    await chat.message.fill('still writing this');
    await service.restart();
    await expect(page.getByRole('heading', { name: 'Your session has ended' })).toBeVisible();
    await chat.open(service.pageUrl);
    await expect(chat.message).toHaveValue('still writing this');
    await expect(chat.replies).toContainText('42');
    await expect(chat.mine).toHaveCount(1);
  },
);

test(
  'work the page can’t see is not shown as going on',
  OWN_PROCESS,
  async ({ page, service, chat, watch }) => {
    watch.expected.push(NETWORK);
    await chat.open(service.pageUrl);
    const { id } = await service.createChat();
    await service.sendMany(id);
    await page.goto(`${service.baseUrl}/#/chats/${id}`);
    await expect(chat.stop).toBeVisible();
    await service.kill();
    await expect(page.getByText(LOST)).toBeVisible();
    await expect(chat.stop).toBeHidden();
    await expect(chat.log).toHaveAttribute('aria-busy', 'false');
    await expect(chat.chats.getByText('Status unknown while disconnected')).toBeAttached();
  },
);

test('a send whose answer is lost goes out again and is stored once', async ({
  page,
  service,
  chat,
  watch,
}) => {
  watch.expected.push(NETWORK);
  await chat.open(service.pageUrl);
  const keys: (string | undefined)[] = [];
  await page.route('**/messages', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    keys.push(route.request().headers()['idempotency-key']);
    if (keys.length > 1) return route.continue();
    await route.fetch();
    return route.abort('connectionreset');
  });
  await chat.say('What is 40 + 2?');
  await expect(chat.replies).toContainText('42');
  await expect(chat.mine).toHaveCount(1);
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
  const chatId = new URL(page.url()).hash.split('/').at(-1) ?? '';
  expect((await service.messages(chatId)).map((message) => message.role)).toEqual(['user', 'assistant']);
});

test('a refused send says why, and can be tried again or taken back', async ({
  page,
  service,
  chat,
  watch,
}) => {
  watch.expected.push(NETWORK);
  await chat.open(service.pageUrl);
  const refuse = { error: { code: 'storage_full', message: 'Full.', requestId: 'r' } };
  await page.route('**/messages', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 507, json: refuse }) : route.continue(),
  );
  // The notice about the disk is due now, not within a minute.
  const looks = page.waitForRequest('**/api/v1/storage');
  await chat.say('What is 40 + 2?');
  await expect(chat.mine).toContainText('Not sent. Full.');
  await looks;
  await page.getByRole('button', { name: 'Edit' }).click();
  await expect(chat.message).toHaveValue('What is 40 + 2?');
  await expect(chat.mine).toHaveCount(0);
  await chat.message.press('Enter');
  await expect(chat.mine).toContainText('Not sent.');
  await page.reload();
  await expect(chat.mine).toContainText('Not sent.');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(chat.replies).toContainText('42');
  await expect(chat.mine).toHaveCount(1);
});

test(
  'a notice with an Undo does not cover that the connection was lost',
  OWN_PROCESS,
  async ({ page, service, chat, watch }) => {
    watch.expected.push(NETWORK);
    await page.setViewportSize({ width: 360, height: 640 });
    await chat.open(service.pageUrl);
    await chat.say('What is 2 + 3?');
    await expect(chat.replies).toContainText('5');
    await chat.replies.hover();
    await chat.replies.getByRole('button', { name: 'Delete' }).click();
    const undo = page.getByRole('button', { name: 'Undo' });
    await expect(undo).toBeVisible();
    await service.kill();
    const lost = page.getByText(LOST);
    await expect(lost).toBeVisible();
    await expect
      .poll(async () => {
        const [notice, button] = [await lost.boundingBox(), await undo.boundingBox()];
        return notice && button ? button.y - (notice.y + notice.height) : -1;
      })
      .toBeGreaterThan(0);
  },
);

test('a part of the window that cannot be loaded says so', async ({ page, service, chat, watch }) => {
  watch.expected.push(/ERR_FAILED|status of 404/);
  await chat.open(service.pageUrl);
  await page.route('**/*.js', (route) => route.abort());
  const said = (title: string) =>
    page.getByRole('dialog', { name: title }).getByText('The service could not be reached.');
  await page.getByRole('searchbox', { name: 'Search messages' }).fill('zebra');
  await expect(said('Search results')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await chat.choose('rehearsals');
  await expect(said('Rehearsals')).toBeVisible();
  await page.unroute('**/*.js');
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Try again' }).click()]);
  await expect(chat.message).toBeFocused();
  await chat.choose('rehearsals');
  await expect(page.getByRole('dialog', { name: 'Rehearsals' }).getByRole('listitem')).toHaveCount(9);
});
