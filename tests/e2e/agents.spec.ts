import type { Page } from '@playwright/test';
import type { Agent } from '../../shared/api/catalog.ts';
import { MAX_AGENT_INSTRUCTIONS_CHARACTERS } from '../../shared/limits.ts';
import { expectAccessibleInBoth } from './support/axe.ts';
import type { TestService } from './support/service.ts';
import { expect, test } from './support/test.ts';

const openAgents = async (page: Page, service: TestService): Promise<void> => {
  await page.goto(`${service.baseUrl}/#/settings/agents`);
  await expect(page.getByRole('list', { name: 'Built-in agents' })).toBeVisible();
};
const made = async (service: TestService): Promise<Agent[]> =>
  (await service.call<{ agents: Agent[] }>('GET', '/api/v1/agents')).agents.filter(({ builtIn }) => !builtIn);
const dialog = (page: Page) => page.getByRole('dialog');
const mine = (page: Page) => page.getByRole('list', { name: 'Your agents' }).getByRole('listitem');

test('an agent is made, chosen, and answers with its own model and tools', async ({
  page,
  service,
  chat,
}) => {
  await chat.open(service.pageUrl);
  await openAgents(page, service);
  await expect(page.getByText('You haven’t created any agents yet.')).toBeVisible();
  await page.getByRole('button', { name: 'For example Proofreader' }).click();
  await expect(dialog(page).getByLabel('Name')).toHaveValue('Proofreader');
  await expect(dialog(page).getByLabel('Instructions')).toHaveValue(/spelling and grammar/);
  await dialog(page).getByLabel('Name').fill('Coach');
  await dialog(page).getByLabel('What it is for').fill('Asks good questions.');
  await dialog(page).getByLabel('Instructions').fill('Ask.\nThen ask again.');
  await dialog(page).getByText('Only these').click();
  await expect(dialog(page).getByText('None chosen')).toBeVisible();
  await dialog(page).getByRole('checkbox', { name: 'calculate' }).check();
  await dialog(page).getByRole('checkbox', { name: 'find_notes' }).check();
  await expect(dialog(page).getByText('2 chosen')).toBeVisible();
  await dialog(page).getByLabel('Rounds').fill('5');
  await dialog(page).getByLabel('Model').selectOption('Rehearsal');
  await dialog(page).getByRole('button', { name: 'Create' }).click();
  await expect(mine(page)).toContainText('2 tools · up to 5 rounds · Rehearsal');
  expect(await made(service)).toMatchObject([
    {
      agentType: 'coach',
      name: 'Coach',
      description: 'Asks good questions.',
      instructions: 'Ask.\nThen ask again.',
      tools: ['calculate', 'find_notes'],
      stepLimit: 5,
      model: 'rehearsal',
    },
  ]);

  await page.getByRole('link', { name: 'Back to the chat' }).click();
  await page.getByRole('button', { name: 'Agent: Assistant' }).click();
  const agents = page.getByRole('group', { name: 'Agent' });
  await expect(agents.getByRole('radio')).toHaveCount(4);
  await agents.getByRole('radio', { name: 'Coach' }).check();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Agent: Coach' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Model: Rehearsal' })).toBeVisible();
  const script = '```rehearsal\n::speed max\n::tool calculate {"expression":"6*7"}\nThat was it.\n```';
  await chat.message.fill(script);
  await chat.send.click();
  await expect(chat.replies).toContainText('That was it.');
  await page.getByRole('button', { name: 'Agent: Coach' }).click();
  await expect(page.getByText('Applies from your next message.')).toBeVisible();
  await page.getByRole('link', { name: 'Create an agent…' }).click();
  await expect(page.getByRole('heading', { name: 'Agents', level: 2 })).toBeVisible();
});

test('an agent’s parameters are kept, say what is wrong with them, and are cleared by emptying', async ({
  page,
  service,
  chat,
}) => {
  await service.call('POST', '/api/v1/agents', { name: 'Coach', parameters: { topP: 0.5 } });
  const parametersOf = async () =>
    (await service.call<{ agents: Agent[] }>('GET', '/api/v1/agents')).agents.at(-1)?.parameters;
  await chat.open(service.pageUrl);
  await openAgents(page, service);
  await page.getByRole('button', { name: 'Edit “Coach”' }).click();
  const edit = page.getByRole('dialog', { name: /Coach/ });
  await expect(edit.getByLabel('Top P')).toHaveValue('0.5');
  await edit.getByLabel('Top P').fill('');
  await edit.getByLabel('Maximum length').fill('0');
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(edit.getByText('Enter a whole number from 1 to 1,000,000.')).toBeVisible();
  await edit.getByLabel('Maximum length').fill('2,000');
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(edit).toHaveCount(0);
  expect(await parametersOf()).toEqual({ maxOutputTokens: 2000 });
});

