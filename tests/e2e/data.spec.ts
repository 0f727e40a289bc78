import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import type { ChatList } from '../../shared/api/chat.ts';
import type { ExportFile } from '../../shared/api/data.ts';
import type { SettingsAnswer } from '../../shared/api/settings.ts';
import { archiveOf, plainGptChat } from '../support/archives.ts';
import { startTestService, type TestService } from './support/service.ts';
import { expect, test } from './support/test.ts';

test.use({ directed: true });

/** A chat with a reply; resolves with its id. */
async function chatAbout(service: TestService, text: string): Promise<string> {
  const { id } = await service.createChat();
  await service.send(id, text);
  await expect
    .poll(
      async () =>
        (await service.call<{ chat: { status: string } }>('GET', `/api/v1/chats/${id}`)).chat.status,
    )
    .toBe('idle');
  return id;
}

async function openData(page: Page, service: TestService): Promise<void> {
  await page.goto(service.pageUrl);
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
  await page.goto(`${service.baseUrl}/#/settings/data`);
  await expect(page.getByRole('heading', { name: 'Data folder' })).toBeVisible();
}

const titles = async (service: TestService): Promise<string[]> =>
  (await service.call<ChatList>('GET', '/api/v1/chats?pageSize=100&archived=true')).data.map(
    ({ title }) => title,
  );

test('all chats, exported as JSON, are imported by another Parley as they were', async ({
  page,
  service,
  watch,
}) => {
  await chatAbout(service, 'The first chat');
  await chatAbout(service, 'The second chat');
  await openData(page, service);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export as JSON' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^Parley chats \d{4}-\d\d-\d\d\.json$/);
  await expect(page.getByText('The file was passed to your browser.')).toBeVisible();
  const path = await download.path();
  expect((JSON.parse(await readFile(path, 'utf8')) as ExportFile).chats).toHaveLength(2);

  const other = await startTestService();
  watch.expected.push(/./);
  try {
    await openData(page, other);
    await page.locator('input[type=file]').setInputFiles({
      name: 'chats.json',
      mimeType: 'application/json',
      buffer: await readFile(path),
    });
    await expect(page.getByText('2 chats imported.')).toBeVisible();
    expect(await titles(other)).toEqual(await titles(service));
    const listed = page.getByRole('list', { name: 'Chats', exact: true });
    await expect(listed.getByText('The second chat')).toBeVisible();
    await page.locator('input[type=file]').setInputFiles({
      name: 'chats.json',
      mimeType: 'application/json',
      buffer: await readFile(path),
    });
    await expect(page.getByText('Nothing to import: all 2 chats are already here.')).toBeVisible();
  } finally {
    // The page would look for its service once that is closed.
    await page.goto('about:blank');
    watch.strays.length = 0;
    await other.close();
  }
});

test('all chats, exported as Markdown, can be read', async ({ page, service }) => {
  await chatAbout(service, 'Something to read');
  await openData(page, service);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export as Markdown' }).click();
  const text = await readFile(await (await downloading).path(), 'utf8');
  expect(text).toContain('## Something to read');
  expect(text).toContain('**You**');
});

test('what was removed for good comes back from a backup', async ({ page, service }) => {
  const id = await chatAbout(service, 'Not to be lost');
  await openData(page, service);
  await expect(page.getByText('No backups yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Back up now' }).press('Enter');
  await expect(page.getByText('Backup created.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Back up now' })).toBeFocused();
  const backups = page.getByRole('list', { name: 'Backups' }).getByRole('listitem');
  await expect(backups).toHaveCount(1);

  await service.call('DELETE', `/api/v1/chats/${id}`);
  await page.reload();
  const deleted = page.getByRole('list', { name: 'Recently deleted chats' }).getByRole('listitem');
  await expect(deleted).toContainText(['Not to be lost']);
  await expect(deleted).toContainText(['30 days left']);
  await page.getByRole('button', { name: 'Delete for good: “Not to be lost”…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete “Not to be lost” for good?' });
  await expect(dialog).toContainText('can’t be undone');
  await expect(dialog).toContainText('Earlier backups and exports');
  await dialog.getByRole('button', { name: 'Delete for good' }).click();
  await expect(page.getByText('“Not to be lost” was deleted for good.')).toBeVisible();
  await expect(page.getByText('No recently deleted chats in this workspace.')).toBeFocused();
  expect(await titles(service)).toEqual([]);

  await backups.getByRole('button', { name: /^Restore the backup of/ }).click();
  const asking = page.getByRole('dialog', { name: 'Restore this backup?' });
  await expect(asking).toContainText('Nothing is removed or replaced');
  await asking.getByRole('button', { name: 'Restore' }).click();
  await expect(page.getByText(/^1 chat imported\./)).toBeVisible();
  expect(await titles(service)).toEqual(['Not to be lost']);
});

