import type { Page } from '@playwright/test';
import type { Chat } from '../../shared/api/chat.ts';
import type { Draft } from '../../shared/api/draft.ts';
import { MAX_CONTENT_CHARACTERS } from '../../shared/limits.ts';
import { startModelServer } from '../support/model-servers/model-server.ts';
import type { TestService } from './support/service.ts';
import { ChatPage, expect, NETWORK, OWN_PROCESS, test } from './support/test.ts';

const draftsOf = async (service: TestService): Promise<Draft[]> =>
  (await service.call<{ drafts: Draft[] }>('GET', '/api/v1/drafts')).drafts;
const chatIdOf = (page: Page): string => new URL(page.url()).hash.split('/').at(-1) ?? '';
test.describe('keys', () => {
  test('with the setting turned round, Enter breaks the line and Ctrl+Enter sends, and the hint says so', async ({
    page,
    service,
    chat,
  }) => {
    await service.call('PATCH', '/api/v1/settings', { sendKey: 'mod_enter' });
    await chat.open(service.pageUrl);
    await expect(page.getByText('Ctrl + Enter to send, Enter for a new line')).toBeVisible();
    await chat.message.pressSequentially('What is');
    await chat.message.press('Enter');
    await chat.message.pressSequentially('2 + 3?');
    await expect(chat.message).toHaveValue('What is\n2 + 3?');
    await chat.message.press('Control+Enter');
    await expect(chat.mine).toHaveCount(1);
    await expect(chat.message).toHaveValue('');
  });

  test('the Enter that ends a composition sends nothing', async ({ service, chat }) => {
    await chat.open(service.pageUrl);
    await chat.message.fill('にほん');
    await chat.message.dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true });
    await expect(chat.message).toHaveValue('にほん');
    await expect(chat.mine).toHaveCount(0);
    await chat.message.press('Enter');
    await expect(chat.mine).toHaveCount(1);
  });

  test('ArrowUp in an empty box takes the last own message up for editing; in text it moves', async ({
    page,
    service,
    chat,
  }) => {
    await chat.open(service.pageUrl);
    await chat.say('What is 2 + 3?');
    await expect(chat.replies).toContainText('5');
    await expect(chat.stop).toBeHidden();
    await chat.message.fill('something');
    await chat.message.press('ArrowUp');
    await expect(chat.mine.getByRole('textbox')).toHaveCount(0);
    await chat.message.fill('');
    await chat.message.press('ArrowUp');
    await expect(chat.mine.getByRole('textbox')).toHaveValue('What is 2 + 3?');
    await expect(page.locator('#message')).not.toBeFocused();
  });

  test('Escape does nothing to what is written', async ({ service, chat }) => {
    await chat.open(service.pageUrl);
    await chat.message.fill('kept');
    await chat.message.press('Escape');
    await expect(chat.message).toHaveValue('kept');
  });

  test('Send says why it can’t be used', async ({ service, chat }) => {
    await chat.open(service.pageUrl);
    await expect(chat.send).toBeDisabled();
    await expect(chat.send).toHaveAttribute('title', 'Write a message first');
    await chat.message.fill('x'.repeat(MAX_CONTENT_CHARACTERS + 2));
    await expect(chat.send).toHaveAttribute('title', 'The message is too long');
    await expect(chat.page.getByText('2 characters too many')).toBeVisible();
    await chat.message.fill('fine');
    await expect(chat.send).toBeEnabled();
  });

  test('a long text may have a taller box', async ({ page, service, chat }) => {
    await chat.open(service.pageUrl);
    await chat.message.fill('line\n'.repeat(40));
    const before = await chat.message.boundingBox();
    await page.getByRole('button', { name: 'Make the box taller' }).click();
    const after = await chat.message.boundingBox();
    expect(after?.height).toBeGreaterThan((before?.height ?? 0) + 50);
    await page.getByRole('button', { name: 'Make the box smaller' }).click();
    await expect(chat.message).toBeFocused();
  });
});

