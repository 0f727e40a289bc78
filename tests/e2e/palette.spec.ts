import type { Locator } from '@playwright/test';
import { expect, test } from './support/test.ts';

test.use({ directed: true });

test('the palette finds commands and chats by a few letters and runs them', async ({
  page,
  service,
  chat,
}) => {
  for (const title of ['Trip to Rome', 'Shopping']) {
    const { id } = await service.createChat();
    await service.send(id, title);
  }
  await chat.open(service.pageUrl);
  await expect(chat.chats.getByRole('link')).toHaveCount(2);
  await chat.message.fill('a draft');
  await page.keyboard.press('Control+k');
  const box = page.getByRole('combobox', { name: 'Command palette' });
  await expect(box).toBeFocused();
  const options = page.getByRole('listbox').getByRole('option');
  await expect(page.getByRole('group', { name: 'Chats' }).getByRole('option')).toHaveCount(2);
  await expect(options.first()).toHaveAttribute('aria-selected', 'true');
  await box.fill('rome');
  await expect(options.first()).toContainText('Trip to Rome');
  await expect(box).toHaveAttribute(
    'aria-activedescendant',
    (await options.first().getAttribute('id')) ?? 'none',
  );
  await box.press('Enter');
  await expect(chat.replies).toContainText('Re: Trip to Rome');
  await page.keyboard.press('Control+k');
  await box.fill('remove');
  await expect(options.first()).toContainText('Delete chat');
  await box.press('Enter');
  await expect(page.getByRole('status', { name: 'Notices' })).toContainText('Deleted “Trip to Rome”.');
  await expect(chat.message).toHaveValue('a draft');
  await page.keyboard.press('Control+k');
  await box.fill('shopping');
  await box.press('ArrowDown');
  await expect(options.last()).toHaveAttribute('aria-selected', 'true');
  await box.press('ArrowDown');
  await expect(options.first()).toHaveAttribute('aria-selected', 'true');
  await box.press('ArrowUp');
  await box.press('Enter');
  await expect(page.getByRole('searchbox', { name: 'Search messages' })).toHaveValue('shopping');
  await expect(page.getByRole('region', { name: 'Search results' }).getByRole('link').first()).toBeVisible();
});

test('a selection that is let go of beside the palette keeps it open, a click there closes it', async ({
  page,
  service,
  chat,
}) => {
  await chat.open(service.pageUrl);
  await page.keyboard.press('Control+k');
  const box = page.getByRole('combobox', { name: 'Command palette' });
  await box.fill('some words');
  await box.hover();
  await page.mouse.down();
  await page.mouse.move(5, 5, { steps: 3 });
  await page.mouse.up();
  await expect(box).toBeVisible();
  await page.mouse.click(5, 5);
  await expect(box).toHaveCount(0);
});

test('Escape closes the palette and gives the focus back', async ({ page, service, chat }) => {
  await chat.open(service.pageUrl);
  await chat.message.focus();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('combobox')).toHaveCount(0);
  await expect(chat.message).toBeFocused();
  await page.keyboard.press('Control+k');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox')).toHaveCount(0);
});

test('the theme is chosen in the palette', async ({ page, service, chat }) => {
  await chat.open(service.pageUrl);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('dark');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect
    .poll(
      async () =>
        (await service.call<{ settings: { theme: string } }>('GET', '/api/v1/settings')).settings.theme,
    )
    .toBe('dark');
});

test('the sheet of shortcuts opens with ? where no text is typed', async ({ page, service, chat }) => {
  await chat.open(service.pageUrl);
  await chat.message.fill('what');
  await chat.message.press('?');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await chat.log.focus();
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(sheet).toContainText('New chat');
  await expect(sheet.getByRole('heading', { name: 'Getting around' })).toBeVisible();
  // It scrolls by the arrow keys.
  await expect(sheet.getByRole('group')).toBeFocused();
  // What the composer offers is there too, also after another chat was opened.
  await page.keyboard.press('Escape');
  await chat.say('Hello');
  await expect(chat.replies).toContainText('Re: Hello');
  await page.keyboard.press('Control+Shift+O');
  await expect(page.getByRole('heading', { name: 'What can I do for you?' })).toBeVisible();
  await chat.chats.getByRole('link').first().click();
  await expect(chat.replies).toContainText('Re: Hello');
  await chat.log.focus();
  await page.keyboard.press('?');
  await expect(sheet).toContainText('Stop the reply');
  // So are keys that aren't commands.
  const keysOf = (label: string): Locator =>
    sheet
      .locator('dl > div')
      .filter({ has: page.getByText(label, { exact: true }) })
      .getByRole('definition');
  await expect(keysOf('Send')).toContainText('Enter');
  await expect(keysOf('Edit the last message (in an empty box)')).toHaveText('↑');
  await expect(keysOf('Select chats')).toContainText('Click');
  await expect(keysOf('Delete')).toHaveText('Delete');
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
});

