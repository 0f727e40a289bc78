import type { ScheduleAnswer, ScheduleList } from '../../shared/api/schedule.ts';
import { axe } from './support/axe.ts';
import { expect, test } from './support/test.ts';

test('a message is sent at a time, and the page shows what comes next, what ran and what failed', async ({
  page,
  chat,
  service,
}) => {
  await chat.open(service.pageUrl);
  await chat.message.fill('What is 6 * 7?');
  await page.getByRole('button', { name: 'Schedule…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send at a time' });
  const when = dialog.getByRole('textbox', { name: 'When' });
  await expect(when).toBeFocused();
  await when.fill('every blue moon');
  await expect(dialog.getByText('This can’t be read as a time.')).toBeVisible();
  await when.fill('every Monday at 9');
  await expect(dialog.getByText(/^Next: .*, and so on$/)).toBeVisible();
  expect((await axe(page).analyze()).violations).toEqual([]);
  await when.press('Enter');
  await expect(dialog).toBeHidden();
  // The words are kept where they were scheduled, and nothing was sent.
  await expect(chat.message).toHaveValue('');
  await expect(chat.mine).toHaveCount(0);

  await page.getByRole('button', { name: 'Show schedules' }).click();
  const card = page
    .getByRole('list', { name: 'Schedules, the next one first' })
    .getByRole('listitem')
    .first();
  await expect(card).toContainText('every Monday at 9');
  await expect(card).toContainText('Next:');
  expect((await axe(page).analyze()).violations).toEqual([]);
  await card.getByRole('button', { name: /^Run now/ }).click();
  await expect(card).toContainText('Replied');

  await card.getByRole('button', { name: /^Pause/ }).click();
  await expect(card).toContainText('Paused');
  await card.getByRole('button', { name: /^Resume/ }).click();
  await expect(card).toContainText('Next:');
  await card.getByRole('button', { name: /^Edit/ }).click();
  await page.getByRole('textbox', { name: 'When' }).fill('every weekday at 8');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(card).toContainText('every weekday at 8');

  await card.getByRole('link', { name: 'Open the chat' }).click();
  await expect(chat.replies.last()).toContainText('42');
  const { schedules } = await service.call<ScheduleList>('GET', '/api/v1/schedules');
  expect(schedules).toMatchObject([{ rule: '0 8 * * 1-5', content: 'What is 6 * 7?' }]);
});

test('a schedule whose chat was deleted says so, and is deleted after a question', async ({
  page,
  chat,
  service,
}) => {
  const { id: chatId } = await service.createChat();
  const body = { content: 'Any news?', when: 'every day at 8', chatId };
  await service.call<ScheduleAnswer>('POST', '/api/v1/schedules', body);
  await service.call('DELETE', `/api/v1/chats/${chatId}`);
  await chat.open(service.pageUrl);
  await page.goto(`${service.baseUrl}/#/settings/schedules`);
  await expect(page.getByText('Its chat was deleted')).toBeVisible();
  await page.getByRole('button', { name: 'Delete: Any news?' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Nothing is scheduled.')).toBeVisible();
});