test.describe('drafts', () => {
  test('a draft outlives a reload and is gone once sent', async ({ page, service, chat }) => {
    await chat.open(service.pageUrl);
    await chat.message.fill('What is this?');
    await page.reload();
    await expect(chat.message).toHaveValue('What is this?');
    await expect
      .poll(async () => (await draftsOf(service)).map(({ text }) => text))
      .toEqual(['What is this?']);
    await chat.message.press('Enter');
    await expect(chat.replies).toHaveCount(1);
    await expect.poll(() => draftsOf(service)).toEqual([]);
    await page.reload();
    await expect(chat.message).toHaveValue('');
  });

  test(
    'a draft outlives a killed service and comes to a fresh address from it',
    OWN_PROCESS,
    async ({ page, browser, service, chat, watch }) => {
      watch.expected.push(NETWORK);
      await chat.open(service.pageUrl);
      await chat.message.fill('begun here');
      await expect.poll(async () => (await draftsOf(service))[0]?.text).toBe('begun here');
      await page.close();
      await service.restart();

      const context = await browser.newContext();
      const elsewhere = new ChatPage(await context.newPage());
      await elsewhere.open(service.pageUrl.replace('127.0.0.1', 'localhost'));
      await expect(elsewhere.message).toHaveValue('begun here');
      await elsewhere.message.press('Enter');
      await expect(elsewhere.replies).toHaveCount(1);
      await expect.poll(() => draftsOf(service)).toEqual([]);
      await context.close();
    },
  );

  test(
    'what is typed while the service is away reaches it when it is back',
    OWN_PROCESS,
    async ({ service, chat, watch }) => {
      watch.expected.push(NETWORK);
      await chat.open(service.pageUrl);
      await service.kill();
      await chat.message.fill('typed without a service');
      await service.restart();
      await expect(chat.message).toHaveValue('typed without a service');
      await expect.poll(async () => (await draftsOf(service))[0]?.text).toBe('typed without a service');
    },
  );

  test('two windows: the other one shows what is typed, and sending clears both', async ({
    page,
    service,
    chat,
  }) => {
    await chat.open(service.pageUrl);
    const other = new ChatPage(await page.context().newPage());
    await service.call('POST', '/api/v1/chats', {});
    await other.page.goto(`${service.baseUrl}/`);
    await page
      .evaluate(() => sessionStorage.getItem('parley.session'))
      .then((session) =>
        other.page.evaluate((value) => sessionStorage.setItem('parley.session', value ?? ''), session),
      );
    await other.page.reload();
    await expect(other.message).toBeVisible();
    await chat.message.pressSequentially('shared');
    await expect(other.message).toHaveValue('shared');
    await chat.message.press('Enter');
    await expect(chat.mine).toHaveCount(1);
    await expect(other.message).toHaveValue('');
  });
});

test.describe('while a reply is under way', () => {
  test.use({ directed: true });

  test('what is sent waits and says so, and is answered in its turn', async ({ page, service, chat }) => {
    await chat.open(service.pageUrl);
    await chat.say('wait 2500 ms, then say done');
    await expect(chat.stop).toBeVisible();
    await chat.message.fill('say two');
    await expect(page.getByText('Will be answered after the current reply.')).toBeVisible();
    await chat.message.press('Enter');
    await expect(page.getByText('1 message is waiting for the current reply.')).toBeVisible();
    await chat.say('say three');
    await expect(page.getByText('2 messages are waiting for the current reply.')).toBeVisible();
    await expect(chat.mine.nth(1)).toContainText('Waiting for the previous reply');
    await expect(chat.replies).toHaveText([/done/, /two/, /three/]);
    await expect(page.getByText(/waiting for the current reply/)).toBeHidden();
  });

  test('Stop ends it by its shortcut, and what is being written stays', async ({ service, chat }) => {
    await chat.open(service.pageUrl);
    await chat.say('say begun, then hang');
    await expect(chat.replies).toContainText('begun');
    await chat.message.fill('half a thought');
    await chat.message.press('Escape');
    await expect(chat.stop).toBeVisible();
    await chat.message.press('Control+.');
    await expect(chat.stop).toBeHidden();
    await expect(chat.message).toHaveValue('half a thought');
    await expect(chat.message).toBeFocused();
  });
});

