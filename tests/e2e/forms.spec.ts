import { expect, test } from './support/test.ts';
import { axe } from './support/axe.ts';

test('a slash lists the tools; one is found, filled in and called with just that, all by keyboard', async ({
  page,
  service,
  chat,
}) => {
  await chat.open(service.pageUrl);
  await chat.message.pressSequentially('/');
  const options = page.getByRole('listbox', { name: 'Tools' }).getByRole('option');
  await expect(options.first()).toContainText('Calculates exactly.');
  await expect(chat.message).toHaveAttribute(
    'aria-activedescendant',
    (await options.first().getAttribute('id')) ?? 'none',
  );
  expect((await axe(page).analyze()).violations).toEqual([]);
  await chat.message.press('ArrowDown');
  await expect(options.nth(1)).toHaveAttribute('aria-selected', 'true');
  await chat.message.press('Escape');
  await expect(options).toHaveCount(0);
  await expect(chat.message).toHaveValue('/');
  await chat.message.fill('');
  const saving = Promise.withResolvers<undefined>();
  await page.route('**/api/v1/drafts/*', async (route) => {
    await saving.promise;
    await route.continue();
  });
  const saved = page.waitForResponse(/drafts/);
  await chat.message.pressSequentially('/sort');
  await expect(options.first()).toContainText('Sort a list');
  await chat.message.press('Enter');
  const form = page.getByRole('dialog', { name: 'Sort a list' });
  await expect(form.getByLabel('Items', { exact: true })).toBeFocused();
  expect((await axe(page).analyze()).violations).toEqual([]);
  await form.getByRole('button', { name: 'Send' }).click();
  await expect(form.getByText('Fill this in.')).toBeVisible();
  await expect(form.getByLabel('Items', { exact: true })).toBeFocused();
  await page.keyboard.insertText('pear\napple: red\n\nfig');
  // The slash is saved as a draft meanwhile: that leaves what was filled in.
  saving.resolve(undefined);
  await saved;
  await form.getByLabel('Descending').selectOption('Yes');
  await form.getByLabel('Items', { exact: true }).press('Control+Enter');
  await expect(form).toBeHidden();
  await expect(chat.mine).toContainText('/tool sort_list');
  await expect(chat.replies).toContainText('pear\nfig\napple: red');
  await expect(chat.message).toHaveValue('');
  await expect(chat.message).toBeFocused();
});

test('the palette finds tools, the mouse chooses one, and a form that is given up leaves what was written', async ({
  page,
  service,
  chat,
}) => {
  await chat.open(service.pageUrl);
  await chat.message.fill('a draft');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Command palette' }).fill('roman hash');
  await expect(page.getByRole('group', { name: 'Tools' })).toHaveCount(0);
  await page.getByRole('combobox', { name: 'Command palette' }).fill('hash');
  await page.getByRole('group', { name: 'Tools' }).getByRole('option', { name: 'Hash a text' }).click();
  const form = page.getByRole('dialog', { name: 'Hash a text' });
  await expect(form).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(form).toBeHidden();
  await expect(chat.message).toHaveValue('a draft');
  await chat.message.fill('/none of this');
  await expect(page.getByRole('listbox', { name: 'Tools' })).toHaveCount(0);
  await chat.message.fill('/zzz');
  await expect(page.getByText('No prompt or tool matches “zzz”.')).toBeVisible();
  await chat.message.fill('/uuid');
  await page.getByRole('listbox', { name: 'Tools' }).getByRole('option').first().click();
  await page.getByRole('dialog', { name: 'Generate UUIDs' }).getByLabel('Count').fill('two');
  await page.keyboard.press('Enter');
  await expect(page.getByText('A whole number from 1 to 100.')).toBeVisible();
  await page.getByRole('dialog').getByLabel('Count').fill('2');
  await page.keyboard.press('Enter');
  await expect(chat.mine).toContainText('count: 2');
  await expect(chat.replies).toContainText(/[0-9a-f-]{36}\s+[0-9a-f-]{36}/);
});

test('the list of tools keeps out of the way: of paths, of a draft that is found again, of whoever looks elsewhere', async ({
  page,
  service,
  chat,
}) => {
  const options = page.getByRole('listbox', { name: 'Tools' }).getByRole('option');
  await chat.open(service.pageUrl);
  await chat.message.fill('/etc/hosts');
  await expect(page.getByText('No tool matches')).toHaveCount(0);
  await chat.message.fill('/');
  await expect(options.first()).toBeVisible();
  await page.getByRole('heading', { level: 1 }).click();
  await expect(options).toHaveCount(0);
  await chat.message.press('End');
  await chat.message.pressSequentially('so');
  await expect(options.first()).toContainText('Sort a list');
  // A press on the list that chooses nothing leaves the focus, and the list, where they are.
  await page.getByRole('listbox', { name: 'Tools' }).click({ position: { x: 2, y: 40 } });
  await expect(chat.message).toBeFocused();
  await expect(options.first()).toBeVisible();
  await page.reload();
  await expect(chat.message).toHaveValue('/so');
  await expect(page.getByRole('listbox', { name: 'Tools' })).toHaveCount(0);
});

test('a form that is given up leaves the slash as good as new, and takes no file that did not go into it', async ({
  page,
  service,
  chat,
}) => {
  await chat.open(service.pageUrl);
  await chat.choose('Hash a text');
  await page.getByRole('dialog', { name: 'Hash a text' }).getByRole('button', { name: 'Cancel' }).click();
  await expect(chat.message).toBeFocused();
  await chat.message.pressSequentially('/');
  const options = page.getByRole('listbox', { name: 'Tools' }).getByRole('option');
  await expect(options.first()).toBeVisible();
  await chat.message.fill('');
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Attach files' }).click(),
  ]);
  await chooser.setFiles({ name: 'kept.txt', mimeType: 'text/plain', buffer: Buffer.from('keep me\n') });
  await expect(page.getByText('kept.txt')).toBeVisible();
  await chat.message.fill('/uuid');
  await options.first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
  await expect(chat.mine).toContainText('/tool generate_uuid');
  await expect(chat.message).toHaveValue('');
  await expect(page.getByRole('list', { name: 'Attached files' })).toContainText('kept.txt');
});
