import type { Page } from '@playwright/test';
import type { Chat, ChatList } from '../../shared/api/chat.ts';
import type { Project } from '../../shared/api/project.ts';
import type { Workspace } from '../../shared/api/workspace.ts';
import { axe } from './support/axe.ts';
import type { TestService } from './support/service.ts';
import { expect, test } from './support/test.ts';

test.use({ directed: true });

/** A chat whose title is its only message. */
async function makeChat(service: TestService, title: string): Promise<string> {
  const { id } = await service.createChat();
  await service.send(id, title);
  return id;
}

const makeProject = async (service: TestService, name: string): Promise<Project> =>
  (await service.call<{ project: Project }>('POST', '/api/v1/projects', { name })).project;

const projectOf = async (service: TestService, chatId: string): Promise<string | undefined> =>
  (await service.call<{ chat: Chat }>('GET', `/api/v1/chats/${chatId}`)).chat.projectId;

const line = (page: Page, title: string) => page.locator('#sidebar').getByRole('link', { name: title });
const toggle = (page: Page, name: string) =>
  page.locator('#sidebar').getByRole('button', { name, exact: true });

async function chooseInMenu(page: Page, title: string, item: string): Promise<void> {
  await line(page, title).click({ button: 'right' });
  await page.getByRole('menuitem', { name: item }).click();
}

