import { ask, box, edit, last } from './support/asking.ts';
import { allowClipboard, expect, OWN_PROCESS, test } from './support/test.ts';

test('an edit that was begun outlives a reload, and what was discarded can be had back', async ({
  page,
  chat,
  service,
}) => {
  await chat.open(service.pageUrl);
  await ask(chat, 'What is 17 * 23?', '391');
  await chat.message.press('ArrowUp');
  await expect(box(page)).toBeFocused();
  await box(page).fill('What is 19 *');
  await page.reload();
  await expect(box(page)).toHaveValue('What is 19 *');

  await box(page).press('Escape');
  await expect(box(page)).toBeHidden();
  await expect(chat.mine).toContainText(['17 * 23']);
  await expect(chat.mine.getByRole('button', { name: 'Edit', exact: true })).toBeFocused();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(box(page)).toHaveValue('What is 19 *');
  await box(page).fill('What is 19 * 23?');
  await page.getByRole('button', { name: 'Ask again' }).click();
  await expect(chat.replies).toContainText(['437']);
});

test(
  'an edit waits for a service that is away, and is sent once',
  OWN_PROCESS,
  async ({ page, chat, service, watch }) => {
    watch.expected.push(/ERR_(?:CONNECTION|EMPTY|INCOMPLETE)|401|network error/);
    await chat.open(service.pageUrl);
    await ask(chat, 'What is 17 * 23?', '391');
    await chat.mine.first().hover();
    await chat.mine.getByRole('button', { name: 'Edit', exact: true }).click();
    await service.kill();
    await box(page).fill('What is 19 * 23?');
    await box(page).press('Enter');
    await expect(page.getByText('It will be sent when the service is back.')).toBeVisible();
    await service.restart();
    await expect(chat.replies).toContainText(['437'], { timeout: 30_000 });
    await expect(page.getByRole('group', { name: 'Version 2 of 2' })).toBeVisible();
  },
);

test('an edit whose message another program deletes can be kept as a draft', async ({
  page,
  chat,
  service,
}) => {
  await chat.open(service.pageUrl);
  await ask(chat, 'What is 17 * 23?', '391');
  await chat.message.press('ArrowUp');
  await box(page).fill('What is 19 *');
  const chatId = new URL(page.url()).hash.split('/').at(-1) ?? '';
  const [question] = await service.messages(chatId);
  await service.call('DELETE', `/api/v1/chats/${chatId}/messages/${question?.id ?? ''}`);
  await page.getByRole('button', { name: 'Keep as draft' }).click();
  await expect(chat.message).toHaveValue('What is 19 *');
});

