import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Locator } from '@playwright/test';
import { axe, expectAccessible } from './support/axe.ts';
import { ask, askedIn, rehearse } from './support/rehearse.ts';
import { expect, test, type ChatPage } from './support/test.ts';

const ADD = '::tool add_line {"text":"one"}';
const LONG_TEXT = Array.from({ length: 60 }, (_, index) => `line ${index} **not bold** <b>nor this</b>`).join(
  '\n',
);

const markOf = (chat: ChatPage): Locator => chat.chats.getByText('Needs your answer');

test.use({ asking: { approvalMs: null } });

test('a tool that asks is a card, nothing seems to be at work, and a yes has it done', async ({
  page,
  service,
  chat,
}) => {
  const { card, once, always, all } = await ask(page, chat, service, 'Before.', ADD, 'After.');
  await expect(card).toContainText('“Add line” needs your answer');
  await expect(card).toContainText('one');
  await expect(card).toContainText('No answer within an hour counts as a no.');
  await expect(always).toBeVisible();
  await expect(chat.replies.last()).not.toContainText(/Writing|Working/);
  await expect(page.getByText('The reply is waiting for your answer.')).toBeVisible();
  await expect(chat.stop).toBeVisible();
  await expect(markOf(chat)).toBeVisible();
  await expect(once).toHaveAccessibleName('Allow once: “Add line”, one');
  await once.click();
  await expect(all).toHaveCount(0);
  await expect(chat.replies.last()).toContainText('After.');
  await expect(markOf(chat)).toHaveCount(0);
  await expect(page.getByText('The reply is waiting for your answer.')).toHaveCount(0);
  await chat.replies.last().locator('summary').click();
  await expect(chat.replies.last()).toContainText('"count": 1');
});

test('a tool stands where it was called, before and after the answer: nothing jumps above the text before it', async ({
  page,
  service,
  chat,
}) => {
  const { once, all } = await ask(page, chat, service, 'Before.', ADD, 'After.');
  const reply = chat.replies.last();
  const order = (): Promise<string[]> =>
    reply.evaluate((article) =>
      [...article.querySelectorAll(':scope > .markdown, [data-approval], summary')].map((part) =>
        part.matches('summary') ? 'step' : part.matches('section') ? 'question' : part.textContent.trim(),
      ),
    );
  expect(await order()).toEqual(['Before.', 'question']);
  await once.click();
  await expect(all).toHaveCount(0);
  await expect(reply).toContainText('After.');
  expect(await order()).toEqual(['Before.', 'step', 'After.']);
  await page.reload();
  await expect(reply).toContainText('After.');
  expect(await order()).toEqual(['Before.', 'step', 'After.']);
});

test('a file that is replaced is shown by what changes in it', async ({ page, service, chat }) => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'parley-e2e-diff-')));
  const path = join(root, 'list.md');
  const before = Array.from({ length: 40 }, (_, index) => `line ${index}\n`).join('');
  await writeFile(path, before);
  await service.call('POST', '/api/v1/folders', { path: root });
  const input = { path: `${basename(root)}/list.md`, text: before.replace('line 20\n', 'two loaves\n') };
  const { card, once, all } = await ask(
    page,
    chat,
    service,
    `::tool write_file ${JSON.stringify(input)}`,
    'Done.',
  );
  await expect(card.locator('.removed')).toHaveText('-line 20');
  await expect(card.locator('.added')).toHaveText('+two loaves');
  await expect(card).not.toContainText('line 30');
  expect((await axe(page).analyze()).violations).toEqual([]);
  await once.click();
  await expect(all).toHaveCount(0);
  await expect(chat.replies.last()).toContainText('Done.');
  expect(await readFile(path, 'utf8')).toContain('line 19\ntwo loaves\nline 21');
  await rm(root, { recursive: true, force: true });
});

test('a no is kept as not allowed, not as an error', async ({ page, service, chat }) => {
  const { deny, all } = await ask(page, chat, service, ADD, 'Then not.');
  await deny.click();
  await expect(all).toHaveCount(0);
  const reply = chat.replies.last();
  await expect(reply).toContainText('Then not.');
  await expect(reply.locator('summary')).toContainText('not allowed');
  await reply.locator('summary').click();
  await expect(reply).toContainText('The answer was no, so this was not done.');
  await expect(reply).not.toContainText('Error');
  await page.reload();
  await expect(reply.locator('summary')).toContainText('not allowed');
});

test('“Always allow” lets the tool do it from then on, until the settings take that back', async ({
  page,
  service,
  chat,
}) => {
  const { always, all } = await ask(page, chat, service, ADD, 'First.');
  await expect(all).toContainText('later use of this tool in this workspace');
  await always.click();
  await expect(chat.replies.last()).toContainText('First.');
  const again = await rehearse(service, 'Again', ADD, 'Second.');
  await page.goto(`${service.baseUrl}/#/chats/${again}`);
  await expect(chat.replies.last()).toContainText('Second.');
  await expect(all).toHaveCount(0);

  await page.goto(`${service.baseUrl}/#/settings/tools`);
  const list = page.getByRole('list', { name: 'Always allowed' });
  await expect(list).toContainText('add_line');
  await expect(list.getByRole('listitem')).toHaveCount(1);
  expect((await axe(page).analyze()).violations).toEqual([]);
  await page.getByRole('button', { name: 'Ask again: Add line' }).click();
  await expect(list).toHaveCount(0);
  await expect(page.getByText('None: every tool')).toBeFocused();
  const third = await rehearse(service, 'Third', ADD);
  await page.goto(`${service.baseUrl}/#/chats/${third}`);
  await expect(all).toHaveCount(1);
});