test('an agent is edited, copied and removed', async ({ page, service, chat }) => {
  await service.call('POST', '/api/v1/agents', { name: 'Coach', tools: [], instructions: 'Ask.' });
  await chat.open(service.pageUrl);
  await openAgents(page, service);
  await page.getByRole('button', { name: 'Edit “Coach”' }).click();
  await expect(dialog(page)).toContainText('Its name in the API stays coach.');
  await dialog(page).getByLabel('Name').fill('Trainer');
  await dialog(page).getByText('Standard', { exact: true }).click();
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(mine(page)).toContainText(/Trainer.*Standard tools/s);

  await page.getByRole('button', { name: 'Duplicate “Analyst”' }).click();
  await expect(dialog(page).getByLabel('Name')).toHaveValue('Copy of Analyst');
  await expect(dialog(page).getByLabel('Instructions')).toHaveValue(/Compute with the tools/);
  await expect(dialog(page).getByRole('checkbox', { name: 'query_table' })).toBeChecked();
  await expect(dialog(page).getByRole('checkbox', { name: 'generate_uuid' })).not.toBeChecked();
  await dialog(page).getByRole('button', { name: 'Create' }).click();
  await expect(mine(page)).toHaveCount(2);

  await page.getByRole('button', { name: 'Delete “Trainer”…' }).click();
  await expect(dialog(page)).toContainText('Its chats stay.');
  await dialog(page).getByRole('button', { name: 'Delete' }).click();
  await expect(mine(page)).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'New agent' })).toBeFocused();
  expect((await made(service)).map(({ agentType }) => agentType)).toEqual(['copy-of-analyst']);
});

test('what won’t do is said, and nothing that was typed is lost', async ({ page, service, chat, watch }) => {
  await chat.open(service.pageUrl);
  await openAgents(page, service);
  await page.getByRole('button', { name: 'New agent' }).click();
  await expect(dialog(page).getByRole('button', { name: 'Create' })).toBeDisabled();
  await dialog(page).getByLabel('Name').fill('Coach');
  await dialog(page).getByLabel('Rounds').fill('51');
  await expect(dialog(page).getByText('A whole number from 1 to 50.')).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Create' }).click();
  await expect(dialog(page).getByLabel('Rounds')).toBeFocused();
  await dialog(page).getByLabel('Rounds').fill('50');
  await dialog(page)
    .getByLabel('Instructions')
    .fill('x'.repeat(MAX_AGENT_INSTRUCTIONS_CHARACTERS - 1));
  await expect(dialog(page).getByText('1 character left.')).toBeVisible();

  watch.expected.push(/ERR_FAILED/);
  await page.route('**/api/v1/agents', (route) => route.abort());
  await dialog(page).getByRole('button', { name: 'Create' }).click();
  await expect(dialog(page).getByRole('alert')).not.toBeEmpty();
  await page.unroute('**/api/v1/agents');
  await dialog(page).getByRole('button', { name: 'Create' }).click();
  await expect(mine(page)).toContainText('Coach');
  expect(await made(service)).toMatchObject([{ tools: 'all', stepLimit: 50, model: null }]);
});

test('the keyboard alone makes an agent', async ({ page, service, chat }) => {
  await chat.open(service.pageUrl);
  await openAgents(page, service);
  await page.getByRole('button', { name: 'New agent' }).focus();
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByLabel('Name')).toBeFocused();
  await page.keyboard.type('Coach');
  await page.keyboard.press('Enter');
  await expect(mine(page)).toContainText('Coach');
});

test('at 360 px nothing is cut off', async ({ page, service, chat }) => {
  const long = 'Wissenschaftsjournalistinnenausbildungsbeauftragte'.repeat(4);
  await service.call('POST', '/api/v1/agents', { name: long.slice(0, 80), description: long });
  await page.setViewportSize({ width: 360, height: 740 });
  await chat.open(service.pageUrl);
  await openAgents(page, service);
  const overflow = (): Promise<number> =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(await overflow()).toBeLessThanOrEqual(0);
  await page.getByRole('button', { name: /^Duplicate “Wissen/ }).click();
  await dialog(page).getByText('Only these').click();
  expect(await overflow()).toBeLessThanOrEqual(0);
  const box = await dialog(page).boundingBox();
  expect(box?.width ?? 0).toBeLessThanOrEqual(360);
});

test('axe finds nothing wrong with making an agent', async ({ page, service, chat }) => {
  await service.call('POST', '/api/v1/agents', { name: 'Coach', model: 'rehearsal' });
  await chat.open(service.pageUrl);
  await openAgents(page, service);
  await page.getByRole('button', { name: 'Duplicate “Analyst”' }).click();
  await dialog(page).getByLabel('Rounds').fill('99');
  await expect(dialog(page).getByText('A whole number from 1 to 50.')).toBeVisible();
  await expectAccessibleInBoth(page, 'making an agent');
});

test('an agent’s tools are laid out by what they reach, with those of its tool servers', async ({
  page,
  service,
  chat,
}) => {
  const server = {
    ...{ id: 's', slug: 'calendar', transport: 'stdio', command: 'x', args: [], url: null, secretNames: [] },
    ...{ secrets: 'none', toolsListedAt: '2026-11-20T12:00:00.000Z', state: 'idle', problem: null },
    ...{ createdAt: '2026-11-20T12:00:00.000Z', enabled: true },
    tools: [{ name: 'calendar__list', tool: 'list', description: 'Lists events.', isReadOnly: true }],
  };
  const servers = [
    { ...server, name: 'Calendar', agents: 'all' },
    { ...server, id: 't', name: 'Lamp', agents: ['writer'] },
  ];
  await page.route('**/api/v1/mcp-servers', (route) => route.fulfill({ json: { servers } }));
  await chat.open(service.pageUrl);
  await openAgents(page, service);
  await page.getByRole('button', { name: 'New agent' }).click();
  await dialog(page).getByText('Only these').click();
  const files = dialog(page).getByRole('list', { name: 'Tools: Files' });
  await expect(files.getByRole('checkbox', { name: 'Read a file' })).toBeVisible();
  await expect(files).toContainText('Reads text files in the folders you allowed.');
  await dialog(page).getByText('Calendar: 1 tool').click();
  await expect(dialog(page).getByText('Lists events.')).toBeVisible();
  await expect(dialog(page).getByText('Lamp')).toHaveCount(0);
});
