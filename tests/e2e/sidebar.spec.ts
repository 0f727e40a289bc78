import type { Locator, Page } from '@playwright/test';
import type { Chat } from '../../shared/api/chat.ts';
import type { ExportFile } from '../../shared/api/data.ts';
import type { Message } from '../../shared/api/message.ts';
import type { Project } from '../../shared/api/project.ts';
import type { Workspace } from '../../shared/api/workspace.ts';
import type { TestService } from './support/service.ts';
import { axe } from './support/axe.ts';
import { expect, OWN_PROCESS, test } from './support/test.ts';

test.use({ directed: true });

/** A chat whose title is its only message. */
async function makeChat(service: TestService, title: string): Promise<string> {
  const { id } = await service.createChat();
  await service.send(id, title);
  return id;
}

/** A chat that was last changed at that time. */
async function importOld(service: TestService, title: string, at: string): Promise<void> {
  const chat = { ...(await service.createChat()), id: 'old', title, createdAt: at, updatedAt: at };
  const message: Message = {
    id: 'm',
    role: 'user',
    mode: 'agent',
    status: 'complete',
    content: title,
    createdAt: at,
  };
  const file: ExportFile = {
    format: 'parley-export',
    version: 1,
    exportedAt: at,
    chats: [{ chat, titleSource: 'message', messages: [message] }],
  };
  await service.call('POST', '/api/v1/import', file);
}

const link = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('list', { name: 'Chats' }).getByRole('link', { name });

async function openMenu(page: Page, name: string | RegExp): Promise<void> {
  await link(page, name).click({ button: 'right' });
  await expect(page.getByRole('menu', { name: 'Options' })).toBeVisible();
}

test('the days are told anew when the calendar has gone on', async ({ page, service, chat }) => {
  await page.clock.install();
  await chat.open(service.pageUrl);
  await chat.say('Hello');
  await expect(chat.replies).toContainText('Re: Hello');
  await expect(page.getByRole('heading', { name: 'Today' })).toBeVisible();
  await page.clock.fastForward('24:00:00');
  await expect(page.getByRole('heading', { name: 'Yesterday' })).toBeVisible();
  await expect(chat.log.getByText('Yesterday')).toBeVisible();
  await expect(chat.mine).toContainText(/\w{3}, \d/);
});

