import { expect, test } from './support/test.ts';

test('first run: from an example to its reply', { tag: '@firefox' }, async ({ page, service, chat }) => {
  await chat.open(service.pageUrl);
  await page.getByRole('button', { name: /Work something out/ }).click();
  await expect(chat.mine).toHaveText(/12\.5% of 1,840/);
  await expect(chat.replies).toContainText('230');
  await expect(chat.replies).toHaveAttribute('data-status', 'complete');
  await expect(chat.chats.getByRole('link')).toHaveCount(1);
  await expect(chat.chats.getByRole('link')).toContainText('What’s 12.5% of 1,840?');
  await expect(page).toHaveTitle(/12\.5%/);
  await expect(chat.stop).toBeHidden();
});

test('a tool step is one line that opens to its input and result', async ({ page, service, chat }) => {
  await chat.open(service.pageUrl);
  await chat.say('Remember that the spare key is with Anna');
  const step = chat.replies.locator('details');
  await expect(step).toHaveCount(1);
  await expect(step.getByText('Result')).toBeHidden();
  await step.locator('summary').press('Enter');
  await expect(step.getByText('Result')).toBeVisible();
  await expect(step).toContainText('the spare key is with Anna');
  await expect(page.getByRole('list', { name: 'Steps' })).toBeVisible();
});

test('Enter sends and Shift+Enter breaks the line', { tag: '@firefox' }, async ({ service, chat }) => {
  await chat.open(service.pageUrl);
  await expect(chat.send).toBeDisabled();
  await chat.message.pressSequentially('one');
  await chat.message.press('Shift+Enter');
  await chat.message.pressSequentially('two');
  await expect(chat.message).toHaveValue('one\ntwo');
  await expect(chat.mine).toHaveCount(0);
  await chat.message.press('Enter');
  await expect(chat.mine).toHaveCount(1);
  await expect(chat.mine).toContainText('one\ntwo');
  await expect(chat.message).toHaveValue('');
});

test('two messages sent at once are answered in order, each below its question', async ({
  service,
  chat,
}) => {
  await chat.open(service.pageUrl);
  await chat.say('What is 2 + 3?');
  await chat.say('What is 40 + 2?');
  await expect(chat.replies).toHaveCount(2);
  const articles = chat.log.getByRole('article');
  await expect(articles).toHaveCount(4);
  await expect(articles.nth(0)).toContainText('2 + 3');
  await expect(articles.nth(1)).toContainText('5');
  await expect(articles.nth(2)).toContainText('40 + 2');
  await expect(articles.nth(3)).toContainText('42');
});

test('Stop ends the work on a chat and says so', { tag: '@firefox' }, async ({ page, service, chat }) => {
  const { id } = await service.createChat();
  await chat.open(service.pageUrl);
  await service.sendMany(id);
  await page.goto(`${service.baseUrl}/#/chats/${id}`);
  await chat.stop.click();
  await expect(chat.stop).toBeHidden();
  await expect(chat.log.getByText('Stopped before anything was written.').first()).toBeAttached();
  await chat.say('What is 40 + 2?');
  await expect(chat.replies.last()).toContainText('42');
});

test('chats are kept apart, and the address leads back to each', async ({ page, service, chat }) => {
  await chat.open(service.pageUrl);
  await chat.say('What is 2 + 3?');
  await expect(chat.replies).toContainText('5');
  await chat.newChat.click();
  await expect(page.getByRole('heading', { name: 'What can I do for you?' })).toBeVisible();
  await chat.message.fill('a draft here');
  await chat.chats.getByRole('link', { name: /2 \+ 3/ }).click();
  await expect(chat.replies).toContainText('5');
  await expect(chat.message).toHaveValue('');
  await page.goBack();
  await expect(chat.message).toHaveValue('a draft here');
});

test('a chat changed by another program shows it by itself', async ({ page, service, chat }) => {
  await chat.open(service.pageUrl);
  const { id } = await service.createChat();
  await service.send(id, 'What is 6 * 7?');
  await chat.chats.getByRole('link', { name: /6 \* 7/ }).click();
  await expect(chat.replies).toContainText('42');
  await service.send(id, 'What is 100 + 1?');
  await expect(chat.replies).toHaveCount(2);
  await expect(chat.replies.last()).toContainText('101');
  await expect(page.getByRole('status').filter({ hasText: '101' })).toBeAttached();
});

test('at 360 px everything is in reach and nothing is cut off', async ({ page, service, chat }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await chat.open(service.pageUrl);
  await expect(chat.chats).toBeHidden();
  await chat.say(`${'Averylongwordwithoutabreak'.repeat(20)} what is 2 + 3?`);
  await expect(chat.replies).toHaveAttribute('data-status', 'complete');
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  await page.getByRole('button', { name: 'Show chats' }).click();
  await expect(chat.chats).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(chat.chats).toBeHidden();
  await expect(page.getByRole('button', { name: 'Show chats' })).toBeFocused();

  // A dialog over it has the key to itself.
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'New project…' }).click();
  const dialog = page.getByRole('dialog', { name: 'New project' });
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'New project…' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Show chats' })).toBeFocused();

  // At 400 % of a small screen, the hint in the empty box leaves room for the messages.
  await page.setViewportSize({ width: 320, height: 256 });
  await expect.poll(() => chat.message.evaluate(({ clientHeight }) => clientHeight)).toBeLessThan(60);
});

test('each example gets an answer, with no model connected', async ({ page, service, chat }) => {
  const answers = [
    /230[\s\S]*42\.16/,
    /\b\d+ days[\s\S]*Tokyo/,
    /Tent[\s\S]*Lamp[\s\S]*398\.35/,
    /spare key/,
  ];
  await chat.open(service.pageUrl);
  for (const [index, answer] of answers.entries()) {
    await chat.newChat.click();
    await page.getByRole('list', { name: 'Examples' }).getByRole('button').nth(index).click();
    await expect(chat.replies).toHaveAttribute('data-status', 'complete');
    await expect(chat.replies).toContainText(answer);
  }
  await expect(chat.chats.getByRole('link')).toHaveCount(answers.length);
});
