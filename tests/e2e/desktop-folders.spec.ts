import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from './support/desktop.ts';

test('a folder for tools is chosen in the system’s dialog, over the main window', async ({ launch }) => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'parley-desktop-folders-')));
  try {
    const notes = join(root, 'Notes');
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
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});
