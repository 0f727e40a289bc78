import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { takePort } from './support/impostor.ts';
import { ChatPage, expect, NETWORK, OWN_PROCESS, test } from './support/test.ts';

const LOST = /No connection to Parley/;
const PROOF = /^\/health\?nonce=[\w-]{43}$/;

test(
  'another program that takes the port is sent no key and no words, and the page goes on when Parley is back',
  OWN_PROCESS,
  async ({ page, service, chat, watch }) => {
    watch.expected.push(NETWORK);
    await chat.open(service.pageUrl);
    await chat.say('What is 2 + 3?');
    await expect(chat.replies).toContainText('5');
    const kept = await page.evaluate(() => sessionStorage.getItem('parley.session') ?? '');

    await service.kill();
    // It is there before the page asks for the next thing, so that no lost connection warns it.
    const impostor = await takePort(service.baseUrl);
    await expect(page.getByText(LOST)).toBeVisible();
    await chat.say('What is 40 + 2?');
    await expect(chat.mine.last()).toContainText('Not sent yet');
    await expect.poll(() => impostor.seen.length).toBeGreaterThan(2);
    expect(impostor.seen.filter(({ path }) => !PROOF.test(path))).toEqual([]);
    expect(new Set(impostor.seen.map(({ method }) => method))).toEqual(new Set(['GET']));
    expect(impostor.seen.filter(({ authorization }) => authorization !== undefined)).toEqual([]);
    const { apiKey } = JSON.parse(kept) as { apiKey: string };
    for (const secret of [apiKey, '40 + 2', 'back_']) {
      expect(impostor.seen.filter(({ text }) => text.includes(secret))).toEqual([]);
    }

    await impostor.close();
    await service.restart();
    await expect(chat.replies).toHaveCount(2);
    await expect(chat.replies.last()).toContainText('42');
    await expect(chat.mine).toHaveCount(2);
    await expect(page.getByText(LOST)).toBeHidden();
  },
);

test(
  'a Parley with new data is not taken for the one that was known, until its link is opened',
  OWN_PROCESS,
  async ({ page, service, chat, watch }) => {
    watch.expected.push(NETWORK);
    await chat.open(service.pageUrl);
    await service.kill();
    await rm(join(service.dataDir, 'identity'));
    await service.restart();
    await page.reload();
    await expect(page.getByRole('heading', { name: 'This is not your Parley' })).toBeVisible();
    await expect(page.getByText('npm run serve')).toBeVisible();
    await chat.open(service.pageUrl);
    await page.reload();
    await chat.say('What is 40 + 2?');
    await expect(chat.replies).toContainText('42');
  },
);

test(
  'a browser that signed in opens new tabs without a link, also after a restart, until it is signed out',
  OWN_PROCESS,
  async ({ page, service, chat, watch }) => {
    watch.expected.push(NETWORK);
    await chat.open(service.pageUrl);
    await service.restart();
    const other = new ChatPage(await page.context().newPage());
    await other.page.goto(service.baseUrl);
    await expect(other.message).toBeVisible();
    await other.say('What is 40 + 2?');
    await expect(other.replies).toContainText('42');
    await service.call('DELETE', '/api/v1/sessions');
    for (const tab of [page, other.page]) {
      await expect(tab.getByRole('heading', { name: 'Your session has ended' })).toBeVisible();
    }
    await other.page.reload();
    await expect(other.page.getByRole('heading', { name: 'Your session has ended' })).toBeVisible();
    await other.open(await service.pageLink());
  },
);

test(
  'a window that was opened by a second start’s link goes on when it makes a new local key, also after a restart',
  OWN_PROCESS,
  async ({ page, browser, service, chat, watch }) => {
    watch.expected.push(NETWORK);
    await chat.open(await service.pageLink());
    const elsewhere = new ChatPage(await (await browser.newContext()).newPage());
    await elsewhere.open(service.pageUrl);

    await page.goto(`${service.baseUrl}/#/settings/api`);
    await page.getByRole('button', { name: 'Replace…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Replace the local key?' });
    await expect(dialog).toContainText('Other browsers that signed in with it');
    await expect(dialog).toContainText('This window');
    await dialog.getByRole('button', { name: 'Replace key' }).click();
    await expect(page.getByText('The local key was replaced.')).toBeVisible();
    await expect(elsewhere.page.getByRole('heading', { name: 'Your session has ended' })).toBeVisible();
    await elsewhere.page.context().close();

    await service.restart();
    await page.goto(`${service.baseUrl}/#/`);
    await page.reload();
    await chat.say('What is 40 + 2?');
    await expect(chat.replies).toContainText('42');
  },
);

test('the settings list the browsers that are signed in, and sign them out', async ({
  page,
  browser,
  service,
  chat,
  watch,
}) => {
  watch.expected.push(NETWORK);
  await chat.open(service.pageUrl);
  const openElsewhere = async (): Promise<ChatPage> => {
    const elsewhere = new ChatPage(await (await browser.newContext()).newPage());
    await elsewhere.open(await service.pageLink());
    return elsewhere;
  };
  const isOut = async ({ page: other }: ChatPage): Promise<void> => {
    await expect(other.getByRole('heading', { name: 'Your session has ended' })).toBeVisible();
    await other.context().close();
  };
  const first = await openElsewhere();
  await page.goto(`${service.baseUrl}/#/settings/api`);
  const list = page.getByRole('list', { name: 'Signed-in browsers' });
  await expect(list.getByRole('listitem')).toHaveCount(2);
  const own = list.getByRole('listitem').filter({ hasText: 'This browser' });
  await expect(own).toContainText('Chrome on Linux');
  await expect(own).toContainText('Sign-in link or local key');
  await list
    .getByRole('listitem')
    .filter({ hasNotText: 'This browser' })
    .getByRole('button', { name: 'Sign out' })
    .click();
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await expect(own.getByRole('button', { name: 'Sign out' })).toBeFocused();
  await isOut(first);

  const [second, third] = [await openElsewhere(), await openElsewhere()];
  await page.getByRole('button', { name: 'Sign out everywhere else…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByText('All other browsers were signed out.')).toBeVisible();
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await isOut(second);
  await isOut(third);
});