test(
  'a chat is renamed in place, and Escape leaves it as it was',
  { tag: '@firefox' },
  async ({ page, service, chat }) => {
    const id = await makeChat(service, 'Old name');
    await chat.open(service.pageUrl);
    await openMenu(page, /Old name/);
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    const title = page.getByRole('textbox', { name: 'Title' });
    await expect(title).toBeFocused();
    await expect(title).toHaveValue('Old name');
    await title.fill('Not this');
    await title.press('Escape');
    await expect(link(page, /Old name/)).toBeFocused();
    await page.keyboard.press('F2');
    await title.fill('  A better name ');
    await title.press('Enter');
    await expect(link(page, /A better name/)).toBeFocused();
    await link(page, /A better name/).press('Enter');
    await expect(page.getByRole('heading', { name: 'A better name', level: 1 })).toBeVisible();
    await page.getByRole('button', { name: 'Chat menu' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await title.fill('From the header');
    await chat.message.click();
    await expect(link(page, /From the header/)).toBeVisible();
    await expect(page).toHaveTitle(/From the header/);
    // F2 from anywhere: what is typed then is the title, not a message, and whoever wrote writes on.
    await chat.message.pressSequentially('A draft');
    await page.keyboard.press('F2');
    await expect(title).toBeFocused();
    await page.keyboard.type('From the box');
    await page.keyboard.press('Enter');
    await expect(page).toHaveTitle(/From the box/);
    await expect(chat.message).toBeFocused();
    await expect(chat.message).toHaveValue('A draft');
    await page.keyboard.press('Control+,');
    await expect(page.getByRole('heading', { name: 'Appearance' })).toBeVisible();
    await page.keyboard.press('F2');
    await expect(title).toBeFocused();
    await page.keyboard.type('From the settings');
    await page.keyboard.press('Enter');
    await link(page, /From the settings/).press('Tab');
    await page.keyboard.press('F2');
    await expect(title).toBeFocused();
    await title.fill('From the header');
    await title.press('Enter');
    await expect
      .poll(async () => (await service.call<{ chat: Chat }>('GET', `/api/v1/chats/${id}`)).chat.title)
      .toBe('From the header');
  },
);

test('a refused change is taken back, and says why', async ({ page, service, chat, watch }) => {
  watch.expected.push(/status of 5\d\d/);
  const id = await makeChat(service, 'Stays as it is');
  await chat.open(service.pageUrl);
  await page.route(`**/api/v1/chats/${id}`, (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({
          status: 507,
          json: { error: { code: 'storage_full', message: 'The disk is full.', requestId: 'r' } },
        })
      : route.fallback(),
  );
  await openMenu(page, /Stays/);
  await page.getByRole('menuitem', { name: 'Pin' }).click();
  await expect(page.getByRole('status', { name: 'Notices' })).toContainText('The disk is full.');
  await expect(page.getByRole('list', { name: 'Today' }).getByRole('link', { name: /Stays/ })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Pinned' })).toBeHidden();
});

test('a pinned chat stands on top, in its own list', async ({ page, service, chat }) => {
  await makeChat(service, 'First');
  await makeChat(service, 'Second');
  await chat.open(service.pageUrl);
  await openMenu(page, /First/);
  await page.getByRole('menuitem', { name: 'Pin' }).click();
  await expect(page.getByRole('list', { name: 'Pinned' }).getByRole('link')).toHaveText(/First/);
  await expect(page.getByRole('list', { name: 'Today' }).getByRole('link')).toHaveText(/Second/);
  await expect(page.getByRole('heading', { name: 'Pinned' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('list', { name: 'Pinned' }).getByRole('link')).toHaveText(/First/);
  await openMenu(page, /First/);
  await page.getByRole('menuitem', { name: 'Unpin' }).click();
  await expect(page.getByRole('list', { name: 'Pinned' })).toBeHidden();
  await expect(page.getByRole('list', { name: 'Today' }).getByRole('link')).toHaveCount(2);
});

test('the open chat is deleted and brought back', async ({ page, service, chat }) => {
  const id = await makeChat(service, 'Precious');
  await chat.open(service.pageUrl);
  await link(page, /Precious/).click();
  await expect(chat.replies).toContainText('Re: Precious');
  await page.getByRole('button', { name: 'Chat menu' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(link(page, /Precious/)).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'What can I do for you?' })).toBeVisible();
  await expect(page.getByRole('status', { name: 'Notices' })).toContainText('Deleted “Precious”.');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(chat.replies).toContainText('Re: Precious');
  await expect(link(page, /Precious/)).toHaveAttribute('aria-current', 'page');
  expect(page.url()).toContain(id);
});

test('an archived chat leaves the list, is found under Archived, and comes back', async ({
  page,
  service,
  chat,
}) => {
  await makeChat(service, 'Long done');
  await chat.open(service.pageUrl);
  await openMenu(page, /Long done/);
  await page.getByRole('menuitem', { name: 'Archive' }).click();
  await expect(link(page, /Long done/)).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(link(page, /Long done/)).toHaveCount(1);
  await openMenu(page, /Long done/);
  await page.getByRole('menuitem', { name: 'Archive' }).click();
  await expect(link(page, /Long done/)).toHaveCount(0);
  // It leaves the list before the service knows.
  await expect.poll(() => service.call('GET', '/api/v1/chats?archived=only')).toMatchObject({ total: 1 });
  await page.reload();
  await page.getByRole('button', { name: 'Archived' }).click();
  const archived = page.getByRole('list', { name: 'Archived' }).getByRole('link', { name: /Long done/ });
  await archived.click();
  await expect(chat.replies).toContainText('Re: Long done');
  await page.getByRole('button', { name: 'Chat menu' }).click();
  await page.getByRole('menuitem', { name: 'Unarchive' }).click();
  await expect(link(page, /Long done/)).toHaveCount(1);
  await expect(archived).toHaveCount(0);
});

test('what another window renames, pins and deletes shows here', async ({ page, service, chat }) => {
  const first = await makeChat(service, 'First');
  const second = await makeChat(service, 'Second');
  await chat.open(service.pageUrl);
  await expect(link(page, /First/)).toBeVisible();
  await service.call('PATCH', `/api/v1/chats/${first}`, { title: 'Renamed elsewhere', pinned: true });
  await service.call('DELETE', `/api/v1/chats/${second}`);
  await expect(page.getByRole('list', { name: 'Pinned' }).getByRole('link')).toHaveText(/Renamed elsewhere/);
  await expect(link(page, /Second/)).toHaveCount(0);
});

test('each chat says in words what is the matter with it', async ({ page, service, chat }) => {
  await chat.open(service.pageUrl);
  await makeChat(service, 'hang');
  await makeChat(service, 'fail');
  await makeChat(service, 'Something new');
  await expect(link(page, /hang.*Working/)).toBeVisible();
  await expect(link(page, /fail.*Failed/)).toBeVisible();
  await expect(link(page, /Something new.*New reply/)).toBeVisible();
  await link(page, /Something new/).click();
  await expect(chat.replies).toContainText('Re: Something new');
  await chat.newChat.click();
  await expect(link(page, /Something new/)).not.toHaveAccessibleName(/New reply/);
  await page.reload();
  await expect(link(page, /Something new/)).toBeVisible();
  await expect(link(page, /Something new/)).not.toHaveAccessibleName(/New reply/);
});

test('a long list is loaded as it is scrolled, an old pinned chat and the archive are there at once, and what is opened comes into view', async ({
  page,
  service,
  chat,
}) => {
  await service.call('PATCH', `/api/v1/chats/${await makeChat(service, 'Put away')}`, { archived: true });
  const pinned = await makeChat(service, 'Old and pinned');
  await service.call('PATCH', `/api/v1/chats/${pinned}`, { pinned: true });
  for (let batch = 0; batch < 26; batch += 1)
    await Promise.all(Array.from({ length: 10 }, () => service.createChat()));
  await chat.open(service.pageUrl);
  await expect(page.getByRole('list', { name: 'Pinned' }).getByRole('link')).toHaveText(/Old and pinned/);
  await expect(chat.chats.getByRole('link')).toHaveCount(101);
  const more = page.getByRole('button', { name: 'Show older chats' });
  await more.scrollIntoViewIfNeeded();
  await expect(chat.chats.getByRole('link')).not.toHaveCount(101);
  await expect(async () => {
    if (await more.isVisible()) await more.scrollIntoViewIfNeeded();
    await expect(chat.chats.getByRole('link')).toHaveCount(261, { timeout: 500 });
  }).toPass();
  await expect(more).toBeHidden();

  // The list is at its end: a new chat is at its start.
  await chat.say('Brand new');
  await expect(link(page, /Brand new/)).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('heading', { name: 'Today' })).toBeInViewport({ ratio: 1 });

  const archive = page.getByRole('button', { name: 'Archived' });
  await expect(archive).toBeInViewport({ ratio: 1 });
  await chat.choose('Archived chats');
  await expect(archive).toBeFocused();
  await expect(archive).toHaveAttribute('aria-expanded', 'true');
  await expect(page.getByRole('link', { name: 'Put away' })).toBeInViewport({ ratio: 1 });
  expect((await axe(page).analyze()).violations).toEqual([]);
});

test('rows are low, a project’s chats indented, and times are shown on demand, without what the heading says', async ({
  page,
  service,
  chat,
}) => {
  const { project } = await service.call<{ project: Project }>('POST', '/api/v1/projects', {
    name: 'Garden',
  });
  const roses = await makeChat(service, 'Roses');
  await service.call('PATCH', `/api/v1/chats/${roses}`, { projectId: project.id });
  await importOld(service, 'From a past year', '2024-10-12T12:00:00.000Z');
  await chat.open(service.pageUrl);
  const sidebar = page.locator('#sidebar');
  const garden = sidebar.getByRole('button', { name: 'Garden', exact: true });
  await garden.click();
  const old = link(page, /past year/);
  const inProject = sidebar.getByRole('link', { name: 'Roses' });
  const rows = [garden, inProject, old, sidebar.getByRole('button', { name: 'Archived' })];
  for (const row of rows) expect((await row.boundingBox())?.height).toBe(32);
  const startOf = (text: Locator): Promise<number> =>
    text.evaluate((each) => each.getBoundingClientRect().left);
  expect(await startOf(inProject.getByText('Roses'))).toBeGreaterThan(
    await startOf(garden.getByText('Garden')),
  );

  await expect(page.getByRole('heading', { name: 'October 2024' })).toBeVisible();
  const time = old.locator('time');
  await expect(time).toBeHidden();
  await old.hover();
  await expect(time).toHaveText('Sat 12');
  await page.mouse.move(900, 400);
  await expect(time).toBeHidden();
  await old.focus();
  await expect(time).toBeVisible();
  const options = old.locator('xpath=..').getByRole('button');
  const [shown, button] = [await time.boundingBox(), await options.boundingBox()];
  expect((shown?.x ?? 0) + (shown?.width ?? 0)).toBeLessThanOrEqual((button?.x ?? 0) + 8);
});

test('a workspace of one’s own: made, used, left and found again', async ({ page, service, chat }) => {
  await makeChat(service, 'At home');
  await chat.open(service.pageUrl);
  await expect(link(page, /At home/)).toBeVisible();
  await page.getByRole('button', { name: 'Workspace: Personal' }).click();
  await page.getByRole('menuitem', { name: 'New workspace…' }).click();
  const name = page.getByRole('textbox', { name: 'Name' });
  await expect(name).toBeFocused();
  await name.fill('Office');
  await name.press('Enter');
  await expect(page.getByRole('button', { name: 'Workspace: Office' })).toBeVisible();
  await expect(link(page, /At home/)).toHaveCount(0);
  await chat.say('At work');
  await expect(chat.replies).toContainText('Re: At work');
  await page.reload();
  await expect(link(page, /At work/)).toBeVisible();
  // The local key belongs to the first workspace.
  const { data } = await service.call<{ data: Chat[] }>('GET', '/api/v1/chats');
  expect(data.map(({ title }) => title)).toEqual(['At home']);
  await page.getByRole('button', { name: 'Workspace: Office' }).click();
  await page.getByRole('menuitem', { name: 'Rename workspace…' }).click();
  await name.fill('Workshop');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Workspace: Workshop' }).click();
  await page.getByRole('menuitemradio', { name: 'Personal' }).click();
  await expect(link(page, /At home/)).toBeVisible();
  await expect(link(page, /At work/)).toHaveCount(0);
});

test('the sidebar is as wide as it was made, by mouse and by keyboard', async ({ page, service, chat }) => {
  await chat.open(service.pageUrl);
  const edge = page.getByRole('separator', { name: 'Width of the list of chats' });
  const width = async (): Promise<number> =>
    Math.round((await page.getByRole('navigation').boundingBox())?.width ?? 0);
  const before = await width();
  await edge.focus();
  await edge.press('ArrowRight');
  await expect.poll(width).toBe(before + 16);
  await expect(edge).toHaveAttribute('aria-valuenow', String(before + 16));
  await edge.press('Home');
  await expect.poll(width).toBe(208);
  await edge.hover();
  await page.mouse.down();
  await page.mouse.move(400, 300, { steps: 4 });
  await page.mouse.up();
  await expect.poll(width).toBe(400);
  await page.reload();
  await expect(chat.message).toBeVisible();
  await expect.poll(width).toBe(400);
  await edge.dblclick();
  await expect.poll(width).toBe(before);
});

test(
  'a lost connection is told in words at the foot of the list',
  OWN_PROCESS,
  async ({ page, service, chat, watch }) => {
    watch.expected.push(/ERR_(?:CONNECTION|EMPTY|INCOMPLETE)|Failed to fetch|status of 401/);
    await chat.open(service.pageUrl);
    await service.kill();
    await expect(page.getByRole('navigation').getByText('Not connected')).toBeVisible();
    await service.restart();
    await expect(page.getByRole('navigation').getByText('Not connected')).toBeHidden();
  },
);

test('a key that may only chat shows no more than it can do', async ({ page, service, watch }) => {
  // It is offered as a session first, and used as it is when that is refused.
  watch.expected.push(/status of 403/);
  await makeChat(service, 'Mine');
  const { workspaces } = await service.call<{ workspaces: Workspace[] }>('GET', '/api/v1/workspaces');
  const { apiKey } = await service.call<{ apiKey: string }>('POST', '/api/v1/keys', {
    name: 'Reader',
    scope: 'chat',
    workspaceId: workspaces[0]?.id,
  });
  await page.goto(`${service.baseUrl}/`);
  await page.getByText('Sign in with the local key instead').click();
  await page.getByRole('textbox', { name: 'Local key' }).fill(apiKey);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(link(page, /Mine/)).toBeVisible();
  await page.getByRole('button', { name: /^Workspace/ }).click();
  await expect(page.getByRole('menuitem', { name: 'New workspace…' })).toHaveCount(0);
  await expect(page.getByRole('menuitem', { name: /only works in this workspace/ })).toBeVisible();
});

test('several chats are selected with Shift, archived at once, and come back with one undo', async ({
  page,
  service,
  chat,
}) => {
  for (const title of ['One', 'Two', 'Three', 'Four']) await makeChat(service, title);
  await chat.open(service.pageUrl);
  await link(page, /^One/).click({ modifiers: ['Shift'] });
  const box = (name: string): Locator => page.getByRole('checkbox', { name: `Select “${name}”` });
  const bar = page.getByRole('toolbar', { name: 'Selected chats' });
  await expect(box('One')).toBeChecked();
  await expect(box('One')).toBeFocused();
  await box('Three').click({ modifiers: ['Shift'] });
  await expect(bar.getByText('3 selected')).toBeVisible();
  await expect(box('Two')).toBeChecked();
  // A range over what is selected already takes nothing out.
  await box('Two').click({ modifiers: ['Shift'] });
  await expect(box('Two')).toBeChecked();
  await expect(bar.getByText('3 selected')).toBeVisible();
  await box('Two').press('Space');
  await expect(box('Two')).not.toBeChecked();
  expect((await axe(page).analyze()).violations).toEqual([]);
  await bar.getByRole('button', { name: 'Archive' }).click();
  await expect(page.getByText('Archived 2 chats.')).toBeVisible();
  await expect(bar).toHaveCount(0);
  await expect(link(page, /^One/)).toHaveCount(0);
  await expect(link(page, /^Two/)).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(link(page, /^One/)).toBeVisible();
  await expect(link(page, /^Three/)).toBeVisible();
});

test('selecting works by keyboard alone: all, delete, and Escape ends it', async ({
  page,
  service,
  chat,
}) => {
  for (const title of ['One', 'Two', 'Three']) await makeChat(service, title);
  await chat.open(service.pageUrl);
  await link(page, /^Two/).press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Select' }).press('Enter');
  const bar = page.getByRole('toolbar', { name: 'Selected chats' });
  await expect(bar.getByText('1 selected')).toBeVisible();
  await expect(page.getByRole('checkbox', { name: 'Select “Two”' })).toBeFocused();
  await page.keyboard.press('Control+a');
  await expect(bar.getByText('3 selected')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(bar).toHaveCount(0);
  await expect(link(page, /^Two/)).toBeFocused();
  await chat.choose('Select chats');
  const first = page.getByRole('checkbox').first();
  await expect(first).toBeFocused();
  await page.keyboard.press('Space');
  await page.keyboard.press('Delete');
  await expect(page.getByText(/^Deleted “\w+”\.$/)).toBeVisible();
  await expect(page.getByRole('list', { name: 'Chats' }).getByRole('link')).toHaveCount(2);
  await expect(page.getByRole('list', { name: 'Chats' }).getByRole('link').first()).toBeFocused();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    (async () => {
      await chat.choose('Select chats');
      await page.keyboard.press('Control+a');
      await bar.getByRole('button', { name: 'Export' }).click();
      await page.getByRole('menuitem', { name: 'Export as JSON' }).click();
    })(),
  ]);
  expect(file.suggestedFilename()).toBe('parley-chats.json');
});
