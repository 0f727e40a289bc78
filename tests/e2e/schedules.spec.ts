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
  const dialog = page.getByRole('dialog', { name: 'Schedule a message' });
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

test('the settings add a schedule, from an example at first, and one time is shown as the day it means', async ({
  page,
  chat,
  service,
}) => {
  await chat.open(service.pageUrl);
  await page.goto(`${service.baseUrl}/#/settings/schedules`);
  await page.getByRole('button', { name: /^For example every weekday at 8/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Schedule a message' });
  await expect(dialog.getByText(/^Next: \w{3} .*, and so on$/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Schedule' }).click();
  await expect(dialog).toBeHidden();
  const cards = page.getByRole('list', { name: 'Schedules, the next one first' }).getByRole('listitem');
  await expect(cards).toContainText(['every weekday at 8']);
  await expect(page.getByRole('button', { name: 'Show schedules' })).toHaveCount(0);

  await page.getByRole('button', { name: 'Add a schedule' }).click();
  await dialog.getByRole('textbox', { name: 'When' }).fill('31 December 2099 at 18:30');
  await dialog.getByRole('textbox', { name: 'Message' }).fill('Happy New Year');
  await dialog.getByRole('button', { name: 'Schedule' }).click();
  const once = cards.filter({ hasText: 'Happy New Year' });
  await expect(once.getByRole('heading')).toHaveText(/^\w+ .*2099, /);
  expect((await axe(page).analyze()).violations).toEqual([]);
  // Words such as “tomorrow” would be read as another day by now.
  const times = [new Date(Date.UTC(2098, 0, 1)).toISOString()];
  await page.route('**/schedules/times*', (route) =>
    route.fulfill({ json: { rule: null, timeZone: 'UTC', times, problem: null } }),
  );
  await once.getByRole('button', { name: /^Edit/ }).click();
  await expect(page.getByRole('dialog').getByText(/^Next: .*2099, /)).toBeVisible();
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
