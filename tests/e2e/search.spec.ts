import { expect, test } from './support/test.ts';

test.use({ directed: true });

test('words are found in messages and titles, marked, and lead to the message', async ({
  page,
  service,
  chat,
}) => {
  const { id } = await service.createChat();
  await service.send(id, 'Where did I leave the umbrella');
  await expect.poll(async () => (await service.messages(id)).length).toBe(2);
  await chat.open(service.pageUrl);
  await chat.newChat.click();
  await page.keyboard.press('Control+Shift+F');
  const box = page.getByRole('searchbox', { name: 'Search messages' });
  await expect(box).toBeFocused();
  await box.pressSequentially('umbrel');
  const results = page.getByRole('region', { name: 'Search results' });
  await expect(results.getByRole('list', { name: 'Chats' }).getByRole('link')).toHaveCount(1);
  const messages = results.getByRole('list', { name: 'Messages' }).getByRole('link');
  await expect(messages).toHaveCount(2);
  await expect(messages.first().locator('mark')).toHaveText('umbrella');
  await expect(results.getByRole('status')).toHaveText('3 results');

  await box.press('ArrowDown');
  await expect(results.getByRole('link').first()).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(messages.first()).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect(box).toBeFocused();
  await box.press('ArrowDown');
  await page.keyboard.press('End');
  await expect(messages.last()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(chat.replies).toContainText('umbrella');
  await expect(chat.log.locator('[data-message]:focus')).toContainText('Where did I leave the umbrella');
  await expect(page).toHaveURL(new RegExp(`#/chats/${id}`));
  await expect(messages.last()).toHaveAttribute('aria-current', 'page');

  await messages.last().focus();
  await page.keyboard.press('Escape');
  await expect(box).toBeFocused();
  await expect(box).toHaveValue('');
  await expect(chat.chats.getByRole('link')).toHaveCount(1);
  await box.press('Escape');
  await expect(chat.message).toBeFocused();
});

test('a message is found by the name of its file', async ({ page, service, chat }) => {
  const { id } = await service.createChat();
  const attachments = [{ name: 'umbrella prices.csv', data: btoa('a,b') }];
  await service.call('POST', `/api/v1/chats/${id}/messages?wait=30`, { content: 'Look.', attachments });
  await chat.open(service.pageUrl);
  await page.getByRole('searchbox', { name: 'Search messages' }).fill('prices.csv');
  const found = page.getByRole('list', { name: 'Messages' }).getByRole('link');
  await expect(found).toContainText('You, file: umbrella prices.csv');
  await found.click();
  await expect(chat.log.locator('[data-message]:focus')).toContainText('umbrella prices.csv');
});

test('nothing found and a failed search are said in words', async ({ page, service, chat, watch }) => {
  watch.expected.push(/status of 500/);
  await chat.open(service.pageUrl);
  const box = page.getByRole('searchbox', { name: 'Search messages' });
  const results = page.getByRole('region', { name: 'Search results' });
  await box.fill('zebra');
  await expect(results).toContainText('Nothing found for “zebra”.');
  await page.route('**/api/v1/search**', (route) =>
    route.fulfill({
      status: 500,
      json: { error: { code: 'internal_error', message: 'Broken.', requestId: 'r' } },
    }),
  );
  await box.fill('zebras');
  await expect(results.getByRole('alert')).toContainText('The search failed.');
  await page.unroute('**/api/v1/search**');
  await results.getByRole('button', { name: 'Try again' }).click();
  await expect(results).toContainText('Nothing found for “zebras”.');
  await page.getByRole('button', { name: 'Clear the search' }).click();
  await expect(results).toBeHidden();
  await expect(box).toBeFocused();
});

test('an answer that comes late does not take the place of a newer one', async ({ page, service, chat }) => {
  const { id } = await service.createChat();
  await service.send(id, 'apples and pears');
  await expect.poll(async () => (await service.messages(id)).length).toBe(2);
  await chat.open(service.pageUrl);
  let late: (() => void) | undefined;
  const held = new Promise<void>((resolve) => (late = resolve));
  await page.route(/search\?q=apples/, async (route) => {
    await held;
    await route.continue().catch(() => undefined);
  });
  const box = page.getByRole('searchbox', { name: 'Search messages' });
  const results = page.getByRole('region', { name: 'Search results' });
  const asked = page.waitForRequest(/search\?q=apples/);
  await box.fill('apples');
  await asked;
  await box.fill('nothing like it');
  await expect(results).toContainText('Nothing found');
  const answered = page.waitForEvent('requestfinished', (request) => request.url().includes('q=apples'));
  late?.();
  await answered.catch(() => undefined);
  await expect(results).toContainText('Nothing found');
});

test('a hit of an earlier version says so', async ({ page, service, chat }) => {
  const { id } = await service.createChat();
  await service.send(id, 'first wording');
  await expect.poll(async () => (await service.messages(id)).length).toBe(2);
  const [asked] = await service.messages(id);
  await service.call('POST', `/api/v1/chats/${id}/messages/${asked?.id ?? ''}/edit`, {
    content: 'second try',
  });
  await chat.open(service.pageUrl);
  await page.getByRole('searchbox', { name: 'Search messages' }).fill('wording');
  const results = page.getByRole('region', { name: 'Search results' });
  await expect(results.getByRole('link', { name: /in an earlier version/ }).first()).toBeVisible();
});
