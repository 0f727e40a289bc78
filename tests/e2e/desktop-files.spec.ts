/** Files in the desktop app's window. */
import { pdfOf } from '../support/documents.ts';
import { expect, test } from './support/desktop.ts';

test('a PDF shows its pages in the window', async ({ launch }) => {
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
});
