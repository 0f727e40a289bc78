/** The page in a window of the desktop app, as far as the page goes: its main process is stood in for. */
import type { Workspace } from '../../shared/api/workspace.ts';
import { giveBridge } from './support/bridge.ts';
import { expect, OWN_PROCESS, test } from './support/test.ts';

test('the window signs in by itself, and keeps nothing of its session', async ({ page, service, chat }) => {
  await giveBridge(page, service);
  await chat.open(`${service.baseUrl}/`);
  await chat.say('What is 2 + 3?');
  await expect(chat.replies).toContainText('5');
  expect(await page.evaluate(() => Object.keys(sessionStorage))).toEqual([]);
  await page.reload();
  await expect(chat.replies).toContainText('5');
  await page.keyboard.press('Control+,');
  await expect(page.getByRole('heading', { name: 'Appearance' })).toBeVisible();
});

test(
  'a session that the service has forgotten is followed by another, without a word',
  OWN_PROCESS,
  async ({ page, service, chat, watch }) => {
    watch.expected.push(/401|ERR_|Failed to load/);
    await giveBridge(page, service);
    await chat.open(`${service.baseUrl}/`);
    await chat.message.fill('What is 2 + 3?');
    await service.restart();
    await chat.message.press('Enter');
    await expect(chat.replies).toContainText('5');
  },
);

test('without a service the window says so, and goes on when there is one', async ({
  page,
  service,
  chat,
}) => {
  const bridge = await giveBridge(page, service);
  bridge.setRunning(false);
  await page.goto(`${service.baseUrl}/`);
  await expect(page.getByRole('heading', { name: 'can’t be reached' })).toBeVisible();
  bridge.setRunning(true);
  await expect(chat.message).toBeVisible();
});

test('the last workspace is opened again', async ({ page, service, chat }) => {
  await service.call<Workspace>('POST', '/api/v1/workspaces', { name: 'Garden' });
  await giveBridge(page, service);
  await chat.open(`${service.baseUrl}/`);
  await chat.choose('Garden');
  await expect(page.getByRole('button', { name: /Workspace.*Garden/ })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('button', { name: /Workspace.*Garden/ })).toBeVisible();
});

test('what can be done is told whenever it changes, and only then', async ({ page, service, chat }) => {
  const bridge = await giveBridge(page, service);
  await chat.open(`${service.baseUrl}/`);
  const offered = async (id: string): Promise<unknown> =>
    (await bridge.said()).offers.at(-1)?.find((command) => command.id === id);
  await expect
    .poll(() => offered('chat.new'))
    .toEqual({ id: 'chat.new', label: 'New chat', group: 'go', shortcut: 'mod+shift+o' });
  expect(await offered('chat.rename')).toBeUndefined();
  await chat.say('What is 2 + 3?');
  await expect(chat.replies).toContainText('5');
  await expect.poll(() => offered('chat.rename')).toMatchObject({ shortcut: 'f2' });
  const { offers } = await bridge.said();
  for (const [index, offer] of offers.slice(1).entries()) expect(offer).not.toEqual(offers[index]);
});

test('a command is done as the palette would, also while the settings or a dialog are open', async ({
  page,
  service,
  chat,
}) => {
  const bridge = await giveBridge(page, service);
  await chat.open(`${service.baseUrl}/`);
  await bridge.order({ type: 'run', commandId: 'settings.api' });
  await expect(page.getByRole('heading', { name: 'API access' })).toBeVisible();
  await page.getByRole('button', { name: 'New key…' }).click();
  await expect(page.getByRole('dialog', { name: 'New key' })).toBeVisible();
  await bridge.order({ type: 'run', commandId: 'help.open' });
  await expect(page.getByRole('dialog', { name: 'New key' })).toBeHidden();
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await bridge.order({ type: 'run', commandId: 'chat.new' });
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(chat.message).toBeFocused();
  await bridge.order({ type: 'run', commandId: 'no.such' });
  await bridge.order({ type: 'run', commandId: 'palette.open' });
  await expect(page.getByRole('dialog', { name: 'Command palette' })).toBeVisible();
});

