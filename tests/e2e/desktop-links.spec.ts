import { join } from 'node:path';
import { apiOf } from './support/desktop-api.ts';
import { expect, test } from './support/desktop.ts';

test('a link to a chat opens it in the window that is there', async ({ launch }) => {
  const desktop = await launch();
  const chat = await desktop.chat();
  const asked = await apiOf(desktop).ask('What is 2 + 2?');
  const second = await launch({ dataDir: desktop.dataDir, args: [`parley://chat/${asked.id}`] });
  expect(await second.ended).toMatchObject({ code: 0 });
  await expect(chat.page).toHaveURL(new RegExp(`#/chats/${asked.id}`));
  await expect(chat.replies.last()).toContainText('4');
});

test('a link with text puts it in the message box of a new chat, and sends nothing', async ({ launch }) => {
  const desktop = await launch();
  const chat = await desktop.chat();
  const text = 'Two lines\n& more: <b>not markup</b>';
  const second = await launch({
    dataDir: desktop.dataDir,
    args: [`parley://new?text=${encodeURIComponent(text)}`],
  });
  await second.ended;
  await expect(chat.message).toHaveValue(text);
  await expect(chat.message).toBeFocused();
  await expect(chat.mine).toHaveCount(0);
  const { total } = await apiOf(desktop).call<{ total: number }>('GET', '/api/v1/chats');
  expect(total).toBe(0);
});

test('a link takes nothing away of what was being written', async ({ launch }) => {
  const desktop = await launch();
  const chat = await desktop.chat();
  await chat.message.fill('my own words');
  await desktop.evaluate(({ app }) =>
    app.emit('open-url', { preventDefault: () => undefined }, 'parley://new?text=theirs'),
  );
  await expect(chat.message).toHaveValue(/theirs[\s\S]*my own words/);
});

test('a link that starts Parley is followed once the window is there', async ({ launch, folder }) => {
  const dataDir = join(folder, 'data');
  const first = await launch({ dataDir });
  await first.chat();
  const asked = await apiOf(first).ask('What is 7 + 8?');
  await first.quit();
  const second = await launch({ dataDir, args: [`parley://chat/${asked.id}`] });
  const chat = await second.chat();
  await expect(chat.page).toHaveURL(new RegExp(`#/chats/${asked.id}`));
  await expect(chat.replies.last()).toContainText('15');
  await second.quit();
});

test('a link to a chat that isn’t there says so, and nonsense opens the window as it is', async ({
  launch,
}) => {
  const desktop = await launch();
  const chat = await desktop.chat();
  desktop.expected.push(/404/);
  const follow = (address: string): Promise<boolean> =>
    desktop.evaluate(
      ({ app }, link) => app.emit('open-url', { preventDefault: () => undefined }, link),
      address,
    );
  await follow('parley://settings/../../etc');
  await expect(chat.message).toBeVisible();
  await follow('parley://chat/nowhere');
  await expect(chat.page.getByText('This chat no longer exists.').first()).toBeVisible();
});
