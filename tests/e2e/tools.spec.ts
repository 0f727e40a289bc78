import { mkdir, mkdtemp, realpath, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { AllowedFolder, FolderList } from '../../shared/api/folder.ts';
import type { SettingsAnswer } from '../../shared/api/settings.ts';
import { axe } from './support/axe.ts';
import { giveBridge } from './support/bridge.ts';
import type { TestService } from './support/service.ts';
import { expect, test as base } from './support/test.ts';

const test = base.extend<{ root: string }>({
  root: async ({ page: _page }, use) => {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'parley-e2e-folders-')));
    await use(root);
    await rm(root, { recursive: true, force: true });
  },
});

const allowed = async (service: TestService): Promise<AllowedFolder[]> =>
  (await service.call<FolderList>('GET', '/api/v1/folders')).folders;
const items = (page: Page) =>
  page.getByRole('list', { name: 'Folders that tools may use' }).getByRole('listitem');
const path = (page: Page) => page.getByRole('textbox', { name: 'Folder path' });

async function folder(root: string, name: string): Promise<string> {
  const full = join(root, name);
  await mkdir(full, { recursive: true });
  return full;
}

async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await axe(page).analyze();
  expect(violations.map(({ id, nodes }) => ({ id, at: nodes.map(({ html }) => html) }))).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
}

test.beforeEach(async ({ chat, service, page }) => {
  await chat.open(service.pageUrl);
  await page.evaluate(() => (location.hash = '#/settings/tools'));
});

test('a folder is allowed by its path, taken off the list, and brought back', async ({
  page,
  service,
  root,
}) => {
  const notes = await folder(root, 'Notes');
  await expect(page.getByText('No folders are allowed yet')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Choose folder…' })).toHaveCount(0);
  await path(page).fill(` ${notes}/ `);
  await path(page).press('Enter');
  await expect(items(page)).toContainText(['Notes']);
  await expect(items(page).first()).toContainText(notes);
  await expect(page.getByText('Tools can use “Notes” from your next message.')).toBeVisible();
  await expect(path(page)).toHaveValue('');
  expect(await allowed(service)).toMatchObject([{ name: 'Notes', path: notes, available: true }]);

  await page.getByRole('button', { name: 'Stop allowing “Notes”' }).click();
  await expect(items(page)).toHaveCount(0);
  await expect(path(page)).toBeFocused();
  expect(await allowed(service)).toEqual([]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(items(page)).toHaveCount(1);
  expect(await allowed(service)).toMatchObject([{ path: notes }]);
});

test('what can not be allowed is refused in words, and stays to be mended', async ({ page, root, watch }) => {
  watch.expected.push(/400 \(Bad Request\)/);
  await path(page).fill(join(root, 'none'));
  await page.getByRole('button', { name: 'Allow', exact: true }).click();
  await expect(page.getByText('There is no folder at')).toBeVisible();
  await expect(path(page)).toHaveValue(join(root, 'none'));
  await path(page).fill('/');
  await path(page).press('Enter');
  await expect(page.getByText('A whole drive or file system can’t be allowed')).toBeVisible();
  await expect(items(page)).toHaveCount(0);
});

test('a folder that has gone is shown as gone, and is there again when it is back', async ({
  page,
  root,
}) => {
  const notes = await folder(root, 'Notes');
  await path(page).fill(notes);
  await path(page).press('Enter');
  await expect(items(page)).toHaveCount(1);
  await rename(notes, join(root, 'elsewhere'));
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(items(page)).toContainText(['This folder is missing']);
  await rename(join(root, 'elsewhere'), notes);
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(page.getByText('This folder is missing')).toHaveCount(0);
});

test('fetching web pages is off until it is switched on', async ({ page, service }) => {
  const webFetch = async (): Promise<boolean> =>
    (await service.call<SettingsAnswer>('GET', '/api/v1/settings')).settings.webFetch;
  const fetching = page.getByRole('switch', { name: 'Fetch web pages' });
  await expect(fetching).not.toBeChecked();
  await fetching.check();
  await expect.poll(webFetch).toBe(true);
  await fetching.uncheck();
  await expect.poll(webFetch).toBe(false);
});

test('the page can be used by everybody, narrow and dark, with long paths', async ({
  page,
  service,
  root,
}) => {
  const long = await folder(root, `${'a very long name of a folder '.repeat(6)}/${'x'.repeat(120)}`);
  await service.call('POST', '/api/v1/folders', { path: long });
  const gone = await folder(root, 'Gone');
  await service.call('POST', '/api/v1/folders', { path: gone });
  await rm(gone, { recursive: true });
  await page.reload();
  await expect(items(page)).toHaveCount(2);
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
});

test('in the desktop app a folder is chosen in the system’s dialog', async ({
  page,
  service,
  root,
  watch,
}) => {
  watch.expected.push(/409 \(Conflict\)/);
  const bridge = await giveBridge(page, service);
  await page.goto(`${service.baseUrl}/#/settings/tools`);
  await page.reload();
  const choose = page.getByRole('button', { name: 'Choose folder…' });
  await choose.click();
  await expect(choose).toBeEnabled();
  await expect(items(page)).toHaveCount(0);
  bridge.setFolder(await folder(root, 'Letters'));
  await choose.click();
  await expect(items(page)).toContainText(['Letters']);
  await choose.click();
  await expect(page.getByText('That folder is already allowed, as “Letters”.')).toBeVisible();
  await page.setViewportSize({ width: 360, height: 740 });
  await expectAccessible(page);
});
