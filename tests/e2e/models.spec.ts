import type { Page } from '@playwright/test';
import type { Connection, ConnectionFinding } from '../../shared/api/connection.ts';
import type { Workspace } from '../../shared/api/workspace.ts';
import {
  startModelServer,
  type ModelServer,
  type ModelServerOptions,
} from '../support/model-servers/model-server.ts';
import { expectAccessible, expectAccessibleInBoth } from './support/axe.ts';
import { expect, test as base } from './support/test.ts';
import type { TestService } from './support/service.ts';

const KEY = 'sk-test-0123456789';
const MANY = Array.from({ length: 240 }, (_, index) => `vendor-${index % 7}/model-${index}`);

interface Fixtures {
  /** Model servers on this computer, which nobody finds by themselves: their ports are not the usual ones. */
  serve: (options?: ModelServerOptions) => Promise<ModelServer>;
}

const test = base.extend<Fixtures>({
  serve: async ({}, use) => {
    const servers: ModelServer[] = [];
    await use(async (options) => {
      const server = await startModelServer('openai', options);
      servers.push(server);
      return server;
    });
    for (const server of servers) await server.close();
  },
});

const openModels = async (page: Page, service: TestService): Promise<void> => {
  await page.goto(`${service.baseUrl}/#/settings/models`);
  await expect(page.getByRole('heading', { level: 2, name: 'Models' })).toBeVisible();
};
const connectionsOf = async (service: TestService): Promise<Connection[]> =>
  (await service.call<{ connections: Connection[] }>('GET', '/api/v1/connections')).connections;
const connect = async (service: TestService, server: ModelServer, name: string): Promise<Connection> => {
  const body = { provider: 'openai_compatible', baseUrl: server.baseUrl, name };
  return (await service.call<{ connection: Connection }>('POST', '/api/v1/connections', body)).connection;
};
const hostOf = (server: ModelServer): string => new URL(server.baseUrl).host;

