/** The small window of the desktop app, as far as its page goes: the main process is stood in for. */
import type { Page } from '@playwright/test';
import type { Chat, ChatList } from '../../shared/api/chat.ts';
import type { Workspace } from '../../shared/api/workspace.ts';
import { expectAccessible, expectAccessibleInBoth } from './support/axe.ts';
import { giveBridge, type TestBridge } from './support/bridge.ts';
import { ChatPage, expect, OWN_PROCESS, test } from './support/test.ts';
import type { TestService } from './support/service.ts';

test.use({ viewport: { width: 640, height: 480 } });

async function openQuickAsk(page: Page, service: TestService): Promise<TestBridge> {
  const bridge = await giveBridge(page, service, { window: 'quick-ask' });
  await page.goto(`${service.baseUrl}/#/quick-ask`);
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();
  return bridge;
}

const chatsOf = async (service: TestService): Promise<Chat[]> =>
  (await service.call<ChatList>('GET', '/api/v1/chats')).data;

/** The window goes out of sight, or comes back, as far as its page can tell. */
const setHidden = (page: Page, hidden: boolean): Promise<void> =>
  page.evaluate((now) => {
    Object.defineProperty(document, 'hidden', { configurable: true, value: now });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);

async function show(page: Page, bridge: TestBridge): Promise<void> {
  await setHidden(page, false);
  await bridge.order({ type: 'shown' });
}

test('a question is answered in a chat of its own, follow-ups in the same, and another begins anew', async ({
  page,
  service,
  chat,
}) => {
  const bridge = await openQuickAsk(page, service);
  await expect(page.getByRole('button', { name: 'Attach files' })).toHaveCount(0);
  await chat.say('What is 2 + 3?');
  await expect(chat.replies).toContainText('5');
  await chat.say('And 4 + 4?');
  await expect(chat.replies).toHaveCount(2);
  await expect(chat.replies.last()).toContainText('8');
  const [first] = await chatsOf(service);
  await page.keyboard.press('Control+o');
  await page.getByRole('button', { name: 'New question' }).click();
  await expect(chat.replies).toHaveCount(0);
  await expect(chat.message).toBeFocused();
  await page.getByRole('button', { name: 'Open in Parley' }).click();
  expect((await bridge.said()).openedInMain).toEqual([first?.id, null]);
  await chat.say('What is 1 + 1?');
  await expect(chat.replies).toContainText('2');
  await expect.poll(async () => (await chatsOf(service)).length).toBe(2);
  await expect.poll(async () => (await chatsOf(service)).some(({ unread }) => unread)).toBe(false);
  expect((await bridge.said()).offers).toEqual([]);
});

test('Escape puts the window away, but not while it has a use of its own', async ({
  page,
  service,
  chat,
}) => {
  const bridge = await openQuickAsk(page, service);
  await chat.say('What is 2 + 3?');
  await expect(chat.replies).toContainText('5');
  await chat.message.press('ArrowUp');
  await expect(page.getByRole('textbox', { name: 'Edited text' })).toBeFocused();
  await page.keyboard.press('Escape');
  expect((await bridge.said()).dismissed).toBe(0);
  await page.keyboard.press('Escape');
  await expect.poll(async () => (await bridge.said()).dismissed).toBe(1);
});

test.describe('shown again', () => {
  test.use({ directed: true });

  test('it is ready for a new question once the last reply has been seen', async ({
    page,
    service,
    chat,
  }) => {
    const bridge = await openQuickAsk(page, service);
    await chat.say('say done');
    await expect(chat.replies).toContainText('done');
    await setHidden(page, true);
    await show(page, bridge);
    await expect(chat.replies).toHaveCount(0);
    await expect(chat.message).toBeFocused();
  });

  test('a reply that comes while the window hasn’t the focus is unread, and there at the next showing', async ({
    page,
    service,
    chat,
  }) => {
    const bridge = await openQuickAsk(page, service);
    await chat.say('stream 10 words at 10/s');
    await expect(chat.replies).toBeVisible();
    await page.evaluate(() => window.dispatchEvent(new Event('blur')));
    await expect(chat.replies).toHaveAttribute('data-status', 'complete');
    await expect.poll(async () => (await chatsOf(service))[0]?.unread).toBe(true);
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await bridge.order({ type: 'shown' });
    await expect.poll(async () => (await chatsOf(service))[0]?.unread ?? false).toBe(false);
    await expect(chat.replies).toHaveCount(1);
  });

  test('what is typed, a reply under way and one that nobody has seen stay', async ({
    page,
    service,
    chat,
  }) => {
    const bridge = await openQuickAsk(page, service);
    await chat.message.fill('half a question');
    await setHidden(page, true);
    await show(page, bridge);
    await expect(chat.message).toHaveValue('half a question');
    await page.reload();
    await expect(chat.message).toHaveValue('half a question');

    await chat.say('stream 20 words at 10/s');
    await expect(chat.replies).toBeVisible();
    await setHidden(page, true);
    await bridge.order({ type: 'shown' });
    await expect(chat.replies).toHaveCount(1);
    await expect(chat.replies).toHaveAttribute('data-status', 'complete');
    await show(page, bridge);
    await expect(chat.replies).toHaveCount(1);
    await setHidden(page, true);
    await show(page, bridge);
    await expect(chat.replies).toHaveCount(0);
  });
});

test('what is being written here and in the main window are two things', async ({ page, service, chat }) => {
  await openQuickAsk(page, service);
  await chat.message.fill('small');
  const other = await page.context().newPage();
  await giveBridge(other, service);
  const main = new ChatPage(other);
  await main.open(`${service.baseUrl}/`);
  await expect(main.message).toHaveValue('');
  await main.message.fill('large');
  await page.reload();
  await expect(chat.message).toHaveValue('small');
});

test('it asks in the workspace that the main window shows', async ({ page, service, chat }) => {
  await service.call<Workspace>('POST', '/api/v1/workspaces', { name: 'Garden' });
  const bridge = await openQuickAsk(page, service);
  const other = await page.context().newPage();
  await giveBridge(other, service);
  await other.setViewportSize({ width: 1280, height: 800 });
  const otherChat = new ChatPage(other);
  await otherChat.open(`${service.baseUrl}/`);
  await otherChat.choose('Garden');
  await expect(other.getByRole('button', { name: /Workspace.*Garden/ })).toBeVisible();
  await setHidden(page, true);
  await show(page, bridge);
  await expect(chat.message).toBeFocused();
  await chat.say('What is 2 + 3?');
  await expect(chat.replies).toContainText('5');
  // What the local key shows is the first workspace: the chat is in the other one.
  expect(await chatsOf(service)).toEqual([]);
});

test(
  'without a service it says so, keeps what is written, and goes on',
  OWN_PROCESS,
  async ({ page, service, chat, watch }) => {
    watch.expected.push(/ERR_|Failed to load|401/);
    const bridge = await openQuickAsk(page, service);
    await service.kill();
    await chat.say('What is 2 + 3?');
    await expect(page.getByText('No connection to Parley’s service')).toBeVisible();
    await expect(page.getByText('Not sent yet')).toBeVisible();
    await setHidden(page, true);
    await show(page, bridge);
    await expect(page.getByText('Not sent yet')).toBeVisible();
    await service.restart();
    await expect(chat.replies).toContainText('5');

    bridge.setRunning(false);
    await page.reload();
    await expect(page.getByRole('heading', { name: 'can’t be reached' })).toBeVisible();
    await expectAccessible(page, 'no session');
    await page.keyboard.press('Escape');
    expect((await bridge.said()).dismissed).toBe(1);
    bridge.setRunning(true);
    await expect(chat.replies).toContainText('5');
  },
);

test('axe finds nothing wrong with it, also when it is narrow', async ({ page, service, chat }) => {
  await openQuickAsk(page, service);
  await expectAccessibleInBoth(page, 'empty');
  await chat.say('What is 2 + 3?');
  await expect(chat.replies).toContainText('5');
  await expectAccessibleInBoth(page, 'answered');
  await page.setViewportSize({ width: 360, height: 480 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await expect(page.getByRole('button', { name: 'Open in Parley' })).toBeInViewport({ ratio: 1 });
});
