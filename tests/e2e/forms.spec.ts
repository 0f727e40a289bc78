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
  await chat.message.pressSequentially('/sort');
  await expect(options.first()).toContainText('Sort list');
  await chat.message.press('Enter');
  const form = page.getByRole('dialog', { name: 'Sort list' });
  await expect(form.getByLabel('Items', { exact: true })).toBeFocused();
  expect((await axe(page).analyze()).violations).toEqual([]);
  await form.getByRole('button', { name: 'Send' }).click();
  await expect(form.getByText('Fill this in.')).toBeVisible();
  await expect(form.getByLabel('Items', { exact: true })).toBeFocused();
  await page.keyboard.insertText('pear\napple: red\n\nfig');
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
  await page.getByRole('group', { name: 'Tools' }).getByRole('option', { name: 'Hash text' }).click();
  const form = page.getByRole('dialog', { name: 'Hash text' });
  await page.keyboard.press('Escape');
  await expect(form).toBeHidden();
  await expect(chat.message).toHaveValue('a draft');
  await chat.message.fill('/none of this');
  await expect(page.getByRole('listbox', { name: 'Tools' })).toHaveCount(0);
  await chat.message.fill('/zzz');
  await expect(page.getByText('No tool matches “zzz”.')).toBeVisible();
  await chat.message.fill('/uuid');
  await page.getByRole('listbox', { name: 'Tools' }).getByRole('option').first().click();
  await page.getByRole('dialog', { name: 'Generate uuid' }).getByLabel('Count').fill('two');
  await page.keyboard.press('Enter');
  await expect(page.getByText('A whole number from 1 to 100.')).toBeVisible();
  await page.getByRole('dialog').getByLabel('Count').fill('2');
  await page.keyboard.press('Enter');
  await expect(chat.mine).toContainText('count: 2');
  await expect(chat.replies).toContainText(/[0-9a-f-]{36}\s+[0-9a-f-]{36}/);
});