test('a server is connected by an address without “http://”: tested first, listed with its models, its key never shown', async ({
  page,
  service,
  chat,
  serve,
}) => {
  const server = await serve({ apiKey: KEY, models: ['small', 'large'] });
  await chat.open(service.pageUrl);
  await openModels(page, service);
  await expect(page.getByText('Nothing is connected')).toBeVisible();
  await page.getByRole('button', { name: 'Add a connection…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a connection' });
  await dialog.getByRole('radio', { name: 'OpenAI-compatible' }).check({ force: true });
  await dialog.getByRole('textbox', { name: 'Address' }).fill(server.baseUrl.replace('http://', ''));
  await expect(dialog.getByText('This address is on this computer: nothing leaves it.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Test connection' }).click();
  await expect(dialog.getByText('It needs a key.')).toBeVisible();
  await expect(dialog.getByText('You can save it anyway.')).toBeVisible();

  const key = dialog.getByLabel('Key, if it needs one');
  await expect(key).toHaveAttribute('type', 'password');
  await key.fill(`${KEY}x`);
  await expect(dialog.getByText('Changed since the test.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Test connection' }).click();
  await expect(dialog.getByText('The key was rejected.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Show the key' }).click();
  await expect(key).toHaveAttribute('type', 'text');
  await key.fill(KEY);
  await dialog.getByRole('button', { name: 'Test connection' }).click();
  await expect(dialog.getByText('It works.')).toBeVisible();
  await expect(dialog.getByRole('region', { name: 'Models' })).toContainText('large');
  await dialog.getByText('Also test a model').click();
  await dialog.getByRole('combobox', { name: 'Also test a model' }).fill('huge');
  await dialog.getByRole('button', { name: 'Test connection' }).click();
  await expect(dialog.getByText('It has no such model.')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Workshop');
  await expect(dialog.getByRole('checkbox', { name: 'Use it for new chats' })).toBeChecked();
  await dialog.getByRole('combobox', { name: 'Model for new chats' }).selectOption('large');
  await dialog.getByRole('button', { name: 'Save' }).click();

  const item = page.getByRole('list', { name: 'Connections' }).getByRole('listitem').first();
  await expect(item).toContainText('Workshop');
  await expect(item).toContainText('2 models');
  await expect(item).toContainText('Key stored');
  expect(await connectionsOf(service)).toMatchObject([{ baseUrl: server.baseUrl }]);
  await page.getByRole('button', { name: 'Edit “Workshop”…' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit “Workshop”' });
  await expect(edit.getByLabel('Key, if it needs one')).toHaveValue('');
  await expect(edit.getByText('to keep the stored key')).toBeVisible();
  expect(await page.content()).not.toContain(KEY);
});

test('headers are added to a connection, and taken away; their values are never shown', async ({
  page,
  service,
  chat,
  serve,
}) => {
  const server = await serve({ models: ['small'] });
  await connect(service, server, 'Workshop');
  await chat.open(service.pageUrl);
  await openModels(page, service);
  await page.getByRole('button', { name: 'Edit “Workshop”…' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit “Workshop”' });
  await edit.getByText('Extra headers').click();
  await edit.getByRole('button', { name: 'Add a header' }).click();
  await edit.getByLabel('Name of the header').fill('X-Gate');
  await edit.getByLabel('Value of X-Gate').fill('only for the gateway');
  await edit.getByRole('button', { name: 'Save' }).click();
  const item = page.getByRole('list', { name: 'Connections' }).getByRole('listitem').first();
  await expect(item).toContainText('1 header');
  expect(server.requests.at(-1)?.headers).toMatchObject({ 'x-gate': 'only for the gateway' });
  await page.getByRole('button', { name: 'Edit “Workshop”…' }).click();
  await expect(edit.getByLabel('Name of the header')).toHaveValue('X-Gate');
  await expect(edit.getByLabel('Value of X-Gate')).toHaveValue('');
  expect(await page.content()).not.toContain('only for the gateway');
  await edit.getByRole('button', { name: 'Remove X-Gate' }).click();
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(item).not.toContainText('1 header');
  expect(await connectionsOf(service)).toMatchObject([{ headerNames: [] }]);
});

test('a new connection’s models can be chosen at once, and answer', async ({
  page,
  service,
  chat,
  serve,
}) => {
  const server = await serve({ models: ['small'] });
  await connect(service, server, 'Workshop');
  await chat.open(service.pageUrl);
  await page.getByRole('button', { name: 'Model: Offline assistant' }).click();
  const models = page.getByRole('dialog', { name: 'Models' });
  await expect(models.getByRole('group', { name: /Workshop.*on this computer/ })).toBeVisible();
  await models.getByRole('option', { name: 'small' }).click();
  await expect(page.getByRole('button', { name: 'Model: small, runs on this computer' })).toBeVisible();
  await expect(chat.message).toBeFocused();
  await expect(page.getByText('small answers on this computer.')).toBeVisible();
  await chat.say('Hello');
  await expect(chat.replies).toContainText('this is a plain reply');
  await expect(chat.replies).toContainText('small');
  expect(server.asked()).not.toHaveLength(0);
});

test('a sum that nearly reads is asked about, and worked out at a click', async ({ service, chat }) => {
  await chat.open(service.pageUrl);
  await chat.say('Could you roughly work out 45 times 12 for my boss');
  await chat.replies.last().getByRole('button', { name: '45 × 12' }).click();
  await expect(chat.replies.last()).toContainText('45 × 12 = 540');
});

test('what the offline assistant can’t answer, a connected model does at a click, for that message alone', async ({
  page,
  service,
  chat,
  serve,
}) => {
  await chat.open(service.pageUrl);
  await chat.say('Write a poem about autumn');
  await expect(chat.replies.last().getByRole('link', { name: 'Connect a model…' })).toBeVisible();
  await connect(service, await serve({ models: ['small', 'large'] }), 'Workshop');
  await page.reload();
  const offers = chat.replies.last().getByRole('group', { name: 'What may answer this' });
  await expect(offers.getByRole('button', { name: 'Answer with large' })).toBeVisible();
  await offers.getByRole('button', { name: 'Answer with small' }).click();
  await expect(chat.replies).toContainText('this is a plain reply');
  await expect(chat.replies).toContainText('2 / 2');
  await expect(page.getByRole('button', { name: 'Model: Offline assistant' })).toBeVisible();
  await expect(offers).toHaveCount(0);

  await chat.replies.last().getByRole('button', { name: 'Retry with another model' }).click();
  await page.getByRole('option', { name: 'large' }).click();
  await expect(chat.replies).toContainText('3 / 3');
  await expect(chat.replies).toContainText('large');
  await expect(page.getByRole('button', { name: 'Model: Offline assistant' })).toBeVisible();

  await page.goto(`${service.baseUrl}/#/`);
  await expect(page.getByRole('button', { name: 'Model: Offline assistant' })).toBeVisible();
});

test('a chat’s parameters reach the model, stay, say what is wrong with them, and go when they are emptied', async ({
  page,
  service,
  chat,
  serve,
}) => {
  const server = await serve({ models: ['small'] });
  await connect(service, server, 'Workshop');
  await chat.open(service.pageUrl);
  const button = page.getByRole('button', { name: /^Model: / });
  const dialog = page.getByRole('dialog', { name: 'Instructions and parameters' });
  const openParameters = async (): Promise<void> => {
    await page.getByRole('button', { name: /^Instructions and parameters/ }).click();
    await expect(dialog).toBeVisible();
  };
  const temperature = dialog.getByLabel('Temperature');
  await button.click();
  await page.getByRole('option', { name: 'small' }).click();
  await openParameters();
  await expect(temperature).toHaveAttribute('placeholder', 'Default');
  await temperature.fill('3');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Enter a number from 0 to 2.')).toBeVisible();
  await expect(temperature).toBeFocused();
  await temperature.fill('0,5');
  await dialog.getByLabel('Instructions').fill('Answer in rhyme.');
  await dialog.getByLabel('Stop words').fill('END');
  await dialog.getByLabel('Reasoning effort').selectOption('High');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  await chat.say('Hello');
  await expect(chat.replies).toContainText('this is a plain reply');
  // The title is asked for after the reply.
  const asked = (): string[] => server.asked().map(({ body }) => JSON.stringify(body));
  expect(asked()[0]).toContain('Answer in rhyme.');
  expect(server.asked()[0]?.body).toMatchObject({
    temperature: 0.5,
    stop: ['END'],
    reasoning_effort: 'high',
  });

  await page.reload();
  await openParameters();
  await expect(temperature).toHaveValue('0.5');
  await dialog.getByRole('button', { name: 'Clear all' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  await chat.say('Once more');
  await expect(chat.replies).toHaveCount(2);
  await expect(chat.replies.last()).toContainText('this is a plain reply');
  expect(asked().at(-1)).not.toContain('Answer in rhyme.');
  expect(server.asked().at(-1)?.body).not.toHaveProperty('temperature');
});

test('what a program asked without tools is answered with them at a click', async ({
  page,
  service,
  chat,
}) => {
  const { id } = await service.createChat();
  await service.call('POST', `/api/v1/chats/${id}/messages`, { content: 'What is 2 + 3?', mode: 'chat' });
  await chat.open(service.pageUrl);
  await page.goto(`${service.baseUrl}/#/chats/${id}`);
  await chat.replies.last().getByRole('button', { name: 'Answer with tools' }).click();
  await expect(chat.replies).toContainText('5');
});

test('the model of new chats is the workspace’s, and stays when it can’t be saved', async ({
  page,
  service,
  chat,
  serve,
  watch,
}) => {
  watch.expected.push(/status of 507/);
  await connect(service, await serve({ models: ['small'] }), 'Workshop');
  await chat.open(service.pageUrl);
  await openModels(page, service);
  await page.getByRole('button', { name: 'Model for new chats: Offline assistant' }).click();
  await page.getByRole('option', { name: 'small' }).click();
  await expect(page.getByText('Saved')).toBeVisible();
  const { workspaces } = await service.call<{ workspaces: Workspace[] }>('GET', '/api/v1/workspaces');
  expect(workspaces[0]?.defaultModel).toBe('workshop/small');
  await page.reload();
  await page.goto(`${service.baseUrl}/#/`);
  await expect(page.getByRole('button', { name: 'Model: small' })).toBeVisible();

  await openModels(page, service);
  await page.route('**/api/v1/workspaces/*', (route) =>
    route.fulfill({
      status: 507,
      json: { error: { code: 'storage_full', message: 'Full.', requestId: 'x' } },
    }),
  );
  await page.getByRole('button', { name: 'Model for new chats: small' }).click();
  await page.getByRole('option', { name: 'Offline assistant' }).click();
  await expect(page.getByText(/Not saved\. Full\./)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Model for new chats: small' })).toBeVisible();
});

test('removing asks first, says how chats go on, and a model that is gone is shown as such', async ({
  page,
  service,
  chat,
  serve,
}) => {
  await connect(service, await serve({ models: ['small'] }), 'Workshop');
  await chat.open(service.pageUrl);
  await page.getByRole('button', { name: /^Model: / }).click();
  await page.getByRole('option', { name: 'small' }).click();
  await chat.say('Hello');
  await expect(chat.replies).toHaveAttribute('data-status', 'complete');
  const place = page.url();

  await openModels(page, service);
  await page.getByRole('button', { name: 'Remove “Workshop”…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove “Workshop”?' });
  await expect(dialog).toContainText('choose another model in it');
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('“Workshop” was removed.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add a connection…' })).toBeFocused();
  expect(await connectionsOf(service)).toEqual([]);

  await page.goto(place);
  await expect(chat.replies).toContainText('this is a plain reply');
  await page.getByRole('button', { name: 'Model: small, no longer available' }).click();
  await expect(page.getByRole('option', { name: /small/ })).toContainText('No longer available');
  await page.keyboard.press('Escape');
  await chat.say('And again');
  const failed = chat.replies.last();
  await expect(failed).toHaveAttribute('data-status', 'error');
  await failed.getByRole('button', { name: 'Choose another model' }).click();
  await page.getByRole('option', { name: 'Offline assistant' }).click();
  await expect(chat.replies.last()).toHaveAttribute('data-status', 'complete');
  await expect(page.getByRole('button', { name: 'Model: Offline assistant' })).toBeVisible();
});

test('a reply that failed because its server is down can be had from another model', async ({
  page,
  service,
  chat,
  serve,
  watch,
}) => {
  // The list of models asks the server that is down.
  watch.expected.push(/409 \(Conflict\)/);
  await connect(service, await serve({ models: ['small'], scenario: 'key-refused' }), 'Workshop');
  const gone = await serve({ models: ['large'] });
  await connect(service, gone, 'Cellar');
  await gone.close();
  await chat.open(service.pageUrl);
  const failed = chat.replies.last().locator('.failed');
  const actions = failed.getByRole('button').or(failed.getByRole('link'));
  for (const [model, offered] of [
    ['large', [/Retry/, /Choose another model/]],
    ['small', [/Open the connection/, /Choose another model/]],
  ] as const) {
    await page.getByRole('button', { name: /^Model: / }).click();
    await page.getByRole('option', { name: model }).click();
    await chat.say('Hello');
    await expect(actions).toHaveText([...offered]);
  }
  await failed.getByRole('button', { name: 'Choose another model' }).click();
  await page.getByRole('option', { name: 'Offline assistant' }).click();
  await expect(chat.replies.last()).toHaveAttribute('data-status', 'complete');
});

test('many models are filtered by what is typed, and chosen with the keyboard alone', async ({
  page,
  service,
  chat,
  serve,
}) => {
  await connect(service, await serve({ models: MANY }), 'Router');
  await chat.open(service.pageUrl);
  await chat.message.press('Alt+m');
  const filter = page.getByRole('combobox', { name: 'Find a model' });
  await expect(filter).toBeFocused();
  await expect(page.getByRole('option')).toHaveCount(241);
  await filter.pressSequentially('model-23');
  const options = page.getByRole('option');
  await expect(options).toHaveCount(11);
  await filter.press('ArrowDown');
  const active = await filter.getAttribute('aria-activedescendant');
  await expect(page.locator(`[id="${active}"]`)).toHaveText('vendor-6/model-230');
  await filter.press('Enter');
  await expect(page.getByRole('button', { name: 'Model: vendor-6/model-230' })).toBeVisible();

  // Now that the models are known, the filter is there from the start.
  await chat.message.press('Alt+m');
  await expect(filter).toBeFocused();
  await expect(page.getByRole('option', { selected: true })).toBeInViewport();
  await filter.fill('nothing of the kind');
  await expect(page.getByText('No model matches “nothing of the kind”.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Model: vendor-6/model-230' })).toBeFocused();
});

test('the list asks the servers again when it opens: a new model and a new agent appear, a stopped server says so, and favourites stay on top', async ({
  page,
  service,
  chat,
  serve,
  watch,
}) => {
  watch.expected.push(/status of 409/);
  const listed = ['small'];
  const server = await serve({ models: listed });
  await connect(service, server, 'Workshop');
  await chat.open(service.pageUrl);
  listed.push('large');
  await service.call('POST', '/api/v1/agents', { name: 'Coach' });
  await page.getByRole('button', { name: /^Model: / }).click();
  await expect(page.getByRole('option', { name: 'large' })).toBeVisible();
  await page.getByRole('option', { name: 'small' }).getByTitle('Favourite').click();
  await expect(page.getByRole('group', { name: 'Favourites' }).getByRole('option')).toHaveText([/small/]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Agent: / }).click();
  await expect(page.getByRole('radio', { name: 'Coach' })).toBeVisible();
  await page.keyboard.press('Escape');

  const message = 'No answer from the server: start it there, or check the address and the port.';
  await page.route('**/api/v1/connections/*/refresh', (route) =>
    route.fulfill({ status: 409, json: { error: { code: 'conflict', message, requestId: 'x' } } }),
  );
  await page.reload();
  await page.getByRole('button', { name: /^Model: / }).click();
  await expect(page.getByRole('group', { name: 'Favourites' }).getByRole('option')).toHaveText([/small/]);
  const stopped = page.getByRole('group', { name: /^Workshop/ });
  await expect(stopped).toContainText('No answer from');
  // Its name isn't squeezed by the reason.
  expect((await stopped.getByText('Workshop', { exact: true }).boundingBox())?.height).toBeLessThan(30);
  await expectAccessibleInBoth(page, 'a stopped server');
});

test('a narrow window shows a model’s own name whole beside the other controls', async ({
  page,
  service,
  chat,
  serve,
}) => {
  await connect(service, await serve({ models: ['anthropic/claude-opus-5'] }), 'Router');
  await page.setViewportSize({ width: 400, height: 800 });
  await chat.open(service.pageUrl);
  await page.getByRole('button', { name: /^Model: / }).click();
  await page.getByRole('option', { name: 'claude-opus' }).click();
  const name = page
    .getByRole('button', { name: 'Model: anthropic/claude-opus-5' })
    .getByText('claude-opus-5');
  await expect(name).toBeVisible();
  expect(await name.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
  await expect(page.getByRole('switch', { name: 'Tools' })).toBeVisible();
});

test('a model of a server that lists none is typed, and chosen with Enter', async ({
  page,
  service,
  chat,
  serve,
}) => {
  await connect(service, await serve({ models: [] }), 'Box');
  await chat.open(service.pageUrl);
  await chat.message.press('Alt+m');
  const filter = page.getByRole('combobox', { name: 'Find a model' });
  await expect(page.getByText('Box doesn’t list its models. Type the name of one.')).toBeVisible();
  await filter.fill('org/hidden-7b');
  await expect(page.getByRole('option')).toHaveText(['org/hidden-7b']);
  await filter.press('Enter');
  await expect(page.getByRole('button', { name: 'Model: org/hidden-7b' })).toBeVisible();
  await chat.message.press('Alt+m');
  await expect(page.getByRole('option', { selected: true })).toHaveText('org/hidden-7b');
  await filter.fill('two words');
  await expect(page.getByText('No model matches “two words”.')).toBeVisible();
});

test('the button that opened the models closes them again, and so does a click beside them', async ({
  page,
  service,
  chat,
}) => {
  await chat.open(service.pageUrl);
  const button = page.getByRole('button', { name: 'Model: Offline assistant' });
  const models = page.getByRole('dialog', { name: 'Models' });
  await button.click();
  await expect(models).toBeVisible();
  await button.click();
  await expect(models).toHaveCount(0);
  await button.click();
  await expect(models).toBeVisible();
  await page.getByRole('heading', { name: 'What can I do for you?' }).click();
  await expect(models).toHaveCount(0);
});

test('every way to “Connect a model” opens the dialog for a new connection', async ({
  page,
  service,
  chat,
}) => {
  await chat.open(service.pageUrl);
  const dialog = page.getByRole('dialog', { name: 'Add a connection' });
  const back = async (): Promise<void> => {
    await expect(dialog).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await page.getByRole('link', { name: 'Back to the chat' }).click();
    await expect(chat.message).toBeVisible();
  };
  await page.getByRole('link', { name: 'Connect a model', exact: true }).click();
  await dialog.getByText('OpenRouter', { exact: true }).click();
  await expect(dialog.getByLabel('Address')).toHaveValue('https://openrouter.ai/api/v1');
  await back();
  await page.getByRole('button', { name: 'Model: Offline assistant' }).click();
  await page.getByRole('link', { name: 'Connect a model…' }).click();
  await back();
  await chat.choose('connect a mod');
  await back();
  await chat.message.press('Alt+Shift+m');
  await back();
  await openModels(page, service);
  await expect(dialog).toHaveCount(0);
});

test('a server found on this computer is connected with one click', async ({
  page,
  service,
  chat,
  serve,
}) => {
  const server = await serve({ models: ['small', 'large'] });
  const found = [
    { provider: 'openai_compatible', name: 'LM Studio', baseUrl: server.baseUrl, models: ['small', 'large'] },
  ];
  let isRunning = false;
  await page.route('**/api/v1/connections/found', (route) =>
    route.fulfill({ json: { servers: isRunning ? found : [] } }),
  );
  await chat.open(service.pageUrl);
  await openModels(page, service);
  await expect(page.getByText(/^No new model servers found/)).toBeVisible();
  isRunning = true;
  await page.getByRole('button', { name: 'Look again' }).click();
  await page.getByRole('button', { name: `Connect LM Studio at ${hostOf(server)}` }).click();
  await expect(page.getByText('“LM Studio” is connected, with 2 models.')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Model servers found on this computer' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Look again' })).toBeFocused();
  expect((await connectionsOf(service)).map(({ name }) => name)).toEqual(['LM Studio']);
});

test('the first screen says what works now, offers a server that was found, and begins with its model', async ({
  page,
  service,
  chat,
  serve,
}) => {
  const { baseUrl } = await serve({ models: ['small'] });
  const found = [{ provider: 'openai_compatible', name: 'LM Studio', baseUrl, models: ['small'] }];
  await page.route('**/api/v1/connections/found', (route) => route.fulfill({ json: { servers: found } }));
  await chat.open(service.pageUrl);
  const cards = page.getByRole('list', { name: 'Examples' }).getByRole('listitem');
  await expect(cards.first()).toContainText('LM Studio runs on this computer.');
  await expect(page.getByText(/^Without a model, Parley calculates/)).toBeVisible();
  await expect(chat.message).toHaveAttribute('placeholder', /^Calculate, convert/);
  await page.getByRole('button', { name: 'Connect it' }).click();
  await expect(page.getByText('“LM Studio” is connected, with 1 model.')).toBeVisible();
  // Nobody had chosen a model for new chats: this one begins with what was connected.
  await expect(page.getByText('New chats use small.')).toHaveCount(1);
  await expect(page.getByRole('button', { name: /^Model: small/ })).toBeVisible();
  await expect(page.getByText('small answers on this computer.')).toBeVisible();
  await expect(page.getByText(/Without a model|Connect a model$/)).toHaveCount(0);
  await expect(chat.message).toHaveAttribute('placeholder', 'Ask anything');
  await chat.say('Hello');
  await expect(chat.replies).toContainText('this is a plain reply');
});

test('what was entered is not lost by a slip, and a kept key goes to no other server', async ({
  page,
  service,
  chat,
  serve,
}) => {
  const server = await serve();
  const body = { provider: 'openai_compatible', baseUrl: server.baseUrl, name: 'Workshop', apiKey: KEY };
  await service.call('POST', '/api/v1/connections', body);
  await chat.open(service.pageUrl);
  await openModels(page, service);
  await page.getByRole('button', { name: 'Edit “Workshop”…' }).click();
  const dialog = page.getByRole('dialog');
  const address = dialog.getByRole('textbox', { name: 'Address' });
  await address.fill('no address');
  await expect(dialog.getByText('An address looks like')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
  await address.fill('https://models.example.com/v1');
  await expect(dialog.getByText('The stored key belongs to another server.')).toBeVisible();
  await expect(
    dialog.getByText('Chats that use its models send their messages to models.example.com.'),
  ).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await expect(dialog.getByText('Your changes are not saved.')).toBeVisible();
  await dialog.getByRole('checkbox', { name: 'Remove the stored key' }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('“Workshop” was saved.')).toBeVisible();
  expect(await connectionsOf(service)).toMatchObject([
    { baseUrl: 'https://models.example.com/v1', key: 'none' },
  ]);
});

const FINDINGS: Record<Exclude<ConnectionFinding, 'ok'>, string> = {
  unreachable: 'No answer from this address.',
  wrong_address: 'Something else answers there.',
  key_needed: 'It needs a key.',
  wrong_key: 'The key was rejected.',
  no_such_model: 'It has no such model.',
  too_slow: 'It took too long to answer.',
  rate_limited: 'It received too many requests.',
  failed: 'The server reported an error.',
};

test('each finding of a test is told in words of its own, with the service’s sentence', async ({
  page,
  service,
  chat,
}) => {
  let finding: ConnectionFinding = 'ok';
  await page.route('**/api/v1/connections/test', (route) =>
    route.fulfill({ json: { finding, message: `This is ${finding}.`, tookMs: 12, models: [] } }),
  );
  await chat.open(service.pageUrl);
  await openModels(page, service);
  await page.getByRole('button', { name: 'Add a connection…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'Ollama' }).check({ force: true });
  await expect(dialog.getByRole('textbox', { name: 'Address' })).toHaveValue('http://127.0.0.1:11434');
  for (const [name, text] of Object.entries(FINDINGS)) {
    finding = name as ConnectionFinding;
    await dialog.getByRole('button', { name: 'Test connection' }).click();
    await expect(dialog.getByText(`${text} This is ${name}.`)).toBeVisible();
  }
});

test('a list that can’t be had says so, and comes with “Try again”', async ({
  page,
  service,
  chat,
  watch,
}) => {
  watch.expected.push(/status of 500/);
  const refusal = { error: { code: 'internal_error', message: 'x', requestId: 'x' } };
  await page.route('**/api/v1/connections', (route) => route.fulfill({ status: 500, json: refusal }));
  await chat.open(service.pageUrl);
  await openModels(page, service);
  await expect(page.getByText('The connections could not be loaded.')).toBeVisible();
  await page.unroute('**/api/v1/connections');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('Nothing is connected')).toBeVisible();
  await expect(page.getByText('The connections could not be loaded.')).toHaveCount(0);
});

for (const width of [1280, 360]) {
  test.describe(`${width} px wide`, () => {
    test.use({ viewport: { width, height: 740 } });

    test('axe finds nothing wrong with the models, their dialogs and the picker', async ({
      page,
      service,
      chat,
      serve,
    }) => {
      // Colours are the same at every width.
      const check = width === 360 ? expectAccessible : expectAccessibleInBoth;
      const long = 'A connection with a name as long as anybody could wish for, and then some';
      await connect(service, await serve({ models: MANY }), long);
      await page.route('**/api/v1/connections', async (route) => {
        const { connections } = (await (await route.fetch()).json()) as { connections: Connection[] };
        const locked = connections.map((connection): Connection => ({ ...connection, key: 'locked' }));
        await route.fulfill({ json: { connections: locked } });
      });
      await chat.open(service.pageUrl);
      await page.getByRole('button', { name: /^Model: / }).click();
      const name = page.getByText(long, { exact: true });
      const mark = name.locator('xpath=preceding-sibling::*[1]');
      const [beside, text] = [await mark.boundingBox(), await name.boundingBox()];
      expect(beside?.x ?? Infinity, 'the mark stands beside the name').toBeLessThan(text?.x ?? 0);
      await check(page, 'the picker');
      await page.keyboard.press('Escape');
      await openModels(page, service);
      await page.getByText('240 models').click();
      await expect(page.getByText('Its key can’t be decrypted')).toBeVisible();
      await check(page, 'the settings');
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      await page.getByRole('button', { name: `Edit “${long}”…` }).click();
      await page.getByRole('button', { name: 'Test connection' }).click();
      await expect(page.getByText('It works.')).toBeVisible();
      await check(page, 'a connection');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Add a connection…' }).click();
      await page.getByRole('radio', { name: 'Anthropic' }).check({ force: true });
      await check(page, 'a new connection');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: `Remove “${long}”…` }).click();
      await check(page, 'removing');
    });
  });
}

test('choosing who answers sends nothing of what is written so far', async ({
  page,
  service,
  chat,
  serve,
}) => {
  const server = await serve();
  await connect(service, server, 'Box');
  await chat.open(service.pageUrl);
  const picker = page.getByRole('button', { name: /^Model: / });
  await chat.message.fill('Not yet');
  await picker.click();
  await page.getByRole('option', { name: 'fake-model' }).click();
  await page.getByRole('button', { name: 'Instructions and parameters' }).click();
  const dialog = page.getByRole('dialog', { name: 'Instructions and parameters' });
  await dialog.getByRole('button', { name: 'Clear all' }).click();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('switch', { name: 'Tools' }).click();
  await chat.choose('rehearsals');
  await page.getByRole('dialog', { name: 'Rehearsals' }).getByRole('button', { name: 'Close' }).click();
  await expect(chat.message).toHaveValue('Not yet');
  await expect(chat.mine).toHaveCount(0);
  await chat.send.click();
  await expect(chat.mine).toHaveText(/Not yet/);
  await expect(chat.replies).toHaveCount(1);
  expect((await service.call<{ total: number }>('GET', '/api/v1/chats')).total).toBe(1);
});