test.describe('who answers', () => {
  const agents = [
    { agentType: 'orchestrator', name: 'Assistant', description: 'Answers questions.' },
    { agentType: 'poet', name: 'Poet', description: 'Answers in verse.' },
  ];

  test('the agent that was chosen is the new chat’s, also across a reload, and can be changed', async ({
    page,
    service,
    chat,
  }) => {
    await page.route('**/api/v1/agents', (route) => route.fulfill({ json: { agents } }));
    await chat.open(service.pageUrl);
    await page.getByRole('button', { name: 'Agent: Assistant' }).click();
    const poet = page.getByRole('radio', { name: 'Poet' });
    await poet.check();
    await expect(poet).toHaveAccessibleDescription('Answers in verse.');
    await page.reload();
    await expect(page.getByRole('button', { name: 'Agent: Poet' })).toBeVisible();
    await chat.say('What is 2 + 3?');
    await expect(chat.replies).toContainText('5');
    const agentOf = async () =>
      (await service.call<{ chat: Chat }>('GET', `/api/v1/chats/${chatIdOf(page)}`)).chat.agentType;
    expect(await agentOf()).toBe('poet');
    await page.getByRole('button', { name: 'Agent: Poet' }).click();
    await expect(page.getByText('Applies from your next message.')).toBeVisible();
    await page.getByRole('radio', { name: 'Assistant', exact: true }).check();
    await expect(page.getByRole('button', { name: 'Agent: Assistant' })).toBeVisible();
    await expect.poll(agentOf).toBe('orchestrator');
  });

  test('the next new chat starts with the default again', async ({ page, service, chat }) => {
    await page.route('**/api/v1/agents', (route) => route.fulfill({ json: { agents } }));
    await chat.open(service.pageUrl);
    await page.getByRole('button', { name: 'Agent: Assistant' }).click();
    await page.getByRole('radio', { name: 'Poet' }).check();
    await page.keyboard.press('Escape');
    await chat.say('What is 2 + 3?');
    await expect(chat.replies).toContainText('5');
    await chat.newChat.click();
    await expect(page.getByRole('button', { name: 'Agent: Assistant' })).toBeVisible();
  });

  test('the model picker says what answers, with one model too', async ({ page, service, chat }) => {
    await chat.open(service.pageUrl);
    await page.getByRole('button', { name: 'Model: Offline assistant' }).click();
    const models = page.getByRole('dialog', { name: 'Models' });
    await expect(models.getByRole('option', { name: 'Offline assistant' })).toHaveAttribute(
      'aria-selected',
      'true',
    );
    await expect(models).toContainText('works offline');
    await expect(models.getByRole('link', { name: 'Connect a model' })).toBeVisible();
  });

  test('a model other than the default is set on the chat before its first message', async ({
    page,
    service,
    chat,
    watch,
  }) => {
    watch.expected.push(NETWORK);
    const models = [
      { name: 'offline-assistant', offline: true, connection: null, contextTokens: null },
      { name: 'big-model', offline: true, connection: null, contextTokens: null },
    ];
    const order: string[] = [];
    await page.route('**/api/v1/models', (route) => route.fulfill({ json: { models } }));
    page.on('request', (request) => {
      if (/\/chats/.test(request.url()) && ['POST', 'PATCH'].includes(request.method()))
        order.push(`${request.method()} ${request.postData() ?? ''}`);
    });
    await chat.open(service.pageUrl);
    await page.getByRole('button', { name: 'Model: Offline assistant' }).click();
    await page.getByRole('option', { name: 'big-model' }).click();
    await chat.say('Hello');
    // The service has no such model: it says so, and the message is neither lost nor answered by another.
    await expect(chat.mine).toContainText('Not sent.');
    expect(order.slice(0, 2)).toEqual(['POST {}', 'PATCH {"model":"big-model"}']);
    await page.getByRole('button', { name: 'Edit' }).click();
    await expect(chat.message).toHaveValue('Hello');
    await chat.message.press('Enter');
    await expect(chat.replies).toHaveCount(1);
  });

  test('a rehearsal of the gallery prepares the chat, and what is sent plays it', async ({
    page,
    service,
    chat,
  }) => {
    await chat.open(service.pageUrl);
    await page.getByRole('button', { name: 'Model: Offline assistant' }).click();
    await expect(page.getByRole('option')).toHaveText([/Offline assistant/]);
    await page.keyboard.press('Escape');
    await chat.choose('rehearsals');
    const gallery = page.getByRole('dialog', { name: 'Rehearsals' });
    await expect(gallery.getByRole('listitem')).toHaveCount(9);
    await gallery.getByRole('button', { name: /^Tools at work/ }).click();
    await expect(page.getByRole('button', { name: 'Model: Rehearsal: tools' })).toBeVisible();
    await expect(chat.message).toBeFocused();
    await expect(chat.message).toHaveValue(
      'Work out the diagonal of a square of 1,000 metres, and its area.',
    );
    await chat.message.press('Enter');
    await expect(chat.replies).toContainText('under nine tenths of a mile');
    await expect(chat.mine).toContainText('Work out the diagonal');
    await expect(chat.mine).not.toContainText('::tool');
    // It is for this chat alone.
    await chat.newChat.click();
    await expect(page.getByRole('button', { name: 'Model: Offline assistant' })).toBeVisible();
  });

  test('what is built in answers with its tools, whatever the mode of new messages', async ({
    page,
    service,
    chat,
  }) => {
    await service.call('PATCH', '/api/v1/settings', { defaultMode: 'chat' });
    await chat.open(service.pageUrl);
    await chat.say('What is 2 + 3?');
    await expect(chat.replies).toContainText('5');
    await expect(page.getByRole('switch', { name: 'Tools' })).toHaveCount(0);
  });

  test('the mode starts as the settings say, is remembered for each chat, and a form goes with tools all the same', async ({
    page,
    service,
    chat,
  }) => {
    const server = await startModelServer('openai', { models: ['small'] });
    try {
      await service.call('PATCH', '/api/v1/settings', { defaultMode: 'chat' });
      const { baseUrl } = server;
      const connection = { provider: 'openai_compatible', name: 'Box', baseUrl };
      await service.call('POST', '/api/v1/connections', connection);
      await chat.open(service.pageUrl);
      await page.getByRole('button', { name: 'Model: Offline assistant' }).click();
      await page.getByRole('option', { name: 'small' }).click();
      const button = page.getByRole('button', { name: /^Model: small/ });
      const tools = page.getByRole('switch', { name: 'Tools' });
      await expect(button).toBeVisible();
      await expect(tools).not.toBeChecked();
      await chat.say('Hello');
      await expect(chat.replies.last()).toContainText('this is a plain reply');
      await expect(chat.mine.last()).toContainText('Without tools');
      expect(server.asked().at(-1)?.body).not.toHaveProperty('tools');
      await chat.say('/calculate 2/4');
      await expect(chat.replies.last()).toContainText('0.5');
      await tools.click();
      await page.reload();
      await expect(tools).toBeChecked();
      await chat.newChat.click();
      await expect(tools).not.toBeChecked();
    } finally {
      await server.close();
    }
  });
});
