import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from './support/desktop.ts';

test('a folder for tools is chosen in the system’s dialog, over the main window', async ({
  launch,
  folder,
}) => {
  const notes = join(folder, 'Notes');
  await mkdir(notes);
  const desktop = await launch({
    answers: {
      'dialog.showOpenDialog': [
        { canceled: true, filePaths: [] },
        { canceled: false, filePaths: [notes] },
      ],
    },
  });
  const { page } = await desktop.chat();
  await page.evaluate(() => (location.hash = '#/settings/tools'));
  const choose = page.getByRole('button', { name: 'Choose folder…' });
  await choose.click();
  await expect(page.getByText('No folders are allowed yet')).toBeVisible();
  await expect(choose).toBeEnabled();
  await choose.click();
  await expect(page.getByRole('list', { name: 'Folders that tools may use' })).toContainText(notes);
});