test('what can’t be remembered has no “Always allow”', async ({ page, service, chat }) => {
  const { card, always, once } = await ask(page, chat, service, '::approve Paint the fence?', 'Painted.');
  await expect(card).toContainText('A tool needs your answer');
  await expect(card).toContainText('Paint the fence?');
  await expect(always).toHaveCount(0);
  await expect(card).not.toContainText('Always allow');
  await once.click();
  await expect(chat.replies.last()).toContainText('Painted.');
});

test('the input stands open, as plain text with nothing hidden in it; a long text scrolls', async ({
  page,
  service,
  chat,
}) => {
  const input = { text: LONG_TEXT, path: 'garden/plan\u202Etxt.exe', options: { overwrite: true } };
  const { card } = await ask(page, chat, service, `::tool add_line ${JSON.stringify(input)}`);
  const whole = card.getByRole('region', { name: 'Input' });
  await expect(whole).toContainText('line 0 **not bold** <b>nor this</b>');
  await expect(whole).toContainText('line 59 **not bold** <b>nor this</b>');
  await expect(whole).toContainText('line 30 **not bold** <b>nor this</b>');
  await expect(whole).toContainText('garden/plan[U+202E]txt.exe');
  await expect(whole).toContainText('"overwrite": true');
  await expect(whole.locator('b, strong')).toHaveCount(0);
  expect((await whole.boundingBox())?.height).toBeLessThan(430);
  const long = whole.getByRole('group', { name: 'text' });
  await long.focus();
  await page.keyboard.press('PageDown');
  await expect.poll(() => long.evaluate((element) => element.scrollTop)).toBeGreaterThan(100);
  await expectAccessible(page);
});

test('it all goes by keyboard: no button has the focus by itself, Enter in the box answers nothing, Escape is a no', async ({
  page,
  service,
  chat,
}) => {
  const { card, once, all } = await ask(
    page,
    chat,
    service,
    '::approve First?',
    'Middle.',
    '::approve Second?',
    'End.',
  );
  await expect(chat.message).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await expect(card).toContainText('First?');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(card).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(once).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(card).toContainText('Second?');
  // The card has gone with the focus, which must not be lost; and it is on no answer.
  await expect(card.or(chat.message).and(page.locator(':focus'))).toHaveCount(1);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('go to the tool that needs');
  await page.keyboard.press('Enter');
  await expect(card).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(all).toHaveCount(0);
  await expect(chat.replies.last()).toContainText('End.');
  await expect(chat.replies.last().locator('summary').nth(1)).toContainText('not allowed');
  await expect(chat.message).toBeFocused();
});

test('the palette answers what is asked alone', async ({ page, service, chat }) => {
  const { all } = await ask(page, chat, service, '::approve Paint?', 'Done.');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('allow once');
  await page.keyboard.press('Enter');
  await expect(all).toHaveCount(0);
  await expect(chat.replies.last()).toContainText('Done.');
});

test('several cards in one reply are answered each for itself', async ({ page, service, chat }) => {
  const { all, card } = await ask(
    page,
    chat,
    service,
    ADD,
    '::approve Paint?',
    '::tool look {"text":""}',
    'Done.',
  );
  await expect(all).toHaveCount(2);
  await all
    .nth(1)
    .getByRole('button', { name: /^Don’t allow/ })
    .click();
  await expect(all).toHaveCount(1);
  await expect(card).toContainText('Add line');
  await expect(markOf(chat)).toBeVisible();
  await card.getByRole('button', { name: /^Allow once/ }).click();
  await expect(chat.replies.last()).toContainText('Done.');
  const steps = chat.replies.last().locator('summary');
  await expect(steps).toHaveCount(3);
  await expect(steps.nth(1)).toContainText('not allowed');
});

test('a card goes when the answer comes from elsewhere, and stopping works meanwhile', async ({
  page,
  service,
  chat,
}) => {
  const { id, all } = await ask(page, chat, service, ADD, '::approve Paint?', 'Done.', '---', ADD);
  await expect(all).toHaveCount(2);
  // Streams tell of it a moment before the messages do.
  await expect.poll(async () => (await askedIn(service, id)).length).toBe(2);
  const [first, second] = await askedIn(service, id);
  await service.call('POST', `/api/v1/chats/${id}/approvals/${first?.id}`, { decision: 'approve' });
  await expect(all).toHaveCount(1);
  await service.call('POST', `/api/v1/chats/${id}/approvals/${second?.id}`, { decision: 'deny' });
  await expect(all).toHaveCount(0);
  await expect(chat.replies.last()).toContainText('Done.');
  await chat.say('go on');
  await expect(all).toHaveCount(1);
  await chat.stop.click();
  await expect(all).toHaveCount(0);
  await expect(chat.replies.last()).toContainText('Stopped before anything was written.');
  await expect(markOf(chat)).toHaveCount(0);
});
