import type { Page } from '@playwright/test';
import type { Chat } from '../../shared/api/chat.ts';
import { startModelServer, type ModelServer } from '../support/model-servers/model-server.ts';
import { FAKE_TITLE, type ScenarioName } from '../support/model-servers/scenarios.ts';
import { expectAccessible } from './support/axe.ts';
import type { TestService } from './support/service.ts';
import { expect, test as base } from './support/test.ts';

interface Fixtures {
  /** A chat with a connected model; its id. */
  connect: (scenario: ScenarioName, contextTokens?: number) => Promise<string>;
}

const test = base.extend<Fixtures>({
  connect: async ({ service }, use) => {
    const servers: ModelServer[] = [];
    await use(async (scenario, contextTokens) => {
      const server = await startModelServer('openai', {
        scenario,
        ...(contextTokens !== undefined && { contextTokens }),
      });
      servers.push(server);
      const body = { provider: 'openai_compatible', name: 'Box', baseUrl: server.baseUrl };
      await service.call('POST', '/api/v1/connections', body);
      const { id } = await service.createChat();
      await service.call('PATCH', `/api/v1/chats/${id}`, { model: 'box/fake-model' });
      return id;
    });
    for (const server of servers) await server.close();
  },
});

/** Asks over the API, without tools, and waits for the chat to be at rest. */
async function ask(service: TestService, id: string, content: string): Promise<void> {
  await service.call('POST', `/api/v1/chats/${id}/messages`, { content, mode: 'chat' });
  await expect
    .poll(async () => (await service.call<{ chat: Chat }>('GET', `/api/v1/chats/${id}`)).chat.status)
    .toBe('idle');
}

const meterOf = (page: Page) => page.getByRole('button', { name: /^Context/ });
const openChat = (page: Page, service: TestService, id: string) =>
  page.goto(`${service.baseUrl}/#/chats/${id}`);
test('a chat is compacted from the meter, and shows where the summary stands and what it says', async ({
  page,
  service,
  chat,
  connect,
}) => {
  await chat.open(service.pageUrl);
  await expect(meterOf(page)).toHaveCount(0);
  const id = await connect('context', 4_000);
  for (const content of ['My cat is called Mio.', 'Tell me of dogs.', 'And of birds.']) {
    await ask(service, id, content);
  }
  await openChat(page, service, id);
  await expect(chat.mine.last()).toContainText('And of birds.');
  await expect(meterOf(page)).toHaveAccessibleName(/^Context: \d+% full$/);
  await expect(meterOf(page)).toHaveAttribute('title', /^[\d,]+ tokens of 4,000$/);
  await meterOf(page).click();
  const dialog = page.getByRole('dialog', { name: 'Context' });
  await expect(dialog).toContainText(/tokens of 4,000\s*\d+% full/);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Compact now' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText('Older messages are summarised for the model.')).toBeVisible();

  await chat.log.focus();
  await page.keyboard.press('Home');
  const line = chat.log.getByText('Earlier messages are summarised for the model');
  await expect(line).toHaveCount(1);
  await expect(chat.mine.first()).toHaveAttribute('data-status', 'compacted');
  await expect(chat.mine.first()).toContainText('My cat is called Mio.');
  // It stands between the summarised messages and the others.
  const [before, between, after] = await Promise.all(
    [chat.replies.first(), line, chat.mine.nth(1)].map(async (part) => (await part.boundingBox())?.y ?? 0),
  );
  expect(before).toBeLessThan(between ?? 0);
  expect(between).toBeLessThan(after ?? 0);
  await line.click();
  const summary = chat.log.getByRole('region', { name: 'Summary of the earlier messages' });
  await expect(summary).toContainText('SUMMED UP: Person: My cat is called Mio.');
  await expect(summary).toContainText(/Written by fake-model, /);
  await expectAccessible(page);

  await meterOf(page).click();
  await expect(dialog).toContainText('About');
  await expect(dialog).toContainText('2 messages are summarised.');
  await expect(dialog).toContainText('Nothing to compact');
  await expect(dialog.getByRole('button', { name: 'Compact now' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(chat.mine.last()).toContainText('And of birds.');
  await chat.say('What is my cat called?');
  await expect(chat.replies.last()).toContainText('Mio');
});

test('the meter says tokens alone where the limit is not known, and nothing for the offline assistant', async ({
  page,
  service,
  chat,
  connect,
}) => {
  await chat.open(service.pageUrl);
  await chat.say('what is 6 * 7?');
  await expect(chat.replies).toContainText('42');
  await expect(meterOf(page)).toHaveCount(0);
  const id = await connect('context-uncounted');
  await ask(service, id, 'hello');
  await openChat(page, service, id);
  await expect(meterOf(page)).toHaveAccessibleName(/^Context: [\d,]+ tokens$/);
  await meterOf(page).click();
  const dialog = page.getByRole('dialog', { name: 'Context' });
  await expect(dialog).toContainText(/About [\d,]+ tokens/);
  await expect(dialog).toContainText('This model’s context limit is unknown.');
});

test('a chat that is being named is no chat at work: it can be written on, and takes the name', async ({
  page,
  service,
  chat,
  connect,
}) => {
  await chat.open(service.pageUrl);
  const id = await connect('slow-title');
  await openChat(page, service, id);
  await chat.say('My cat is called Mio.');
  await expect(chat.replies).toHaveAttribute('data-status', 'complete');
  await expect(chat.stop).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(FAKE_TITLE);
});

test('naming chats is switched off in the settings', async ({ page, service, chat }) => {
  await chat.open(service.pageUrl);
  await page.goto(`${service.baseUrl}/#/settings/general`);
  const naming = page.getByRole('switch', { name: 'Let the model name chats' });
  await expect(naming).toBeChecked();
  await naming.click();
  await expect(naming).not.toBeChecked();
  await expect
    .poll(async () =>
      service
        .call<{ settings: { nameChats: boolean } }>('GET', '/api/v1/settings')
        .then(({ settings }) => settings.nameChats),
    )
    .toBe(false);
  await expectAccessible(page);
});