test('Alt with the arrows walks through the chats', async ({ page, service, chat }) => {
  for (const title of ['Older', 'Newer']) {
    const { id } = await service.createChat();
    await service.send(id, title);
    await expect.poll(async () => (await service.messages(id)).length).toBe(2);
  }
  await chat.open(service.pageUrl);
  await expect(chat.chats.getByRole('link')).toHaveCount(2);
  await page.keyboard.press('Alt+ArrowDown');
  await expect(chat.replies).toContainText('Re: Newer');
  await page.keyboard.press('Alt+ArrowDown');
  await expect(chat.replies).toContainText('Re: Older');
  await page.keyboard.press('Alt+ArrowUp');
  await expect(chat.replies).toContainText('Re: Newer');
});

test('by keyboard alone: to a reply, through the list, its menu and the settings, and back', async ({
  page,
  service,
  chat,
}) => {
  await chat.open(service.pageUrl);
  await page.keyboard.type('Hello there');
  await page.keyboard.press('Enter');
  await expect(chat.replies).toContainText('Re: Hello there');
  await page.keyboard.press('Control+Shift+O');
  await expect(page.getByRole('heading', { name: 'What can I do for you?' })).toBeVisible();
  await expect(chat.message).toBeFocused();
  await page.keyboard.press('Control+Shift+F');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'New project…' })).toBeFocused();
  await page.keyboard.press('Tab');
  const line = chat.chats.getByRole('link', { name: /Hello there/ });
  await expect(line).toBeFocused();
  await page.keyboard.press('Shift+F10');
  await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeFocused();
  await page.keyboard.press('p');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('list', { name: 'Pinned' }).getByRole('link')).toBeVisible();
  await line.focus();
  await page.keyboard.press('Tab');
  await expect(
    page.getByRole('list', { name: 'Pinned' }).getByRole('button', { name: 'Options' }),
  ).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await expect(
    page.getByRole('list', { name: 'Pinned' }).getByRole('button', { name: 'Options' }),
  ).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(chat.replies).toContainText('Re: Hello there');
  await chat.message.focus();
  await page.keyboard.press('Control+,');
  await expect(page).toHaveURL(/#\/settings\/appearance/);
  // The message box is gone.
  const sections = page.getByRole('navigation', { name: 'Sections' });
  await expect(sections.getByRole('link', { name: 'Appearance' })).toBeFocused();
  await page.getByRole('radio', { name: 'Large' }).focus();
  await chat.choose('Settings: Data');
  await expect(sections.getByRole('link', { name: 'Data' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(chat.replies).toContainText('Re: Hello there');
  await expect(chat.message).toBeFocused();
});

test('Ctrl+B hides the list and shows it again', async ({ page, service, chat }) => {
  await chat.open(service.pageUrl);
  await page.keyboard.press('Control+b');
  await expect(page.getByRole('searchbox')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Show chats' })).toBeFocused();
  await page.keyboard.press('Control+b');
  await expect(page.getByRole('searchbox')).toBeVisible();
});

test('jumping to the latest is offered while the end is out of view', async ({ page, service, chat }) => {
  const { id } = await service.createChat();
  await service.send(id, `say ${'A line of a long reply.\n\n'.repeat(80)}`);
  await expect.poll(async () => (await service.messages(id))[1]?.status).toBe('complete');
  await chat.open(service.pageUrl);
  await page.goto(`${service.baseUrl}/#/chats/${id}`);
  await expect(chat.replies).toContainText('long reply');
  const floating = page.getByRole('button', { name: 'Jump to latest' });
  const box = page.getByRole('combobox', { name: 'Command palette' });
  const option = page.getByRole('option', { name: 'Jump to latest' });
  const left = (): Promise<number> =>
    chat.log.evaluate((log) => log.scrollHeight - log.scrollTop - log.clientHeight);

  await page.keyboard.press('Control+k');
  await box.fill('latest');
  await expect(option).toHaveCount(0);
  await page.keyboard.press('Escape');

  await chat.log.hover();
  await page.mouse.wheel(0, -1_500);
  await expect(floating).toBeVisible();
  await page.keyboard.press('Control+k');
  await box.fill('latest');
  await option.click();
  await expect(floating).toBeHidden();
  await expect.poll(left).toBeLessThan(2);

  await chat.log.hover();
  await page.mouse.wheel(0, -1_500);
  await expect(floating).toBeVisible();
  // It covers no message, and so none of its actions, however wide the window is.
  for (const width of [1280, 400]) {
    await page.setViewportSize({ width, height: 800 });
    // The page follows the new width in its own time.
    await expect(async () => {
      const [button, log, reply] = [
        await floating.boundingBox(),
        await chat.log.boundingBox(),
        await chat.replies.first().boundingBox(),
      ];
      if (!button || !log || !reply) throw new Error('Something isn’t shown.');
      const isBeside = button.x >= reply.x + reply.width;
      expect(isBeside || button.y >= log.y + log.height, `at ${width} px`).toBe(true);
    }).toPass({ timeout: 5_000 });
  }
  const top = await chat.log.evaluate((log) => log.scrollTop);
  await floating.hover();
  await page.mouse.wheel(0, -200);
  await expect.poll(() => chat.log.evaluate((log) => log.scrollTop)).toBeLessThan(top);
  await chat.message.press('Alt+End');
  await expect(floating).toBeHidden();
  await expect.poll(left).toBeLessThan(2);
});
