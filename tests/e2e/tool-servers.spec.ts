import type { Locator, Page } from '@playwright/test';
import type { McpServer } from '../../shared/api/mcp.ts';
import { startHttpMcpServer, STDIO_MCP_SERVER } from '../support/mcp-server/index.ts';
import { axe } from './support/axe.ts';
import { ask } from './support/rehearse.ts';
import type { TestService } from './support/service.ts';
import { expect, test } from './support/test.ts';

const KEY = 'lamp-key-0123456789';
const [SCRIPT = ''] = STDIO_MCP_SERVER.args;
const LINE = `"${STDIO_MCP_SERVER.command}" "${SCRIPT}"`;

const openTools = async (page: Page, service: TestService): Promise<void> => {
  await page.goto(`${service.baseUrl}/#/settings/tools`);
  await expect(page.getByRole('heading', { level: 3, name: 'Tool servers' })).toBeVisible();
};
const serversOf = async (service: TestService): Promise<McpServer[]> =>
  (await service.call<{ servers: McpServer[] }>('GET', '/api/v1/mcp-servers')).servers;
const add = async (service: TestService, body: object): Promise<McpServer> =>
  (await service.call<{ server: McpServer }>('POST', '/api/v1/mcp-servers', body)).server;

test('a program is tested, added, and listed with its tools; its values are never shown again', async ({
  page,
  service,
  chat,
}) => {
  await chat.open(service.pageUrl);
  await openTools(page, service);
  await expect(page.getByText('No tool servers yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Add a tool server…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a tool server' });
  await expect(dialog.getByText('runs with your permissions')).toBeVisible();
  const command = dialog.getByRole('textbox', { name: 'Program and arguments' });
  await command.fill('no-such-lamp');
  await dialog.getByRole('button', { name: 'Test' }).click();
  await expect(dialog.getByText('The program was not found.')).toBeVisible();
  await command.fill(`${LINE} --ends-with "No bulb, and ${KEY}"`);
  await expect(dialog.getByText('Changed since the test.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Add a variable' }).click();
  await dialog.getByRole('textbox', { name: 'Name of the variable' }).fill('LAMP_KEY');
  const value = dialog.getByLabel('Value of LAMP_KEY');
  await expect(value).toHaveAttribute('type', 'password');
  await value.fill(KEY);
  await dialog.getByRole('button', { name: 'Test' }).click();
  await expect(dialog.getByText('It stopped right away.')).toBeVisible();
  await expect(dialog.getByText('No bulb, and …')).toBeVisible();
  await command.fill(LINE);
  await dialog.getByRole('button', { name: 'Test' }).click();
  await expect(dialog.getByText('It works.')).toBeVisible();
  await expect(dialog.getByRole('region', { name: /^It offers \d+ tools$/ })).toContainText('write_counter');
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Lamp');
  await dialog.getByRole('checkbox', { name: 'Writer' }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();

  const item = page.getByRole('list', { name: 'Tool servers' }).getByRole('listitem').first();
  await expect(item).toContainText('Connected');
  await expect(item).toContainText('For Assistant, Writer');
  await expect(item).toContainText('Variables: LAMP_KEY');
  await item.getByText(/^\d+ tools$/).click();
  await expect(item.getByRole('region', { name: 'Tools of “Lamp”' })).toContainText('echo');
  await page.getByRole('button', { name: 'Edit “Lamp”…' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit “Lamp”' });
  await expect(edit.getByLabel('Value of LAMP_KEY')).toHaveValue('');
  expect(await page.content()).not.toContain(KEY);
  await edit.getByRole('button', { name: 'Remove LAMP_KEY' }).click();
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(item).not.toContainText('LAMP_KEY');
  expect(await serversOf(service)).toMatchObject([{ agents: ['orchestrator', 'writer'], secretNames: [] }]);
});

test('the warning before closing goes when one goes on, and a save that fails says why', async ({
  page,
  service,
  chat,
  watch,
}) => {
  watch.expected.push(/507/);
  await chat.open(service.pageUrl);
  await openTools(page, service);
  await page.route('**/api/v1/mcp-servers', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({
          status: 507,
          json: { error: { code: 'storage_full', message: 'The disk is full.' } },
        })
      : route.continue(),
  );
  await page.getByRole('button', { name: 'Add a tool server…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a tool server' });
  const command = dialog.getByRole('textbox', { name: 'Program and arguments' });
  const alert = dialog.getByRole('alert');
  await command.fill('lamp');
  await page.keyboard.press('Escape');
  await expect(alert).toContainText('are not saved');
  await command.fill('lamp --on');
  await expect(alert).toBeHidden();
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(alert).toContainText('The disk is full.');
  await page.keyboard.press('Escape');
  await expect(alert).toContainText('are not saved');
  await expect(command).toHaveValue('lamp --on');
});

test('a snippet fills the form in, and one with several servers is chosen from', async ({
  page,
  service,
  chat,
}) => {
  const lamp = await startHttpMcpServer({ header: { name: 'x-key', value: KEY } });
  await chat.open(service.pageUrl);
  await openTools(page, service);
  await page.getByRole('button', { name: 'Add a tool server…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a tool server' });
  await dialog.getByText('Fill in from a snippet').click();
  const snippet = dialog.getByRole('textbox', { name: 'Fill in from a snippet' });
  await snippet.fill('a lamp');
  await expect(dialog.getByText('No tool server found')).toBeVisible();
  await snippet.fill('$ ROOM=cellar npx -y lamp');
  await expect(dialog.getByRole('textbox', { name: 'Program and arguments' })).toHaveValue('npx -y lamp');
  await expect(dialog.getByLabel('Value of ROOM')).toHaveValue('cellar');
  const far = { url: lamp.url, headers: { 'x-key': KEY } };
  const files = { command: 'npx', args: ['-y', 'files', 'My notes'], env: { ROOM: 'attic' } };
  await snippet.fill(JSON.stringify({ mcpServers: { far, files } }, null, 2));
  await dialog.getByRole('button', { name: 'files' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Program and arguments' })).toHaveValue(
    "npx -y files 'My notes'",
  );
  await expect(dialog.getByLabel('Value of ROOM')).toHaveValue('attic');
  await dialog.getByRole('button', { name: 'far' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Address' })).toHaveValue(lamp.url);
  await expect(dialog.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('far');
  await dialog.getByLabel('Value of x-key').fill('another');
  await dialog.getByRole('button', { name: 'Test' }).click();
  await expect(dialog.getByText('The key was rejected.')).toBeVisible();
  await dialog.getByLabel('Value of x-key').fill(KEY);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('list', { name: 'Tool servers' })).toContainText('Headers: x-key');
  await lamp.close();
});

test('one is switched off and on, tested from the list, and removed', async ({ page, service, chat }) => {
  await add(service, { name: 'Lamp', transport: 'stdio', ...STDIO_MCP_SERVER });
  await chat.open(service.pageUrl);
  await openTools(page, service);
  const item = page.getByRole('list', { name: 'Tool servers' }).getByRole('listitem').first();
  const turn = item.getByRole('switch', { name: 'Lamp' });
  await expect(turn).toBeChecked();
  await turn.click();
  await expect(turn).not.toBeChecked();
  await expect(item).toContainText('Off');
  expect(await serversOf(service)).toMatchObject([{ enabled: false, state: 'off' }]);
  await turn.click();
  await expect(item).toContainText('Connected');
  await page.getByRole('button', { name: 'Test “Lamp”' }).click();
  await expect(page.getByText('“Lamp”: It works. It answers, and offers')).toBeVisible();
  await page.getByRole('button', { name: 'Remove “Lamp”…' }).click();
  await page
    .getByRole('dialog', { name: 'Remove “Lamp”?' })
    .getByRole('button', { name: 'Remove', exact: true })
    .click();
  await expect(page.getByText('No tool servers yet.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add a tool server…' })).toBeFocused();
  expect(await serversOf(service)).toEqual([]);
});

test('what is entered is not lost by accident, and values don’t move to another server', async ({
  page,
  service,
  chat,
}) => {
  const off = { name: 'Far', transport: 'http', url: 'http://127.0.0.1:9/mcp', enabled: false };
  await add(service, { ...off, headers: { 'x-key': KEY } });
  await chat.open(service.pageUrl);
  await openTools(page, service);
  await page.getByRole('button', { name: 'Edit “Far”…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit “Far”' });
  await dialog.getByRole('textbox', { name: 'Address' }).fill('http://127.0.0.1:10/mcp');
  await expect(dialog.getByText('The stored values belong to another server.')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await expect(dialog.getByText('Your changes are not saved.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Discard changes' }).click();
  await expect(dialog).toBeHidden();
});

test('the form and the list can be used by everybody', async ({ page, service, chat }) => {
  await add(service, { name: 'Lamp', transport: 'stdio', command: 'no-such-lamp', env: { LAMP_KEY: KEY } });
  await chat.open(service.pageUrl);
  await openTools(page, service);
  await expect(page.getByText('The program “no-such-lamp” was not found')).toBeVisible();
  expect((await axe(page).analyze()).violations).toEqual([]);
  await page.getByRole('button', { name: 'Edit “Lamp”…' }).click();
  await expect(page.getByRole('dialog', { name: 'Edit “Lamp”' })).toBeVisible();
  expect((await axe(page).analyze()).violations).toEqual([]);
});

test('what a tool gives besides words stands with its step: a picture is shown, also large, and every file is downloaded', async ({
  page,
  service,
  chat,
  watch,
}) => {
  await add(service, { name: 'Lamp', transport: 'stdio', ...STDIO_MCP_SERVER });
  const { once } = await ask(page, chat, service, '::tool lamp__picture {}', 'There it is.');
  await once.click();
  const step = page.getByRole('list', { name: 'Steps' }).locator('details').first();
  await expect(step).toContainText('3 files');
  await step.locator('summary').click();
  const files = step.getByRole('list', { name: 'Files' });
  const picture = files.getByRole('button', { name: 'Open image-1.png' });
  const width = (img: Locator) => img.evaluate((element: HTMLImageElement) => element.naturalWidth);
  await expect.poll(() => width(picture.locator('img'))).toBe(1);
  await expect(files.locator('img')).toHaveCount(1);
  await picture.click();
  const viewer = page.getByRole('dialog', { name: 'image-1.png' });
  await expect.poll(() => width(viewer.getByRole('img', { name: 'image-1.png' }))).toBe(1);
  expect((await axe(page).analyze()).violations.map(({ id: rule }) => rule)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(viewer).toBeHidden();
  await expect(picture).toBeFocused();
  const downloading = page.waitForEvent('download');
  await files.getByRole('button', { name: 'Download blob' }).click();
  expect((await downloading).suggestedFilename()).toMatch(/^blob/);
  const { violations } = await axe(page).include('details').analyze();
  expect(violations.map(({ id: rule }) => rule)).toEqual([]);

  watch.expected.push(/404/);
  await page.route('**/files/**', (route) =>
    route.fulfill({ status: 404, json: { error: { code: 'not_found', message: 'It is gone.' } } }),
  );
  await files.getByRole('button', { name: 'Download audio-2.wav' }).click();
  await expect(page.getByText('audio-2.wav could not be downloaded.')).toBeVisible();
});
