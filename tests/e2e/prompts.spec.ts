import { axe } from './support/axe.ts';
import { expect, test } from './support/test.ts';

const openPrompts = '#/settings/prompts';

test('a prompt is written, and its placeholders are filled in where it is used', async ({
  page,
  chat,
  service,
}) => {
  await chat.open(service.pageUrl);
  await page.goto(`${service.baseUrl}/${openPrompts}`);
  await expect(page.getByText('There are no prompts yet.')).toBeVisible();
  await page.getByRole('button', { name: 'For example Summarise' }).click();
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Summarise');
  await expect(page.getByRole('textbox', { name: 'Text' })).toHaveValue(/\{\{text\}\}/);
  await page.getByRole('textbox', { name: 'Name' }).fill('Explain');
  await page.getByRole('textbox', { name: 'Text' }).fill('Explain {{topic}} to {{reader}}.');
  expect((await axe(page).analyze()).violations).toEqual([]);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', { name: 'Edit: Explain' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'For example' })).toBeHidden();
  const add = page.getByRole('button', { name: 'Add a prompt' });
  await expect(add).toBeFocused();
  // The second click is beside the dialog that the first one opened.
  await add.dblclick();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(add).toBeFocused();

  await page.goto(`${service.baseUrl}/#/`);
  await chat.message.pressSequentially('/expl');
  const found = page.getByRole('option', { selected: true });
  await expect(found).toContainText('Explain');
  await expect(found).toContainText('Prompt');
  await chat.message.press('Enter');
  const form = page.getByRole('dialog', { name: 'Explain' });
  await expect(form.getByRole('textbox', { name: 'topic' })).toBeFocused();
  await form.getByRole('textbox', { name: 'topic' }).fill('tides\nand {{reader}}');
  expect((await axe(page).analyze()).violations).toEqual([]);
  await form.getByRole('button', { name: 'Insert' }).click();
  // What was left empty stays to be seen.
  await expect(chat.message).toHaveValue('Explain tides\nand {{reader}} to {{reader}}.');
  await expect(chat.message).toBeFocused();
});

test('a prompt without placeholders goes into the box at once, after what stands there, also from the palette', async ({
  page,
  chat,
  service,
}) => {
  await service.call('POST', '/api/v1/prompts', { name: 'Be brief', text: 'Answer in one line.' });
  await chat.open(service.pageUrl);
  await chat.message.fill('What is a quine?');
  await chat.choose('Prompt: Be brief');
  await expect(chat.message).toHaveValue('What is a quine?\n\nAnswer in one line.');
  await expect(chat.message).toBeFocused();
  await chat.message.fill('');
  await chat.message.pressSequentially('/brief');
  await expect(page.getByRole('option', { selected: true })).toContainText('Be brief');
  await chat.message.press('Enter');
  await expect(chat.message).toHaveValue('Answer in one line.');
  await expect(page.getByRole('listbox')).toHaveCount(0);
});

test('a prompt is changed and deleted in the settings, and a deletion can be undone', async ({
  page,
  chat,
  service,
}) => {
  await service.call('POST', '/api/v1/prompts', { name: 'Old', text: 'Text' });
  await chat.open(service.pageUrl);
  await page.goto(`${service.baseUrl}/${openPrompts}`);
  await page.getByRole('button', { name: 'Edit: Old' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('New');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Delete: New' }).click();
  await expect(page.getByText('There are no prompts yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('heading', { name: 'New' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'New' })).toBeVisible();
});