test('an order waits for a key that would be lost', async ({ page, service, chat }) => {
  const bridge = await giveBridge(page, service);
  await page.goto(`${service.baseUrl}/#/settings/api`);
  await page.getByRole('button', { name: 'New key…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Script');
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Key “Script”' });
  await expect(dialog).toBeVisible();
  await bridge.order({ type: 'open_chat', chatId: null, workspaceId: null });
  await expect(dialog.getByRole('alert')).toContainText('haven’t copied the key');
  await dialog.getByRole('button', { name: 'Close without copying' }).click();
  await expect(chat.message).toBeFocused();
});

test('a chat is opened where it is, in another workspace and before anybody has signed in', async ({
  page,
  service,
  chat,
}) => {
  const first = await service.createChat();
  await service.send(first.id, 'What is 2 + 3?');
  const { workspaces } = await service.call<{ workspaces: Workspace[] }>('GET', '/api/v1/workspaces');
  await service.call<Workspace>('POST', '/api/v1/workspaces', { name: 'Garden' });
  const bridge = await giveBridge(page, service);
  bridge.setRunning(false);
  await page.goto(`${service.baseUrl}/`);
  await bridge.order({ type: 'open_chat', chatId: first.id, workspaceId: null });
  bridge.setRunning(true);
  await expect(chat.replies).toContainText('5');

  await chat.choose('Garden');
  await expect(page.getByRole('button', { name: /Workspace.*Garden/ })).toBeVisible();
  await page.goto(`${service.baseUrl}/#/settings/about`);
  // The command is meant for that chat, although the page knows nothing of it yet.
  await page.route('**/api/v1/chats**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await route.continue();
  });
  await bridge.order({ type: 'open_chat', chatId: first.id, workspaceId: workspaces[0]?.id ?? '' });
  await bridge.order({ type: 'run', commandId: 'chat.rename' });
  await expect(chat.replies).toContainText('5');
  await expect(page.getByRole('textbox', { name: 'Title' })).toBeFocused();
  await bridge.order({ type: 'open_chat', chatId: null, workspaceId: null });
  await expect(chat.message).toBeFocused();
  await expect(chat.replies).toHaveCount(0);
});

test('a text for a new chat is put before what stands there, and never sent', async ({
  page,
  service,
  chat,
}) => {
  const bridge = await giveBridge(page, service);
  await chat.open(`${service.baseUrl}/`);
  await chat.message.fill('already here');
  await page.keyboard.press('Control+,');
  await bridge.order({ type: 'compose', text: 'from elsewhere' });
  await expect(chat.message).toHaveValue('from elsewhere\n\nalready here');
  await expect(chat.message).toBeFocused();
  await bridge.order({ type: 'compose', text: 'and more' });
  await expect(chat.message).toHaveValue('and more\n\nfrom elsewhere\n\nalready here');
  await page.reload();
  await expect(chat.message).toHaveValue('and more\n\nfrom elsewhere\n\nalready here');
  await expect(chat.mine).toHaveCount(0);
});

test('a text that comes with the start does not take the place of a draft that only the service has', async ({
  page,
  service,
  chat,
}) => {
  const { workspaces } = await service.call<{ workspaces: Workspace[] }>('GET', '/api/v1/workspaces');
  expect(workspaces).toHaveLength(1);
  await service.call('PUT', '/api/v1/drafts/new', { text: 'kept', updatedAt: new Date().toISOString() });
  const bridge = await giveBridge(page, service);
  bridge.setRunning(false);
  await page.goto(`${service.baseUrl}/`);
  await bridge.order({ type: 'compose', text: 'from elsewhere' });
  bridge.setRunning(true);
  await expect(chat.message).toHaveValue('from elsewhere\n\nkept');
});
