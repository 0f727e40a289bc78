import { TOO_LONG_LINK } from '../../electron/arguments.ts';
import { apiOf } from './support/desktop-api.ts';
import { expect, test } from './support/desktop.ts';

test('a second start brings the window of the first to the front, which follows its link, sends nothing, and takes nothing away', async ({
  launch,
}) => {
  const desktop = await launch();
  const chat = await desktop.chat();
  const start = async (link: string): Promise<void> => {
    const second = await launch({ dataDir: desktop.dataDir, args: [link] });
    expect(await second.ended).toEqual({ code: 0, signal: null });
  };
  const follow = (address: string): Promise<boolean> =>
    desktop.evaluate(
      ({ app }, link) => app.emit('open-url', { preventDefault: () => undefined }, link),
      address,
    );
  const isVisible = (): Promise<boolean | undefined> =>
    desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible());
  await expect.poll(isVisible).toBe(true);
  await desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
  expect(await isVisible()).toBe(false);
  const text = 'Two lines\n& more: <b>not markup</b>';
  await start(`parley://new?text=${encodeURIComponent(text)}`);
  await expect.poll(isVisible).toBe(true);
  expect(await desktop.windows()).toHaveLength(1);
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

  // Chromium would kill the first for a second that has more to pass on than it takes.
  const tooLong = await launch({
    dataDir: desktop.dataDir,
    args: [`parley://new?text=${'x'.repeat(40_000)}`],
  });
  expect(await tooLong.ended).toEqual({ code: 2, signal: null });
  expect(desktop.process.signalCode).toBeNull();

  // What it starts instead passes this on.
  await start(TOO_LONG_LINK);
  await expect(chat.page.getByText('The link is too long for Parley.')).toBeVisible();

  // Nonsense leaves the window as it is, and the person is told.
  await follow('parley://settings/../../etc');
  await expect(chat.page.getByText('Parley doesn’t know what the link asks for.')).toBeVisible();
  await expect(chat.message).toBeVisible();
  await expect(chat.page).toHaveURL(new RegExp(`#/chats/${asked.id}`));
  desktop.expected.push(/404/);
  await follow('parley://chat/nowhere');
  await expect(chat.page.getByText('This chat no longer exists.').first()).toBeVisible();
});
