import { join } from 'node:path';
import { apiOf } from './support/desktop-api.ts';
import { expect, test } from './support/desktop.ts';

test('a link with text or to a chat is followed in the window that is there, sends nothing, and takes nothing away', async ({
  launch,
}) => {
  const desktop = await launch();
  const chat = await desktop.chat();
  const start = async (link: string): Promise<void> => {
    const second = await launch({ dataDir: desktop.dataDir, args: [link] });
    expect(await second.ended).toMatchObject({ code: 0 });
  };
  const follow = (address: string): Promise<boolean> =>
    desktop.evaluate(
      ({ app }, link) => app.emit('open-url', { preventDefault: () => undefined }, link),
      address,
    );
  const text = 'Two lines\n& more: <b>not markup</b>';
  await start(`parley://new?text=${encodeURIComponent(text)}`);
  await expect(chat.message).toHaveValue(text);
  await expect(chat.message).toBeFocused();
  await expect(chat.mine).toHaveCount(0);
  const { total } = await apiOf(desktop).call<{ total: number }>('GET', '/api/v1/chats');
  expect(total).toBe(0);

  await chat.message.fill('my own words');
  await follow('parley://new?text=theirs');
  await expect(chat.message).toHaveValue(/theirs[\s\S]*my own words/);

  const asked = await apiOf(desktop).ask('What is 2 + 2?');
  await start(`parley://chat/${asked.id}`);
  await expect(chat.page).toHaveURL(new RegExp(`#/chats/${asked.id}`));
  await expect(chat.replies.last()).toContainText('4');

  // Nonsense leaves the window as it is.
  await follow('parley://settings/../../etc');
  await expect(chat.message).toBeVisible();
  await expect(chat.page).toHaveURL(new RegExp(`#/chats/${asked.id}`));
  desktop.expected.push(/404/);
  await follow('parley://chat/nowhere');
  await expect(chat.page.getByText('This chat no longer exists.').first()).toBeVisible();
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
