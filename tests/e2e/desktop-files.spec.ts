/** Files in the desktop app's window, and folders that tools may use. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pdfOf } from '../support/documents.ts';
import { expect, test } from './support/desktop.ts';

test('a PDF shows its pages in the window; a folder for tools is chosen in the system’s dialog, over it', async ({
  launch,
  folder,
}) => {
  const desktop = await launch();
  // Older versions of Chromium hold the viewer's own styles to the page's policy: https://crbug.com/271452.
  desktop.expected.push(/Refused to apply inline style/);
  const { page, message, mine } = await desktop.chat();
  const buffer = pdfOf([['Chairs, 12 pieces'], ['Delivery in May']]);
  await page
    .locator('form input[type=file]')
    .last()
    .setInputFiles({ name: 'offer.pdf', mimeType: 'application/pdf', buffer });
  await expect(page.getByRole('button', { name: /^Open offer\.pdf/ })).toBeVisible();
  await message.fill('See here');
  await message.press('Enter');
  await mine.getByRole('button', { name: /^Open offer\.pdf/ }).click();
  const address = await page.getByRole('dialog').locator('iframe').getAttribute('src');
  // Chromium's viewer is an extension, in which a frame that no page can reach holds the file.
  const frames = (): Promise<string[]> =>
    desktop.evaluate(({ BrowserWindow }) =>
      (BrowserWindow.getAllWindows()[0]?.webContents.mainFrame.framesInSubtree ?? [])
        .slice(1)
        .map(({ url }) => url),
    );
  await expect
    .poll(frames)
    .toEqual([address, expect.stringMatching(/^chrome-extension:.*index\.html$/), address]);
  await page.keyboard.press('Escape');

  const notes = join(folder, 'Notes');
  await mkdir(notes);
  await desktop.answer('dialog.showOpenDialog', { canceled: true, filePaths: [] });
  await desktop.answer('dialog.showOpenDialog', { canceled: false, filePaths: [notes] });
  await page.evaluate(() => (location.hash = '#/settings/tools'));
  const choose = page.getByRole('button', { name: 'Choose folder…' });
  await choose.click();
  await expect(page.getByText('No folders are allowed yet')).toBeVisible();
  await expect(choose).toBeEnabled();
  await choose.click();
  await expect(page.getByRole('list', { name: 'Folders that tools may use' })).toContainText(notes);
});