test('a deleted message goes with its reply, and comes back with an undo', async ({
  page,
  chat,
  service,
}) => {
  await chat.open(service.pageUrl);
  await ask(chat, 'What is 17 * 23?', '391');
  await ask(chat, 'What is 6 * 7?', '42');
  await chat.mine.first().hover();
  await chat.mine.first().getByRole('button', { name: 'Delete' }).click();
  await expect(chat.mine).toHaveText([/6 \* 7/]);
  await expect(chat.replies).toHaveText([/42/]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(chat.mine).toHaveText([/17 \* 23/, /6 \* 7/]);
  await expect(chat.replies).toHaveText([/391/, /42/]);

  await chat.replies.last().hover();
  await chat.replies.last().getByRole('button', { name: 'Delete' }).click();
  await expect(chat.replies).toHaveText([/391/]);
  await expect(chat.mine).toHaveCount(2);
  await chat.message.focus();
  await page.getByRole('button', { name: 'Undo' }).last().press('Enter');
  await expect(chat.replies).toHaveText([/391/, /42/]);
  // The notice is gone, and the focus is where it was before.
  await expect(chat.message).toBeFocused();
});

test('a message whose reply was deleted can be answered anew', async ({ chat, service }) => {
  await chat.open(service.pageUrl);
  await ask(chat, 'What is 17 * 23?', '391');
  await expect(chat.mine.getByRole('button', { name: 'Retry' })).toHaveCount(0);
  await chat.replies.first().hover();
  await chat.replies.first().getByRole('button', { name: 'Delete' }).click();
  await expect(chat.replies).toHaveCount(0);
  await chat.mine.first().hover();
  await chat.mine.first().getByRole('button', { name: 'Retry' }).click();
  await expect(chat.replies).toHaveText([/391/]);
});

test('copying gives the Markdown source, and says so', async ({ page, chat, service }) => {
  const copied = await allowClipboard(page);
  await chat.open(service.pageUrl);
  await ask(chat, 'What is 17 * 23?', '391');
  await chat.replies.first().hover();
  await chat.replies.getByRole('button', { name: 'Copy message' }).click();
  await expect(chat.replies.getByRole('status')).toHaveText('Copied');
  const [, reply] = await service.messages(
    (await service.call<{ data: { id: string }[] }>('GET', '/api/v1/chats')).data[0]?.id ?? '',
  );
  expect(await copied()).toBe(reply?.content);
  expect(reply?.content).toContain('**');

  await page.keyboard.press('ControlOrMeta+a');
  const selected = await page.evaluate(() => getSelection()?.toString());
  expect(selected).toContain('391');
  expect(selected, 'nothing of the sidebar or of buttons').not.toMatch(/New chat|Archived|Personal/);
});

test('a step shows what went in and what came out', async ({ page, chat, service }) => {
  const copied = await allowClipboard(page);
  await chat.open(service.pageUrl);
  await ask(chat, 'What is 17 * 23?', '391');
  const step = chat.replies.getByRole('listitem').filter({ hasText: 'Calculate' });
  await expect(step.getByRole('region')).toHaveCount(0);
  await step.locator('summary').press('Enter');
  await expect(step.getByRole('region', { name: 'Input' })).toContainText('"expression": "17 * 23"');
  await expect(step.getByRole('region', { name: 'Result' })).toContainText('391');
  await step.getByRole('button', { name: 'Copy result' }).click();
  expect(await copied()).toContain('"391"');
});

test('a long text is collapsed, and expands', async ({ page, chat, service }) => {
  await chat.open(service.pageUrl);
  await chat.say(`${'A line of a long text.\n'.repeat(60)}The very end`);
  await expect(chat.replies).toHaveCount(1);
  const height = async (): Promise<number> => (await chat.mine.first().boundingBox())?.height ?? 0;
  expect(await height()).toBeLessThan(400);
  await page.getByRole('button', { name: 'Show all', exact: true }).click();
  await expect.poll(height).toBeGreaterThan(1_000);
});

test.describe('with replies that are directed', () => {
  test.use({ directed: true });

  test('a reply that failed says why, and Retry makes it anew', async ({ page, chat, service }) => {
    await chat.open(service.pageUrl);
    await chat.say('say half of it, then fail once');
    const failed = chat.replies.first();
    await expect(failed).toContainText('half of it');
    await expect(failed).toContainText('The reply failed. The model is not there.');
    await failed.getByRole('button', { name: 'Retry' }).click();
    await expect(chat.replies.getByText('The model is not there.')).toHaveCount(0);
    await expect(chat.replies).toHaveText([/half of it/]);
    await expect(page.getByRole('group', { name: 'Version 2 of 2' })).toBeVisible();
    await page.getByRole('button', { name: 'Earlier version' }).click();
    await expect(chat.replies.first()).toContainText('The reply failed.');
  });

  test('a reply that was stopped says so, and can be made anew', async ({ chat, service, watch }) => {
    // What comes after a message may be asked for just as the retry hides that message; then the whole list is.
    watch.expected.push(/status of 404/);
    await chat.open(service.pageUrl);
    await chat.say('say some of it, then hang');
    await expect(chat.replies.first()).toContainText('some of it');
    await chat.stop.click();
    await expect(chat.replies.first()).toContainText('Stopped here.');
    await chat.replies.first().getByRole('button', { name: 'Retry' }).click();
    await expect(chat.stop).toBeVisible();
    await expect(chat.replies.first()).toContainText('some of it');
  });

  test('while a reply is under way nothing can be deleted, and an edit stops it first', async ({
    page,
    chat,
    service,
  }) => {
    await chat.open(service.pageUrl);
    await chat.say('say some of it, then hang');
    await expect(chat.replies.first()).toContainText('some of it');
    await chat.mine.first().hover();
    const remove = chat.mine.first().getByRole('button', { name: 'Delete' });
    await expect(remove).toBeDisabled();
    await expect(remove).toHaveAttribute('title', /A reply is in progress/);
    const begin = chat.mine.first().getByRole('button', { name: 'Edit', exact: true });
    await expect(begin).toHaveAttribute('title', /stops the current reply first/);
    await edit(page, chat.mine.first(), 'say all of it');
    await expect(chat.replies).toHaveText([/all of it/]);
    await expect(chat.stop).toBeHidden();
  });

  test('a message that another program edits shows its new version by itself', async ({
    page,
    chat,
    service,
    watch,
  }) => {
    // What comes after a message may be asked for just as the edit hides that message; then the whole list is.
    watch.expected.push(/status of 404/);
    await chat.open(service.pageUrl);
    await chat.say('say one');
    await expect(chat.replies).toHaveText([/one/]);
    const { data } = await service.call<{ data: { id: string }[] }>('GET', '/api/v1/chats');
    const chatId = data[0]?.id ?? '';
    const [question] = await service.messages(chatId);
    await service.call('POST', `/api/v1/chats/${chatId}/messages/${question?.id}/edit`, {
      content: 'say two',
    });
    await expect(chat.mine).toHaveText([/say two/]);
    await expect(chat.replies).toHaveText([/two/]);
    await expect(page.getByRole('group', { name: 'Version 2 of 2' })).toBeVisible();
  });
});

test('a reply is branched off into a new chat, which goes on by itself', async ({ page, chat, service }) => {
  await chat.open(service.pageUrl);
  await ask(chat, 'What is 12 feet in metres?', '3.6576');
  await ask(chat, 'What is 6 * 7?', '42');
  const origin = page.url();
  await chat.replies.first().hover();
  await chat.replies.first().getByRole('button', { name: 'Branch into a new chat' }).click();
  await expect(page.getByText('This is a new chat')).toBeVisible();
  await expect(page).not.toHaveURL(origin);
  await expect(chat.replies).toHaveCount(1);
  await expect(chat.replies).toContainText('3.6576');
  await expect(chat.chats.getByRole('link', { name: /\(branch\)/ })).toBeVisible();
  await ask(chat, 'And in inches?', '144');
  await page.goto(origin);
  await expect(chat.replies).toHaveCount(2);
  await expect(last(chat.replies)).toContainText('42');
});
