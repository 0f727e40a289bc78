import type { NoteList } from '../../shared/api/note.ts';
import { axe } from './support/axe.ts';
import { expect, test } from './support/test.ts';

const openNotes = '#/settings/notes';

test('a note is written, changed, deleted once by a double click, and brought back', async ({
  page,
  chat,
  service,
}) => {
  const kept = async (): Promise<string[]> =>
    (await service.call<NoteList>('GET', '/api/v1/notes')).notes.map(({ text }) => text);
  await chat.open(service.pageUrl);
  await page.evaluate((hash) => (location.hash = hash), openNotes);
  await expect(page.getByText('Nothing is remembered yet.')).toBeVisible();

  const box = page.getByRole('textbox', { name: 'Something to remember' });
  await page.getByRole('button', { name: 'For example The spare key is with Anna' }).click();
  await expect(box).toHaveValue('The spare key is with Anna');
  await expect(box).toBeFocused();
  await box.press('Enter');
  const items = page.getByRole('list', { name: 'Notes, newest first' }).getByRole('listitem');
  await expect(items).toHaveText([/The spare key is with Anna/]);
  await expect(box).toHaveValue('');
  expect(await kept()).toEqual(['The spare key is with Anna']);

  await items.getByRole('button', { name: 'Edit: The spare key is with Anna' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit the note' });
  const edited = dialog.getByRole('textbox', { name: 'Something to remember' });
  await expect(edited).toBeFocused();
  await edited.fill('never mind');
  await edited.press('Escape');
  await expect(dialog.getByRole('alert')).toHaveText('Your changes are not saved.');
  await edited.press('Escape');
  await expect(items.getByRole('button', { name: 'Edit: The spare key is with Anna' })).toBeFocused();
  await page.keyboard.press('Enter');
  await edited.fill('The spare key is with Ben');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(items).toHaveText([/The spare key is with Ben/]);
  expect(await kept()).toEqual(['The spare key is with Ben']);
  const { violations } = await axe(page).analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);

  const asked: string[] = [];
  await page.route('**/notes/*', async (route) => {
    asked.push(route.request().method());
    await page.waitForTimeout(300);
    return route.continue();
  });
  await items.getByRole('button', { name: 'Delete: The spare key is with Ben' }).dblclick();
  await expect(page.getByText('Nothing is remembered yet.')).toBeVisible();
  expect(asked).toEqual(['DELETE']);
  expect(await kept()).toEqual([]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(kept).toEqual(['The spare key is with Ben']);
});

test('a note that another program writes appears', async ({ page, chat, service }) => {
  await page.clock.install();
  await chat.open(service.pageUrl);
  await page.evaluate((hash) => (location.hash = hash), openNotes);
  await expect(page.getByText('Nothing is remembered yet.')).toBeVisible();
  await service.call('POST', '/api/v1/notes', { text: 'Milk' });
  await page.clock.fastForward(10_000);
  await expect(page.getByRole('listitem').getByText('Milk')).toBeVisible();
});

test('many notes are filtered, and long ones stay in their frame', async ({ page, chat, service }) => {
  const long = `https://example.com/${'a'.repeat(400)}`;
  for (const text of [...Array.from({ length: 12 }, (_, at) => `Note number ${at + 1}`), long]) {
    await service.call('POST', '/api/v1/notes', { text });
  }
  await page.setViewportSize({ width: 420, height: 800 });
  await chat.open(service.pageUrl);
  await page.evaluate((hash) => (location.hash = hash), openNotes);
  const items = page.getByRole('list', { name: 'Notes, newest first' }).getByRole('listitem');
  await expect(items).toHaveCount(13);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  await page.getByRole('searchbox', { name: 'Filter notes' }).fill('number 12');
  await expect(items).toHaveCount(1);
  await page.getByRole('searchbox', { name: 'Filter notes' }).fill('nothing like it');
  await expect(page.getByText('No note has these words.')).toBeVisible();
});