test('a project is made, a chat started in it, moved out and back, and the project deleted', async ({
  page,
  service,
  chat,
}) => {
  await chat.open(service.pageUrl);
  await page.getByRole('button', { name: 'New project…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Tax return');
  await page.getByRole('textbox', { name: 'Instructions' }).fill('All in euros.');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(toggle(page, 'Tax return')).toHaveAttribute('aria-expanded', 'true');
  await expect(page.getByText('No chats yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Options of project “Tax return”' }).click();
  await page.getByRole('menuitem', { name: 'New chat in this project' }).click();
  await expect(page.getByText('This chat starts in the project “Tax return”.')).toBeVisible();
  await chat.message.fill('First question');
  await chat.message.press('Enter');
  const inProject = page.getByRole('list', { name: 'Tax return' });
  await expect(inProject.getByRole('link', { name: 'First question' })).toBeVisible();

  await chooseInMenu(page, 'First question', 'Move to project…');
  await page.getByRole('button', { name: 'No project' }).click();
  await expect(page.getByRole('list', { name: 'Chats' }).getByRole('link')).toHaveCount(1);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(inProject.getByRole('link')).toHaveCount(1);

  // Collapsed it stays over a reload.
  await toggle(page, 'Tax return').click();
  await expect(line(page, 'First question')).toBeHidden();
  await page.reload();
  await expect(toggle(page, 'Tax return')).toHaveAttribute('aria-expanded', 'false');
  await toggle(page, 'Tax return').press('Enter');
  await expect(line(page, 'First question')).toBeVisible();
  expect((await axe(page).analyze()).violations).toEqual([]);

  await page.getByRole('button', { name: 'Options of project “Tax return”' }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  await page.getByRole('button', { name: 'Delete project' }).click();
  await expect(toggle(page, 'Tax return')).toBeHidden();
  await expect(page.getByRole('list', { name: 'Chats' }).getByRole('link')).toHaveCount(1);
});

test('what another program does with projects is seen at once', async ({ page, service, chat }) => {
  await chat.open(service.pageUrl);
  const { id } = await makeProject(service, 'Garden');
  await expect(toggle(page, 'Garden')).toBeVisible();
  await service.call('PATCH', `/api/v1/projects/${id}`, { name: 'Roof' });
  await page.getByRole('button', { name: 'Options of project “Roof”' }).click();
  await page.getByRole('menuitem', { name: 'New chat in this project' }).click();
  await chat.message.fill('First question');
  await service.call('DELETE', `/api/v1/projects/${id}`);
  await expect(toggle(page, 'Roof')).toBeHidden();
  await expect(page.getByText('This chat starts in the project')).toBeHidden();
  await chat.message.press('Enter');
  await expect(chat.replies).toContainText('First question');
});

test('a project is deleted with its chats, which can be restored, also the one that is open', async ({
  page,
  service,
  chat,
}) => {
  const project = await makeProject(service, 'Garden');
  const ids = [await makeChat(service, 'Roses'), await makeChat(service, 'Tulips')];
  for (const id of ids)
    await service.call('PATCH', `/api/v1/chats/${id}`, { projectId: project.id, archived: id === ids[1] });
  await chat.open(service.pageUrl);
  await toggle(page, 'Garden').click();
  await line(page, 'Roses').click();
  await expect(page.getByRole('heading', { name: 'Roses' })).toBeVisible();
  await page.getByRole('button', { name: 'Options of project “Garden”' }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  await expect(page.getByRole('radio', { name: 'Keep its 2 chats' })).toBeChecked();
  expect((await axe(page).analyze()).violations).toEqual([]);
  await page.getByRole('radio', { name: 'Delete its 2 chats too' }).check();
  await page.getByRole('button', { name: 'Delete project and chats' }).click();
  await expect(page.getByText('Deleted 2 chats.')).toBeVisible();
  await expect(toggle(page, 'Garden')).toBeHidden();
  await expect(line(page, 'Roses')).toBeHidden();
  await expect(chat.message).toBeFocused();
  await service.call('POST', `/api/v1/chats/${ids[0] ?? ''}/restore`);
  await expect(page.getByRole('list', { name: 'Chats' }).getByRole('link', { name: 'Roses' })).toBeVisible();
});

test('an open chat that goes with its project is left before anything can say that it is gone', async ({
  page,
  service,
  chat,
}) => {
  const project = await makeProject(service, 'Garden');
  const id = await makeChat(service, 'Roses');
  await service.call('PATCH', `/api/v1/chats/${id}`, { projectId: project.id });
  await chat.open(service.pageUrl);
  await page.goto(`${service.baseUrl}/#/chats/${id}`);
  await expect(page.getByRole('heading', { name: 'Roses' })).toBeVisible();
  await toggle(page, 'Garden').click();
  await expect(line(page, 'Roses')).toBeVisible();
  const { promise: answered, resolve: answer } = Promise.withResolvers<undefined>();
  await page.route(`**/api/v1/projects/${project.id}*`, async (route) => {
    const response = await route.fetch();
    await answered;
    await route.fulfill({ response });
  });
  await page.getByRole('button', { name: 'Options of project “Garden”' }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  await page.getByRole('radio', { name: 'Delete its chat too' }).check();
  await page.getByRole('button', { name: 'Delete project and chats' }).click();
  // The stream has told it by then.
  await expect(page.locator(`[data-chat="${id}"]`)).toHaveCount(0);
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect(page.getByText('This chat no longer exists.')).toHaveCount(0);
  answer(undefined);
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(chat.message).toBeFocused();
});

test('chats are dragged onto a project and out again, several at once too', async ({
  page,
  service,
  chat,
}) => {
  const project = await makeProject(service, 'Garden');
  const ids = [await makeChat(service, 'Roses'), await makeChat(service, 'Tulips')];
  await chat.open(service.pageUrl);
  await line(page, 'Roses').dragTo(toggle(page, 'Garden'));
  await expect.poll(() => projectOf(service, ids[0] ?? '')).toBe(project.id);
  await toggle(page, 'Garden').click();
  await line(page, 'Roses').dragTo(page.getByRole('heading', { name: 'Today' }));
  await expect.poll(() => projectOf(service, ids[0] ?? '')).toBeUndefined();

  await line(page, 'Roses').click({ modifiers: ['Shift'] });
  await page.getByRole('checkbox', { name: 'Select “Tulips”' }).check();
  await page.getByRole('checkbox', { name: 'Select “Roses”' }).check();
  await page.getByRole('button', { name: 'Move' }).click();
  await page.getByRole('menuitem', { name: 'Move to project…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Garden' }).click();
  await expect(page.getByText('Moved 2 chats to “Garden”.')).toBeVisible();
  for (const id of ids) expect(await projectOf(service, id)).toBe(project.id);
});

test('a chat goes to another workspace, and Undo brings it back into its project', async ({
  page,
  service,
  chat,
}) => {
  const project = await makeProject(service, 'Garden');
  const id = await makeChat(service, 'Roses');
  await service.call('PATCH', `/api/v1/chats/${id}`, { projectId: project.id });
  const { workspace } = await service.call<{ workspace: Workspace }>('POST', '/api/v1/workspaces', {
    name: 'Away',
  });
  await chat.open(service.pageUrl);
  await toggle(page, 'Garden').click();
  await chooseInMenu(page, 'Roses', 'Move to workspace…');
  await page.getByRole('dialog').getByRole('button', { name: 'Away' }).click();
  await expect(page.getByText('Moved “Roses” to “Away”.')).toBeVisible();
  await expect(line(page, 'Roses')).toBeHidden();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(line(page, 'Roses')).toBeVisible();
  expect(await projectOf(service, id)).toBe(project.id);
  expect(workspace.name).toBe('Away');
});

test('a project of many chats is loaded page by page, when it is opened', async ({ page, service, chat }) => {
  const project = await makeProject(service, 'Many');
  for (let count = 0; count < 130; count += 1)
    await service.call('POST', '/api/v1/chats', { projectId: project.id });
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes(`projectId=${project.id}`)) asked.push(request.url());
  });
  await chat.open(service.pageUrl);
  await expect(toggle(page, 'Many')).toBeVisible();
  expect(asked).toEqual([]);
  await toggle(page, 'Many').click();
  const lines = page.getByRole('list', { name: 'Many' }).getByRole('link');
  await expect(lines).toHaveCount(100);
  await page.getByRole('button', { name: 'Show older chats' }).click();
  await expect(lines).toHaveCount(130);
  // A list may be asked for once more by the start of the stream.
  expect(new Set(asked).size).toBe(2);
  const listed = await service.call<ChatList>('GET', `/api/v1/chats?projectId=${project.id}`);
  expect(listed.total).toBe(130);
});
