/** Messages that wait for the reply before them, each by itself. */
import type { Locator } from '@playwright/test';
import { axe } from './support/axe.ts';
import { ChatPage, expect, test } from './support/test.ts';

test.use({ directed: true });

const named = (message: Locator, name: string): Locator => message.getByRole('button', { name, exact: true });

async function queue(chat: ChatPage, pageUrl: string, ...contents: string[]): Promise<void> {
  await chat.open(pageUrl);
  await chat.say('say begun, then hang');
  await expect(chat.replies).toContainText('begun');
  for (const [index, content] of contents.entries()) {
    await chat.say(content);
    await expect(chat.mine).toHaveCount(index + 2);
  }
}

test('is moved by keyboard, which is told, and then sent now: what was written stays', async ({
  page,
  service,
  chat,
}) => {
  await queue(chat, service.pageUrl, 'say two', 'say three', 'say four');
  const four = chat.mine.filter({ hasText: 'say four' });
  await named(four, 'Move up').focus();
  await page.keyboard.press('Enter');
  await expect(chat.mine.nth(2)).toContainText('say four');
  await expect(
    page.getByRole('status').filter({ hasText: 'Moved. This is now number 2 of 3 waiting messages.' }),
  ).toHaveCount(1);
  await expect(named(four, 'Move up')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(chat.mine.nth(1)).toContainText('say four');
  expect((await axe(page).analyze()).violations).toEqual([]);
  await named(chat.mine.filter({ hasText: 'say three' }), 'Send now').click();
  await expect(chat.replies).toHaveText([/begun/, /three/, /four/, /two/]);
  await expect(chat.mine).toHaveText([/say begun/, /say three/, /say four/, /say two/]);
});

test('is changed at its place, and removed with an Undo', async ({ page, service, chat }) => {
  await queue(chat, service.pageUrl, 'say two', 'say three');
  await named(chat.mine.nth(1), 'Edit').click();
  const box = chat.mine.nth(1).getByRole('textbox');
  await box.fill('say better');
  await chat.mine.nth(1).getByRole('button', { name: 'Save' }).click();
  await expect(box).toBeHidden();
  await expect(chat.mine.nth(1)).toContainText('say better');
  await expect(chat.stop).toBeVisible();
  await named(chat.mine.nth(2), 'Remove').click();
  await expect(chat.mine).toHaveCount(2);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(chat.mine).toHaveCount(3);
  await named(chat.mine.nth(2), 'Remove').click();
  await named(chat.mine.nth(1), 'Send now').click();
  await expect(chat.replies).toHaveText([/begun/, /better/]);
  await expect(page.getByText(/waiting for the current reply/)).toBeHidden();
});

test('Stop says that it ends waiting messages, too, and so does what stops first', async ({
  page,
  service,
  chat,
}) => {
  await queue(chat, service.pageUrl, 'say two');
  await expect(chat.stop).toHaveText('Stop all');
  await expect(chat.stop).toHaveAttribute('title', /^Stop the reply and the waiting message/);
  await expect(named(chat.mine.nth(0), 'Edit')).toHaveAttribute('title', /and all waiting messages first/);
  await chat.say('say three');
  await expect(chat.stop).toHaveAttribute('title', /^Stop the reply and 2 waiting messages/);
  await chat.choose('Stop the reply and 2 waiting messages');
  await expect(chat.stop).toBeHidden();
  await expect(chat.replies).toHaveText([/begun/, /Stopped before/, /Stopped before/]);
  await chat.say('say begun, then hang');
  await expect(chat.stop).toHaveText('Stop');
  await expect(page.getByText(/waiting for the current reply/)).toBeHidden();
});

test('is seen in two tabs alike; who comes too late is told', async ({ page, service, chat }) => {
  await queue(chat, service.pageUrl, 'say two', 'say three');
  const other = new ChatPage(await page.context().newPage());
  await other.page.goto(`${service.baseUrl}/`);
  const session = await page.evaluate(() => sessionStorage.getItem('parley.session'));
  await other.page.evaluate((value) => sessionStorage.setItem('parley.session', value ?? ''), session);
  await other.page.goto(page.url());
  await other.page.reload();
  await expect(other.mine).toHaveCount(3);
  await named(chat.mine.nth(2), 'Move up').click();
  for (const each of [chat, other]) await expect(each.mine.nth(1)).toContainText('say three');
  await named(other.mine.nth(1), 'Edit').click();
  await other.mine.nth(1).getByRole('textbox').fill('say late');
  await named(chat.mine.nth(1), 'Send now').click();
  await expect(chat.replies.nth(1)).toContainText('three');
  await expect(other.mine.nth(1).getByRole('textbox')).toHaveValue('say late');
  await expect(other.mine.nth(1).getByRole('button', { name: 'Ask again' })).toBeVisible();
});