test('a backup comes back from a file, wherever it was kept', async ({ page, service }) => {
  const id = await chatAbout(service, 'Kept elsewhere');
  await openData(page, service);
  await page.getByRole('button', { name: 'Back up now' }).click();
  const backup = page.getByRole('list', { name: 'Backups' }).getByRole('listitem');
  const download = page.waitForEvent('download');
  await backup.getByRole('button', { name: /^Download the backup of/ }).click();
  const path = await (await download).path();
  await service.call('DELETE', `/api/v1/chats/${id}?permanent=true`);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Restore from a file…' }).click();
  await (
    await chooser
  ).setFiles({
    name: 'mine.json.gz',
    mimeType: 'application/gzip',
    buffer: await readFile(path),
  });
  const asking = page.getByRole('dialog', { name: 'Restore this backup?' });
  await expect(asking).toContainText('“mine.json.gz”');
  await asking.getByRole('button', { name: 'Restore', exact: true }).click();
  await expect(page.getByText('1 chat imported. In the workspace “Personal”.')).toBeVisible();
  expect(await titles(service)).toEqual(['Kept elsewhere']);
});

test('a backup can be downloaded and deleted', async ({ page, service }) => {
  await openData(page, service);
  await page.getByRole('button', { name: 'Back up now' }).click();
  const backup = page.getByRole('list', { name: 'Backups' }).getByRole('listitem');
  const downloading = page.waitForEvent('download');
  await backup.getByRole('button', { name: /^Download the backup of/ }).click();
  expect((await downloading).suggestedFilename()).toMatch(/^parley-.*\.json\.gz$/);
  await backup.getByRole('button', { name: /^Delete the backup of/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete backup' }).click();
  await expect(page.getByText('No backups yet.')).toBeVisible();
});

test('backups are made on a schedule that is set', async ({ page, service }) => {
  await openData(page, service);
  const keep = page.getByRole('textbox', { name: 'Scheduled backups to keep' });
  await expect(keep).toHaveCount(0);
  await page.getByRole('group', { name: 'Back up on a schedule' }).first().getByText('Daily').click();
  await expect(keep).toHaveValue('7');
  await keep.fill('0');
  await keep.press('Enter');
  await expect(page.getByText('Enter a number from 1 to 100.')).toBeVisible();
  await keep.fill('3');
  await keep.press('Enter');
  await expect
    .poll(async () => (await service.call<SettingsAnswer>('GET', '/api/v1/settings')).settings)
    .toMatchObject({ backupSchedule: 'daily', backupsToKeep: 3 });
});

test('a deleted chat is restored from the list', async ({ page, service }) => {
  const id = await chatAbout(service, 'Back again');
  await service.call('DELETE', `/api/v1/chats/${id}`);
  await openData(page, service);
  await page.getByRole('button', { name: 'Restore “Back again”' }).click();
  await expect(page.getByText('“Back again” was restored.')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Chats' }).getByText('Back again')).toBeVisible();
  expect(await titles(service)).toEqual(['Back again']);
});

test('deleted chats that were listed stay listed when they are loaded anew', async ({ page, service }) => {
  for (let count = 0; count < 105; count += 1) {
    const { id } = await service.createChat();
    await service.call('DELETE', `/api/v1/chats/${id}`);
  }
  await openData(page, service);
  const deleted = page.getByRole('list', { name: 'Recently deleted chats' }).getByRole('listitem');
  await expect(deleted).toHaveCount(100);
  await page.getByRole('button', { name: 'Show 5 more' }).press('Enter');
  await expect(deleted).toHaveCount(105);
  await deleted
    .first()
    .getByRole('button', { name: /^Restore/ })
    .press('Enter');
  await expect(deleted).toHaveCount(104);
  await expect(deleted.first().getByRole('button', { name: /^Restore/ })).toBeFocused();
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await page.waitForResponse((response) => response.url().includes('page=2'));
  await expect(deleted).toHaveCount(104);
  await page.getByRole('button', { name: 'Delete all…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete all 104 deleted chats for good?' });
  await dialog.getByRole('button', { name: 'Delete for good' }).click();
  await expect(page.getByText('104 chats were deleted for good.')).toBeVisible();
  await expect(page.getByText('No recently deleted chats in this workspace.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Delete all…' })).toHaveCount(0);
});

test('an archive of another app is shown first, and imported when asked to', async ({
  page,
  service,
  watch,
}) => {
  watch.expected.push(/400/);
  await openData(page, service);
  const chats = [
    plainGptChat('What is Rome?', 'A city.', { title: 'About Rome' }),
    plainGptChat('What is Paris?', 'A city.', { title: 'About Paris' }),
  ];
  const choose = (buffer: Buffer): Promise<void> =>
    page
      .locator('input[type=file]')
      .setInputFiles({ name: 'export.zip', mimeType: 'application/zip', buffer });
  const summary = page.getByRole('group', { name: 'What is in the file' });
  await choose(archiveOf(chats.slice(0, 1)));
  await expect(summary).toBeFocused();
  await expect(summary).toContainText('Export of ChatGPT');
  await summary.getByRole('button', { name: 'Cancel' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Choose a file…' })).toBeFocused();
  expect(await titles(service)).toEqual([]);

  await choose(archiveOf(chats.slice(0, 1)));
  await summary.getByRole('button', { name: 'Import 1 chat' }).click();
  await expect(page.getByText('1 chat imported.')).toBeVisible();
  await choose(archiveOf([...chats, { broken: true }]));
  await expect(summary).toContainText('1 is already here and will be skipped.');
  await expect(summary).toContainText('Chat 3: This is no chat of ChatGPT');
  await summary.getByRole('button', { name: 'Import 1 chat' }).click();
  await page.getByRole('list', { name: 'Imported chats' }).getByRole('link', { name: 'About Paris' }).click();
  await expect(page.getByText('What is Paris?')).toBeVisible();

  await page.goto(`${service.baseUrl}/#/settings/data`);
  await choose(archiveOf(chats));
  await expect(summary).toContainText('Nothing to import: all 2 chats are already here.');
  await choose(archiveOf(chats).subarray(0, 300));
  await expect(page.getByText('The archive is damaged or was cut off')).toBeVisible();
  await expect(summary).toHaveCount(0);
});

test('a file that is none of ours is refused in words, and one that is dropped is taken', async ({
  page,
  service,
  watch,
}) => {
  watch.expected.push(/400/);
  await openData(page, service);
  const choose = (name: string, text: string | Buffer): Promise<void> =>
    page
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) });
  await choose('mine.gz', gzipSync('{"format":"parley-backup","version":1,"workspaces":['));
  await expect(page.getByText('It is a backup, not an export.')).toBeVisible();
  for (const other of [gzipSync('[]'), '\u001f\u008b']) {
    await choose('backup.json.gz', other);
    await expect(page.getByText('It is neither JSON nor a ZIP archive.')).toBeVisible();
  }
  await choose('cut.json', '{"format":"parley-export","version":1,"chats":[');
  await expect(page.getByText('It is incomplete or damaged.')).toBeVisible();
  await choose('photo.json', 'not JSON at all');
  await expect(page.getByText('It is neither JSON nor a ZIP archive.')).toBeVisible();
  await choose('other.json', '{"conversations":[]}');
  await expect(page.getByText('This version of Parley can’t read this file')).toBeVisible();
  await choose(
    'damaged.json',
    '{"format":"parley-export","version":1,"exportedAt":"x","chats":[{"chat":1}]}',
  );
  await expect(
    page.getByText('Nothing was imported. 1 item could not be imported and was left out.'),
  ).toBeVisible();
  await expect(
    page.getByRole('list', { name: 'Problems found' }).getByText('Chat 1: This is no chat'),
  ).toBeVisible();

  await page.getByRole('group', { name: 'Import' }).evaluate((zone) => {
    const transfer = new DataTransfer();
    const text = '{"format":"parley-export","version":1,"exportedAt":"x","chats":[]}';
    transfer.items.add(new File([text], 'empty.json', { type: 'application/json' }));
    zone.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
  });
  await expect(page.getByText('The file contains no chats.')).toBeVisible();
});

test('a chat is exported from its menu', async ({ page, service }) => {
  const id = await chatAbout(service, 'A single chat');
  await page.goto(service.pageUrl);
  await page.goto(`${service.baseUrl}/#/chats/${id}`);
  await page.getByRole('main').getByRole('button', { name: 'Chat menu' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Export as Markdown' }).click();
  expect((await downloading).suggestedFilename()).toBe('A single chat.md');
});
