import type { Locator } from '@playwright/test';
import { ask, edit } from './support/asking.ts';
import { expect, test } from './support/test.ts';

test('an edit keeps the earlier version within reach, and each has a branch of its own', async ({
  page,
  chat,
  service,
}) => {
  await chat.open(service.pageUrl);
  await ask(chat, 'What is 17 * 23?', '391');
  await ask(chat, 'What is 6 * 7?', '42');

  await edit(page, chat.mine.first(), 'What is 19 * 23?');
  await expect(chat.mine).toHaveCount(1);
  await expect(chat.replies).toContainText(['437']);
  await expect(chat.message).toBeFocused();
  await expect(page.getByRole('group', { name: 'Version 2 of 2' })).toBeVisible();
  await ask(chat, 'What is 8 * 9?', '72');

  await page.getByRole('button', { name: 'Earlier version' }).click();
  await expect(chat.mine).toHaveText([/17 \* 23/, /6 \* 7/]);
  await expect(chat.replies).toHaveText([/391/, /42/]);
  await page.getByRole('button', { name: 'Later version' }).click();
  await expect(chat.mine).toHaveText([/19 \* 23/, /8 \* 9/]);
  await expect(chat.replies).toHaveText([/437/, /72/]);

  await page.reload();
  await expect(chat.mine).toHaveText([/19 \* 23/, /8 \* 9/]);
  await expect(page.getByRole('group', { name: 'Version 2 of 2' })).toBeVisible();
});

test('a retry is chosen at the reply and an edit at the question, by keyboard, too', async ({
  page,
  chat,
  service,
}) => {
  await chat.open(service.pageUrl);
  await ask(chat, 'What is 17 * 23?', '391');
  const [question, reply] = [chat.mine.first(), chat.replies.first()];
  const versions = (of: Locator): Locator => of.getByRole('group', { name: /^Version/ });
  const shown = async (atQuestion: string | null, atReply: string | null): Promise<void> => {
    for (const [of, name] of [
      [question, atQuestion],
      [reply, atReply],
    ] as const) {
      if (name === null) await expect(versions(of)).toHaveCount(0);
      else await expect(versions(of)).toHaveAccessibleName(`Version ${name}`);
    }
  };
  const retry = async (): Promise<void> => {
    await reply.hover();
    await reply.getByRole('button', { name: 'Retry', exact: true }).click();
  };
  await retry();
  await shown(null, '2 of 2');
  await edit(page, question, 'What is 19 * 23?');
  await expect(reply).toContainText('437');
  await shown('2 of 2', null);
  await retry();
  await shown('2 of 2', '2 of 2');

  const earlier = (of: Locator): Locator => of.getByRole('button', { name: 'Earlier version' });
  await earlier(reply).focus();
  await page.keyboard.press('Enter');
  await shown('2 of 2', '1 of 2');
  await expect(reply.getByRole('button', { name: 'Later version' })).toBeFocused();
  await earlier(question).focus();
  await page.keyboard.press('Enter');
  await expect(question).toContainText('17 * 23');
  await shown('1 of 2', '2 of 2');
  await expect(question.getByRole('button', { name: 'Later version' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(question).toContainText('19 * 23');
  // The last that was tried.
  await shown('2 of 2', '2 of 2');
  await page.reload();
  await shown('2 of 2', '2 of 2');

  await reply.hover();
  await reply.getByRole('button', { name: 'Delete' }).click();
  await expect(chat.replies).toHaveCount(0);
  // Nothing else would lead to the other replies.
  await expect(versions(question)).toHaveAccessibleName('Version 4 of 4');
});

test('versions are chosen by keyboard, one after the other', async ({ page, chat, service }) => {
  await chat.open(service.pageUrl);
  await ask(chat, 'What is 1 + 1?', '2');
  for (const [text, figure] of [
    ['What is 20 + 3?', '23'],
    ['What is 30 + 4?', '34'],
  ] as const) {
    await edit(page, chat.mine.first(), text);
    await expect(chat.replies.first()).toContainText(figure);
    await expect(chat.stop).toBeHidden();
  }
  const [earlier, later] = ['Earlier version', 'Later version'].map((name) =>
    page.getByRole('button', { name }),
  ) as [Locator, Locator];
  await earlier.focus();
  await page.keyboard.press('Enter');
  await expect(chat.mine.first()).toContainText('20 + 3');
  await expect(earlier).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(chat.mine.first()).toContainText('1 + 1');
  await expect(earlier).toBeDisabled();
  await expect(later).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(chat.mine.first()).toContainText('20 + 3');
});
